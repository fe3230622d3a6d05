import NIOCore
import ValetModel

/// The progress of loading and sorting for a view's newest query, sent until its answer is
/// ready. The kind is even, so receivers that do not know it may skip it.
///
/// ```
/// varint   request that waits
/// varint   generation
/// varint   thousandths that are done
/// ```
package struct BuildProgress: Message {
    package static let kind = FrameKind.buildProgress
    package static let whole: UInt32 = 1_000

    package var request: UInt32
    package var generation: UInt32
    /// From 0 to `whole`.
    package var thousandths: UInt32

    package init(request: UInt32, generation: UInt32, thousandths: UInt32) {
        self.request = request
        self.generation = generation
        self.thousandths = thousandths
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeVarint(UInt64(thousandths))
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        thousandths = try payload.uint32()
        guard thousandths <= Self.whole else {
            throw PayloadReader.malformed("more is done than there is")
        }
    }
}
