import Foundation

/// One end of a TCP connection, read and written by blocking calls: bytes in, bytes out.
final class Wire {
    private let descriptor: CInt
    private var received: [UInt8] = []

    struct Failure: Error {
        var what: String
    }

    /// What nobody sent after so long never comes.
    private static let secondsAtMost = 60

    init(descriptor: CInt) throws {
        guard descriptor >= 0 else { throw Failure(what: "no socket") }
        self.descriptor = descriptor
        var time = timeval(tv_sec: Wire.secondsAtMost, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var yes: CInt = 1
        setsockopt(
            descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
    }

    convenience init(port: Int) throws {
        let descriptor = Wire.socket()
        try self.init(descriptor: descriptor)
        let failed = Wire.withAddress(port: port) { connect(descriptor, $0, $1) }
        guard failed == 0 else { throw Failure(what: "nobody listens at port \(port)") }
    }

    deinit { close(descriptor) }

    static func socket() -> CInt {
        #if canImport(Darwin)
            Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #else
            Foundation.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #endif
    }

    static func withAddress<Result>(
        port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The other side may have closed: what it had to say can still be read.
    func send(_ bytes: [UInt8]) {
        #if canImport(Darwin)
            let flags: CInt = 0
        #else
            let flags = CInt(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, flags)
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func closeWriting() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// The next frame; nil when the other side has closed.
    func next() throws -> RawFrame? {
        while true {
            if let frame = takeFrame() { return frame }
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == ECONNRESET { return nil }
            guard count >= 0 else { throw Failure(what: "nothing came") }
            if count == 0 {
                guard received.isEmpty else { throw Failure(what: "a frame was cut off") }
                return nil
            }
            received += buffer[..<count]
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
