import Foundation
import NIOCore
import NIOSSL
import Synchronization
import ValetModel

/// What a server proves with who it is: a certificate and its key, from PEM files.
public final class ServerCertificate: Sendable {
    private let path: String
    private let keyPath: String
    private let loaded: Mutex<Loaded>

    private struct Loaded {
        var context: NIOSSLContext
        var shown: ShownCertificate
    }

    /// - Parameter path: the certificate, and after it those of the authorities between it and one
    ///   that clients know.
    /// - Throws: `ValetError`, which says what is wrong with which file.
    public init(path: String, keyPath: String) throws(ValetError) {
        (self.path, self.keyPath) = (path, keyPath)
        loaded = Mutex(try Self.load(path, keyPath))
    }

    /// Reads both files again, for the connections that come. Those that are open keep what they
    /// began with. If a file can't be used, everything stays as it is.
    public func reload() throws(ValetError) {
        let new = try Self.load(path, keyPath)
        loaded.withLock { $0 = new }
    }

    public var shown: ShownCertificate { loaded.withLock(\.shown) }

    /// Encrypts a connection that has just come; it stands first in the pipeline.
    package func makeHandler() -> NIOSSLServerHandler {
        NIOSSLServerHandler(context: loaded.withLock(\.context))
    }

    private static func load(_ path: String, _ keyPath: String) throws(ValetError) -> Loaded {
        let (pem, keyPEM) = (
            try SmallFile.read(path), try SmallFile.read(keyPath, isSecret: true)
        )
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(pem), let leaf = chain.first else {
            throw ValetError(.notAllowed, "there is no certificate in “\(path)” (in PEM form)")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: keyPEM, format: .pem) else {
            throw ValetError(
                .notAllowed, "there is no key in “\(keyPath)” (in PEM form, without a password)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv13
        configuration.shutdownTimeout = .seconds(Int64(Limits.secondsToLinger))
        let shown = try ShownCertificate(leaf)
        do {
            return Loaded(context: try NIOSSLContext(configuration: configuration), shown: shown)
        } catch {
            throw ValetError(
                .notAllowed, "the key in “\(keyPath)” is not that of the certificate in “\(path)”")
        }
    }
}
