import Foundation
import ValetSecurity

extension TemporaryFolder {
    /// Where `certificate` puts it.
    package var certificatePath: String { file("valetd.pem") }
    package var keyPath: String { file("valetd.key") }

    /// A certificate that vouches for itself, in place of one that is there.
    /// - Parameters:
    ///   - days: from when to when it holds, counted from now.
    ///   - hasNewKey: whether a key that is there is replaced, too.
    @discardableResult
    package func certificate(
        for names: [String] = ["127.0.0.1", "localhost"], days: Range<Int> = 0..<10,
        hasNewKey: Bool = true
    ) throws -> ServerCertificate {
        if hasNewKey {
            write(CertificateMaker.makeKey(), to: "valetd.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyPath)
        }
        let text = try CertificateMaker.makeCertificate(
            names: names, keyPath: keyPath,
            from: Date.now.addingTimeInterval(Double(days.lowerBound) * 86_400), days: days.count)
        write(text, to: "valetd.pem")
        return try ServerCertificate(path: certificatePath, keyPath: keyPath)
    }
}
