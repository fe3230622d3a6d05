import NIOCore
import ValetModel

/// A number for a client process that writes. The server stores it.
///
/// ```
/// varint   request
/// u64      writer
/// ```
package struct WriterAnswer: Message {
    package static let kind = FrameKind.writerAnswer

    package var request: UInt32
    package var writer: UInt64

    package init(request: UInt32, writer: UInt64) {
        self.request = request
        self.writer = writer
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeFixed64(writer)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        writer = try payload.fixed64()
    }
}
