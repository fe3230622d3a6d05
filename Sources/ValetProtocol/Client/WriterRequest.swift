import NIOCore
import ValetModel

/// Asks for a writer, once per client process.
///
/// ```
/// varint   request
/// ```
package struct WriterRequest: Message {
    package static let kind = FrameKind.writerRequest

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
