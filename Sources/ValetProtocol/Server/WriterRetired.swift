import NIOCore
import ValetModel

/// Answers `RetireWriter`.
///
/// ```
/// varint   request
/// ```
package struct WriterRetired: Message {
    package static let kind = FrameKind.writerRetired

    package var request: UInt32

    package init(request: UInt32) {
        self.request = request
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
    }
}
