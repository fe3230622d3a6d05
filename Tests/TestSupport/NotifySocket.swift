import Foundation

/// The socket of a service manager, and what comes there.
package final class NotifySocket: Sendable {
    private let descriptor: Int32

    /// - Parameter name: its path; one that begins with `@` is in no folder.
    /// - Returns: nil if there can be none of that name.
    package init?(at name: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: name.utf8)
            if name.hasPrefix("@") { path[0] = 0 }
        }
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #else
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        let length = socklen_t(start + name.utf8.count)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0
            }
        }
        self.descriptor = descriptor
        guard isBound else { return nil }
    }

    /// Waits for the next datagram; the deadline only ends what is broken.
    /// - Returns: nil if none comes.
    package func next(milliseconds: Int32 = 120_000) -> String? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    deinit { close(descriptor) }
}
