import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

/// One message with its frame's bytes: what every test of the codec runs over.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    private let value: (any Message)?

    init(_ name: String, stream: UInt16 = 0, _ message: some Message) {
        var buffer = ByteBuffer()
        message.encode(stream: stream, into: &buffer)
        self.name = name
        bytes = Array(buffer.readableBytesView)
        value = message
    }

    /// The only frame of a page, of which there is no message to compare it with.
    init(_ name: String, page: ByteBuffer) {
        self.name = name
        bytes = Array(page.readableBytesView)
        value = nil
    }

    static let all = client + server

    var testDescription: String { "\(file): \(name)" }
    var payload: [UInt8] { Array(bytes.dropFirst(Frame.headerBytes)) }
    var kind: UInt8 { bytes[4] }
    var message: AnyHashable? { value.map { AnyHashable($0) } }

    /// The vector file that it stands in, without its ending.
    var file: String {
        FrameKind(rawValue: kind).map { kind in
            "\(kind)".replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
        } ?? ""
    }

    /// Reads the sample's frame around another payload.
    func decode(payload: [UInt8], flags: UInt8 = 0) throws(ValetError) -> AnyHashable? {
        try Frame(kind: kind, flags: flags, payload: ByteBuffer(bytes: payload)).message()
    }
}

extension Frame {
    /// The only frame in `bytes`.
    init(whole bytes: some Sequence<UInt8>) throws {
        var buffer = ByteBuffer(bytes: bytes)
        let frame = try Frame(takingFrom: &buffer, payloadLimit: Limits.bytesPerServerFrame)
        self = try #require(frame)
        #expect(buffer.readableBytes == 0)
    }

    /// The message, as the side reads it that gets frames of this kind; nil for one to skip.
    func message() throws(ValetError) -> AnyHashable? {
        let message: Any? =
            kind < 0x80 ? try ClientMessage(frame: self) : try ServerMessage(frame: self)
        return message.flatMap { Mirror(reflecting: $0).descendant(0) as? AnyHashable }
    }
}

/// What is read when a message is sent.
func received<Value: Message>(_ message: Value) throws -> Value? {
    var bytes = ByteBuffer()
    message.encode(into: &bytes)
    return try Frame(whole: bytes.readableBytesView).message() as? Value
}

/// How a message is refused; nil if it is read.
func refusal(of message: some Message) -> ErrorCode? {
    failure { try received(message) }?.code
}
