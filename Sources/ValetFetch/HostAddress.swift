#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An address of a host, as the bytes that travel: four for IPv4, sixteen for IPv6.
struct HostAddress: Equatable {
    let bytes: [UInt8]

    /// - Parameter text: such as `192.0.2.1` or `2001:db8::1`.
    init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// Whether anybody on the internet reaches the same host there: not in loopback, link-local,
    /// private, shared, benchmark, multicast and reserved ranges (RFC 6890).
    var isPublic: Bool { bytes.count == 4 ? Self.isPublic(bytes[...]) : isPublicIPv6 }

    private static func isPublic(_ bytes: ArraySlice<UInt8>) -> Bool {
        let (first, second, third) = (
            bytes[bytes.startIndex], bytes[bytes.startIndex + 1], bytes[bytes.startIndex + 2]
        )
        return switch (first, second) {
        case (0, _), (10, _), (127, _), (224..., _): false
        case (100, 64...127), (169, 254), (172, 16...31), (192, 168), (198, 18...19): false
        case (192, 0): third != 0
        default: true
        }
    }

    /// Addresses that carry one of IPv4 count as that one.
    private var isPublicIPv6: Bool {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
        if bytes.starts(with: mapped) || bytes.starts(with: translated) {
            return Self.isPublic(bytes[12...])
        }
        if bytes.starts(with: [0x20, 0x02]) { return Self.isPublic(bytes[2...]) }
        // Teredo carries its address in disguise.
        if bytes.starts(with: [0x20, 0x01, 0, 0]) { return false }
        return bytes[0] & 0xE0 == 0x20
    }
}
