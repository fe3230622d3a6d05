import Foundation
import NIOCore
import NIOSSL
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

    /// Encrypts a connection that has just come; it stands first in the pipeline. A client that has
    /// a certificate shows it, whoever vouches for it: its key is what it may be known by.
    package func makeHandler() -> NIOSSLServerHandler {
        NIOSSLServerHandler(
            context: loaded.withLock(\.context),
            customVerificationCallback: { _, verdict in verdict.succeed(.certificateVerified) })
    }

    private static func load(_ path: String, _ keyPath: String) throws(ValetError) -> Loaded {
        let key = try CertifiedKey(path: path, keyPath: keyPath)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [], privateKey: .privateKey(key.key))
        configuration.minimumTLSVersion = .tlsv13
        configuration.shutdownTimeout = .seconds(Int64(Limits.secondsToLinger))
        configuration.certificateVerification = .optionalVerification
        configuration.trustRoots = .certificates([])
        return Loaded(context: try key.context(configuration), shown: key.shown)
    }
}

extension NIOSSLServerHandler {
    /// The key of the client's certificate, once the handshake is over; nil for a client without
    /// one, and for one that can't be read.
    package var clientKey: KeyFingerprint? {
        peerCertificate.flatMap { try? ShownCertificate($0) }?.key
    }
}
