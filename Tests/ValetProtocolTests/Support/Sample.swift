import NIOCore
import Testing
import ValetModel

@testable import ValetProtocol

/// One message with its frame's bytes and its layout: what every test of the codec runs over.
struct Sample: Sendable, CustomTestStringConvertible {
    enum Decoded: Hashable, Sendable {
        case client(ClientMessage)
        case server(ServerMessage)
    }

    /// The vector file that it stands in, without its ending.
    let file: String
    let name: String
    let message: Decoded
    let bytes: [UInt8]
    let layout: [Field]

    init<Value: Message>(
        _ file: String, _ name: String, stream: UInt16 = 0, _ layout: [Field], _ value: Value,
        _ wrap: (Value) -> ClientMessage
    ) {
        self.init(file, name, stream, layout, value, .client(wrap(value)))
    }

    init<Value: Message>(
        _ file: String, _ name: String, stream: UInt16 = 0, _ layout: [Field], _ value: Value,
        _ wrap: (Value) -> ServerMessage
    ) {
        self.init(file, name, stream, layout, value, .server(wrap(value)))
    }

    private init(
        _ file: String, _ name: String, _ stream: UInt16, _ layout: [Field], _ value: some Message,
        _ message: Decoded
    ) {
        var buffer = ByteBuffer()
        value.encode(stream: stream, into: &buffer)
        self.file = file
        self.name = name
        self.message = message
        self.layout = layout
        bytes = Array(buffer.readableBytesView)
    }

    var testDescription: String { "\(file): \(name)" }
    var payload: [UInt8] { Array(bytes.dropFirst(Frame.headerBytes)) }
    var kind: UInt8 { bytes[4] }

    /// Reads a frame as the side that the sample is for.
    func decode(_ frame: Frame) throws(ValetError) -> Decoded? {
        switch message {
        case .client: try ClientMessage(frame: frame).map(Decoded.client)
        case .server: try ServerMessage(frame: frame).map(Decoded.server)
        }
    }

    /// Reads the sample's frame around another payload.
    func decode(payload: [UInt8], flags: UInt8 = 0) throws(ValetError) -> Decoded? {
        try decode(Frame(kind: kind, flags: flags, payload: ByteBuffer(bytes: payload)))
    }

    static let all = client + server
}

extension Frame {
    /// The only frame in `bytes`.
    init(whole bytes: [UInt8]) throws {
        var buffer = ByteBuffer(bytes: bytes)
        let frame = try Frame(takingFrom: &buffer, payloadLimit: Limits.bytesPerServerFrame)
        self = try #require(frame)
        #expect(buffer.readableBytes == 0)
    }
}
