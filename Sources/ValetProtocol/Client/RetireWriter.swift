import NIOCore
import ValetModel

/// Says that the writer sends no more commands, so that the server may soon forget it.
///
/// ```
/// varint   request
/// u64 × 2  writer
/// ```
package struct RetireWriter: Message {
    package static let kind = FrameKind.retireWriter

    package var request: UInt32
    package var writer: WriterID

    package init(request: UInt32, writer: WriterID) {
        self.request = request
        self.writer = writer
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        writer.write(into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        writer = try WriterID(reading: &payload)
    }
}
