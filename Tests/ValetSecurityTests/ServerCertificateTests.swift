import Foundation
import NIOSSL
import TestSupport
import Testing
import ValetModel

@testable import ValetSecurity

@Suite struct ServerCertificateTests {
    private let folder = TemporaryFolder()

    private func refusal() -> String {
        failure {
            try ServerCertificate(path: folder.certificatePath, keyPath: folder.keyPath)
        }?.message ?? "none"
    }

    @Test func aCertificateSaysWhatItIsFor() throws {
        let shown = try folder.certificate(for: ["cars.example", "10.0.0.5", "::1"]).shown
        #expect(shown.names == ["cars.example", "10.0.0.5", "::1"])
        #expect(shown.isSelfSigned)
        #expect(KeyFingerprint("\(shown.key)") == shown.key)
    }

    /// `openssl x509 -pubkey -noout -in FILE | openssl pkey -pubin -outform der |
    /// openssl dgst -sha256 -binary | base64` said so.
    @Test func theFingerprintIsTheOneThatOpenSSLFinds() throws {
        let pem = try NIOSSLCertificate.fromPEMBytes(Array(Self.openSSL.utf8))
        let shown = try ShownCertificate(try #require(pem.first))
        #expect("\(shown.key)" == "SHA256:PyUcIYKGl/kVXWbkYWbLX43rYW3RqFFcO/I4/JJ9bak")
        #expect(shown.names == ["fixed.example"])
    }

    private static let openSSL = """
        -----BEGIN CERTIFICATE-----
        MIIBkDCCATegAwIBAgIUHTkn7r+8ZrGcovizk/I+bK9+CCUwCgYIKoZIzj0EAwIw
        EDEOMAwGA1UEAwwFZml4ZWQwIBcNMjYxMTI4MTUxOTI1WhgPMjEyNjExMDQxNTE5
        MjVaMBAxDjAMBgNVBAMMBWZpeGVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        83vMtTVz/gK/4MFlo8AN6XKiLeo9AMFTcGzn1DfH+VY66gyD6OAS/6OAuiVzhOXP
        7KjzYiSDmPElXC4cxstRQKNtMGswHQYDVR0OBBYEFHP5Q4IL4wWjI+w/xKykBXqN
        yY0tMB8GA1UdIwQYMBaAFHP5Q4IL4wWjI+w/xKykBXqNyY0tMA8GA1UdEwEB/wQF
        MAMBAf8wGAYDVR0RBBEwD4INZml4ZWQuZXhhbXBsZTAKBggqhkjOPQQDAgNHADBE
        AiBS0vOUssV7zHITXkBlLpPgIpkmwHG+WH5OS+LxMzNBGgIgOFYxrmmRnsOHE9/P
        bPNhGzl6z/LTE1rs5LUw3u5jL0c=
        -----END CERTIFICATE-----
        """

    @Test func aRenewedCertificateForTheSameKeyHasTheSameFingerprint() throws {
        let first = try folder.certificate().shown
        let second = try folder.certificate(for: ["other"], days: 0..<20, hasNewKey: false).shown
        #expect(first.key == second.key)
        #expect(first != second)
        #expect(try folder.certificate().shown.key != first.key)
    }

    @Test func aKeyOfAnotherCertificateIsRefused() throws {
        try folder.certificate()
        let other = TemporaryFolder()
        try other.certificate()
        folder.write(
            try String(contentsOfFile: other.certificatePath, encoding: .utf8), to: "valetd.pem")
        #expect(refusal().contains("not that of the certificate"))
    }

    @Test(arguments: ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func whatIsNoCertificateIsRefused(text: String) throws {
        try folder.certificate()
        folder.write(text, to: "valetd.pem")
        #expect(refusal().contains("no certificate in “\(folder.certificatePath)”"))
    }

    @Test(arguments: ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func whatIsNoKeyIsRefused(text: String) throws {
        try folder.certificate()
        // In place, so that the file keeps its permissions.
        try TemporaryFolder.overwrite(folder.keyPath, with: Data(text.utf8))
        #expect(refusal().contains("no key in “\(folder.keyPath)”"))
    }

    @Test func filesThatAreMissingFoldersOrTooLongAreRefused() throws {
        try folder.certificate()
        try FileManager.default.removeItem(atPath: folder.certificatePath)
        #expect(refusal().contains("can't be read: No such file"))
        try FileManager.default.createDirectory(
            atPath: folder.certificatePath, withIntermediateDirectories: false)
        #expect(refusal().contains("can't be read"))
        try FileManager.default.removeItem(atPath: folder.certificatePath)
        folder.write([UInt8](repeating: 0x2D, count: Limits.bytesPerPEMFile + 1), to: "valetd.pem")
        #expect(refusal().contains("is limited to"))
    }

    @Test(arguments: [0o644, 0o604, 0o660, 0o601]) func aKeyThatOthersCanReadIsRefused(
        permissions: Int
    ) throws {
        try folder.certificate()
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: folder.keyPath)
        #expect(refusal().contains("others can read the secret"))
    }

    @Test func aReloadThatFailsChangesNothing() throws {
        let certificate = try folder.certificate()
        let before = certificate.shown
        folder.write("x", to: "valetd.pem")
        #expect(failure { try certificate.reload() } != nil)
        #expect(certificate.shown == before)
        try folder.certificate(for: ["new"])
        try certificate.reload()
        #expect(certificate.shown.names == ["new"])
    }

    @Test(arguments: [
        "", ".", "a..b", "a b", "ä", "-" + String(repeating: "a", count: 63), "a:1", "*",
        "a\u{0}b", String(repeating: "a.", count: 127) + "a",
    ])
    func whatIsNoHostIsNotCertified(name: String) throws {
        try folder.certificate()
        #expect(
            failure {
                try CertificateMaker.makeCertificate(
                    names: ["a", name], keyPath: folder.keyPath, days: 1)
            } != nil)
    }
}
