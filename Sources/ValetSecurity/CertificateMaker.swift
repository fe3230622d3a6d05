import Crypto
import Foundation
import SwiftASN1
import ValetModel
import X509

/// Makes certificates for a private network: each vouches for itself, so clients know it by its key
/// or have a copy of it.
public enum CertificateMaker {
    /// A new key, in PEM form.
    public static func makeKey() -> String { P256.Signing.PrivateKey().pemRepresentation + "\n" }

    /// - Parameters:
    ///   - names: the host names and addresses that clients connect to.
    ///   - keyPath: the file with the key, which vouches for it.
    /// - Returns: the certificate, in PEM form.
    public static func makeCertificate(
        names: [String], keyPath: String, from begin: Date = .now, days: Int
    ) throws(ValetError) -> String {
        let pem = String(decoding: try SmallFile.read(keyPath, isSecret: true), as: UTF8.self)
        guard let key = try? Certificate.PrivateKey(pemEncoded: pem) else {
            throw ValetError(.notAllowed, "there is no key in “\(keyPath)” that can be used")
        }
        guard let subject = names.first else {
            throw ValetError(.unexpected, "a certificate is for one name or more")
        }
        let names = try names.map { (name) throws(ValetError) in try generalName(name) }
        do {
            let subject = try DistinguishedName { CommonName(subject) }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
                // Clocks differ.
                notValidBefore: begin.addingTimeInterval(-3_600),
                notValidAfter: begin.addingTimeInterval(Double(days) * 86_400),
                issuer: subject, subject: subject,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    // A list of the key's uses that lacks signing certificates would keep this one
                    // from vouching for itself.
                    try ExtendedKeyUsage([.serverAuth, .clientAuth])
                    SubjectAlternativeNames(names)
                },
                issuerPrivateKey: key)
            return try certificate.serializeAsPEM().pemString + "\n"
        } catch {
            throw ValetError(.notAllowed, "the certificate can't be made: \(error)")
        }
    }

    private static func generalName(_ text: String) throws(ValetError) -> GeneralName {
        if let address = HostAddress(text) {
            return .ipAddress(ASN1OctetString(contentBytes: address.bytes[...]))
        }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253,
            labels.allSatisfy({ label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
            })
        else {
            throw ValetError(.unexpected, "“\(text)” is no name of a host, and no address")
        }
        return .dnsName(text)
    }
}
