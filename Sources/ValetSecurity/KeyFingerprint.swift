import Crypto
import Foundation
import SwiftASN1
import X509

/// Names a server or a station by its public key: the SHA-256 of the key as certificates hold it
/// (SubjectPublicKeyInfo, RFC 7469 §2.4).
///
/// It lasts as long as the key: a certificate that is renewed for the same key has the same one.
public struct KeyFingerprint: Hashable, Sendable, CustomStringConvertible {
    private let digest: Data

    init(of certificate: Certificate) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate.publicKey)
        digest = Data(SHA256.hash(data: serializer.serializedBytes))
    }

    /// Reads what `description` writes.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let digest = Data(base64Encoded: text.dropFirst(Self.prefix.count) + "="),
            digest.count == SHA256.byteCount
        else { return nil }
        self.digest = digest
        // Base64 has several texts for some bytes.
        guard description == text else { return nil }
    }

    private static let prefix = "SHA256:"

    /// `SHA256:` and 43 characters of Base64, as ssh writes it.
    public var description: String {
        Self.prefix + digest.base64EncodedString().prefix { $0 != "=" }
    }
}
