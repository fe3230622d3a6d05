import Foundation

/// What started this program, if it wants to be told how it is: systemd does with `Type=notify`.
///
/// Source: sd_notify(3).
enum ServiceManager {
    private static let socketName = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"]

    static var isThere: Bool { socketName != nil }

    /// Sends a datagram of lines, `NAME=VALUE`. One that can't be sent is dropped: there is nobody
    /// to tell.
    /// - Parameter name: of its socket; one that begins with `@` is in no folder.
    static func tell(_ lines: String, at name: String? = socketName) {
        guard let name, var address = sockaddr_un(path: name) else { return }
        let descriptor = socket(AF_UNIX, SocketKind.datagram, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        let length = socklen_t(start + name.utf8.count)
        let bytes = Array(lines.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = sendto(descriptor, bytes, bytes.count, 0, pointer, length)
            }
        }
    }
}

private enum SocketKind {
    #if canImport(Darwin)
        static let datagram = SOCK_DGRAM
    #else
        static let datagram = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #endif
}

extension sockaddr_un {
    /// - Returns: nil if the path is empty or longer than an address may be.
    fileprivate init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: sun_path) else { return nil }
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
        if bytes[0] == UInt8(ascii: "@") {
            withUnsafeMutableBytes(of: &sun_path) { $0[0] = 0 }
        }
    }
}
