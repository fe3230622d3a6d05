import Crypto
import Foundation

/// A secret that a station proves with who it acts for: 256 random bits.
///
/// It holds until the server's operator revokes it. Its text is for the one who uses it: nothing
/// writes it anywhere else, so it has no description.
public struct AccessToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public static let byteCount = 32
    private static let prefix = "valet-"

    public let bytes: [UInt8]

    /// A new one.
    public init() {
        var source = SystemRandomNumberGenerator()
        bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &source) }
    }

    /// nil if it is not 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads what `text` writes.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let data = Base64Text.bytes(of: text.dropFirst(Self.prefix.count)),
            data.count == Self.byteCount
        else { return nil }
        bytes = Array(data)
    }

    /// `valet-` and 43 characters of Base64 that stand in an address, too (RFC 4648 §5).
    public var text: String { Self.prefix + Base64Text.text(of: Data(bytes)) }

    public var description: String { "a token" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// What servers keep of it, from which nobody finds it.
    public var hash: TokenHash { TokenHash(digest: Data(SHA256.hash(data: bytes))) }
}

/// The SHA-256 of a token.
public struct TokenHash: Hashable, Sendable, CustomStringConvertible {
    private static let prefix = "token:"

    fileprivate let digest: Data

    fileprivate init(digest: Data) { self.digest = digest }

    /// Reads what `description` writes.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let digest = Base64Text.bytes(of: text.dropFirst(Self.prefix.count)),
            digest.count == SHA256.byteCount
        else { return nil }
        self.digest = digest
    }

    /// `token:` and 43 characters of Base64.
    public var description: String { Self.prefix + Base64Text.text(of: digest) }
}

/// Base64 for addresses, without `=` (RFC 4648 §5).
private enum Base64Text {
    static func text(of bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// nil for another text than `text` writes: Base64 has several for some bytes.
    static func bytes(of text: Substring) -> Data? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let filled = standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: String(filled)), self.text(of: bytes) == text
        else { return nil }
        return bytes
    }
}
