import NIOSSL
import ValetModel

/// A certificate with its key, from PEM files.
struct CertifiedKey {
    private let path: String
    private let keyPath: String
    private let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey
    let shown: ShownCertificate

    /// - Throws: `ValetError`, which says what is wrong with which file.
    init(path: String, keyPath: String) throws(ValetError) {
        let keyPEM = try SmallFile.read(keyPath, isSecret: true)
        (self.path, self.keyPath) = (path, keyPath)
        (chain, shown) = try Self.chain(path)
        guard let key = try? NIOSSLPrivateKey(bytes: keyPEM, format: .pem) else {
            throw ValetError(
                .notAllowed, "there is no key in “\(keyPath)” (in PEM form, without a password)")
        }
        self.key = key
    }

    /// The certificates in a file, and what the first of them says.
    static func chain(
        _ path: String
    ) throws(ValetError) -> ([NIOSSLCertificate], ShownCertificate) {
        let pem = try SmallFile.read(path)
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(pem), let leaf = chain.first else {
            throw ValetError(.notAllowed, "there is no certificate in “\(path)” (in PEM form)")
        }
        return (chain, try ShownCertificate(leaf))
    }

    /// - Parameter configuration: what else connections are encrypted with.
    func context(_ configuration: TLSConfiguration) throws(ValetError) -> NIOSSLContext {
        var configuration = configuration
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw ValetError(
                .notAllowed, "the key in “\(keyPath)” is not that of the certificate in “\(path)”")
        }
    }
}
