import NIOCore
import ValetModel

/// A value that is laid out the same in all messages.
protocol Field {
    func write(into payload: inout ByteBuffer)
    init(reading payload: inout PayloadReader) throws(ValetError)
}

/// One kind of frame: its fields and their layout in the payload.
package protocol Message: Hashable, Sendable {
    static var kind: FrameKind { get }
    func write(into payload: inout ByteBuffer)
    init(reading payload: inout PayloadReader) throws(ValetError)
}

/// A message that only names a request.
package protocol RequestMessage: Message {
    var request: UInt32 { get }
    init(request: UInt32)
}

extension RequestMessage {
    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(request: try payload.uint32())
    }
}

extension Message {
    /// Appends the whole frame.
    package func encode(stream: UInt16 = 0, into bytes: inout ByteBuffer) {
        Frame.write(kind: Self.kind, stream: stream, into: &bytes) { write(into: &$0) }
    }

    /// Reads a frame of this kind; trailing bytes and unknown flags are refused.
    package init(frame: Frame) throws(ValetError) {
        guard frame.flags == 0 else { throw PayloadReader.malformed("unknown flags") }
        var reader = PayloadReader(frame.payload)
        try self.init(reading: &reader)
        try reader.finish()
    }
}
