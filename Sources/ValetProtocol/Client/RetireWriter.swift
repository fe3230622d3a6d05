import NIOCore
import ValetModel

/// Says that the writer sends no more commands, so that the server may soon forget it.
///
/// ```
/// varint   request
/// u64      writer
/// ```
package struct RetireWriter: Message {
    package static let kind = FrameKind.retireWriter

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
