import NIOCore

/// An IPv4 or IPv6 address as a certificate holds it: 4 or 16 bytes.
package struct HostAddress {
    let bytes: [UInt8]
    /// In its shortest form.
    let text: String

    /// Whether what is sent to a host can't leave this machine. A name such as `127.example.org`
    /// may be anywhere.
    package static func isOfThisMachine(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        guard let bytes = HostAddress(host)?.bytes else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    init?(bytes: some Sequence<UInt8>) {
        self.init(try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0))
    }

    /// nil for what is no address, such as a name.
    init?(_ text: String) {
        // The system's functions would read the text up to there.
        guard !text.utf8.contains(0) else { return nil }
        self.init(try? SocketAddress(ipAddress: text, port: 0))
    }

    private init?(_ address: SocketAddress?) {
        guard let address, let text = address.ipAddress else { return nil }
        self.text = text
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: return nil
        }
    }
}
