import TestSupport

/// One end of a TCP connection: bytes in, frames out.
final class Wire {
    private let socket: BlockingSocket
    private var received: [UInt8] = []

    init(_ socket: BlockingSocket) { self.socket = socket }

    convenience init(port: Int) throws { self.init(try BlockingSocket(port: port)) }

    func send(_ bytes: [UInt8]) { socket.send(bytes) }

    func closeWriting() { socket.closeWriting() }

    /// The next frame; nil when the other side has closed.
    func next() throws -> RawFrame? {
        while true {
            if let frame = takeFrame() { return frame }
            let bytes = try socket.read()
            if bytes.isEmpty {
                guard received.isEmpty else {
                    throw BlockingSocket.Failure(what: "a frame was cut off")
                }
                return nil
            }
            received += bytes
        }
    }

    private func takeFrame() -> RawFrame? {
        guard received.count >= 8 else { return nil }
        var fields = Fields(received)
        guard let length = try? Int(fields.fixed(4)), received.count >= 8 + length else {
            return nil
        }
        let frame = RawFrame(
            kind: received[4], flags: received[5],
            stream: UInt16(received[6]) | UInt16(received[7]) << 8,
            payload: Array(received[8..<8 + length]))
        received.removeFirst(8 + length)
        return frame
    }
}
