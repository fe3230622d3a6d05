import Foundation

/// One end of a TCP connection on this machine, read and written by blocking calls.
package final class BlockingSocket: Sendable {
    private let descriptor: CInt

    package struct Failure: Error {
        package let what: String

        package init(what: String) { self.what = what }
    }

    /// What nobody sent after so long never comes.
    private static let secondsAtMost = 60

    package init(descriptor: CInt) throws {
        guard descriptor >= 0 else { throw Failure(what: "no socket") }
        self.descriptor = descriptor
        var time = timeval(tv_sec: Self.secondsAtMost, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var yes: CInt = 1
        setsockopt(
            descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
    }

    package convenience init(port: Int) throws {
        let descriptor = Self.make()
        try self.init(descriptor: descriptor)
        let failed = Self.withAddress(port: port) { connect(descriptor, $0, $1) }
        guard failed == 0 else { throw Failure(what: "nobody listens at port \(port)") }
    }

    deinit { close(descriptor) }

    /// - Returns: a descriptor, or less than 0.
    package static func make() -> CInt {
        #if canImport(Darwin)
            socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #endif
    }

    package static func withAddress<Result>(
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
    package func send(_ bytes: [UInt8]) {
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
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            sent += count
        }
    }

    package func closeWriting() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Waits for the next bytes; there are none when the other side has closed.
    package func read() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count: Int
        // A fuzzer's clock sends signals.
        repeat {
            count = recv(descriptor, &buffer, buffer.count, 0)
        } while count < 0 && errno == EINTR
        if count < 0, errno == ECONNRESET { return [] }
        guard count >= 0 else {
            throw Failure(what: "nothing came: \(String(cString: strerror(errno)))")
        }
        return Array(buffer[..<count])
    }
}
