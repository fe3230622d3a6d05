import Foundation
import NIOSSL
import ValetModel
import X509

/// What a server's certificate says. Nothing of it is true because it says so: its names are
/// untrusted text.
public struct ShownCertificate: Hashable, Sendable {
    public let key: KeyFingerprint
    /// Host names and addresses that it is for.
    public let names: [String]
    public let validFrom: Date
    public let validUntil: Date
    /// Nobody else vouches for it.
    public let isSelfSigned: Bool

    /// - Throws: `ValetError`, also for a certificate of a form or with a key that isn't known.
    init(_ certificate: NIOSSLCertificate) throws(ValetError) {
        do {
            let certificate = try Certificate(derEncoded: certificate.toDERBytes())
            key = try KeyFingerprint(of: certificate)
            names = try certificate.extensions.subjectAlternativeNames?.compactMap(\.text) ?? []
            (validFrom, validUntil) = (certificate.notValidBefore, certificate.notValidAfter)
            isSelfSigned = certificate.issuer == certificate.subject
        } catch {
            throw ValetError(.notAllowed, "the certificate can't be read: \(error)")
        }
    }

    /// The first certificate in a PEM file.
    /// - Throws: `ValetError`, with the file's name.
    public init(file path: String) throws(ValetError) { (_, self) = try CertifiedKey.chain(path) }

    /// Why it does not prove that a server is `host`, for a person: the first reason that is found.
    func doubt(about host: String, at now: Date = .now) -> String {
        if now < validFrom {
            return "its certificate begins on \(Self.day(validFrom)): check this machine's clock"
        }
        if now > validUntil { return "its certificate ended on \(Self.day(validUntil))" }
        guard isFor(host) else { return "its certificate is for \(who), not for \(host)" }
        return isSelfSigned
            ? "only its own key vouches for its certificate"
            : "nobody whom this machine trusts vouches for its certificate"
    }

    func isFor(_ host: String) -> Bool { names.contains { Self.matches(host, $0) } }

    /// The first of its names, for a person.
    public var who: String {
        let some = names.prefix(4).map { $0.prefix(253) }.joined(separator: ", ")
        return some.isEmpty ? "nobody" : some
    }

    /// When it ends, as a date in UTC.
    public var lastDay: String { Self.day(validUntil) }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }

    /// `*.example.org` is for each name with one label more.
    private static func matches(_ host: String, _ name: String) -> Bool {
        var host = HostAddress(host)?.text ?? host.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        let name = name.lowercased()
        guard name.hasPrefix("*.") else { return host == name }
        return host.drop { $0 != "." } == name.dropFirst()
    }
}

extension GeneralName {
    /// nil for what is no host.
    fileprivate var text: String? {
        switch self {
        case .dnsName(let name): name
        case .ipAddress(let bytes): HostAddress(bytes: bytes.bytes)?.text
        default: nil
        }
    }
}
