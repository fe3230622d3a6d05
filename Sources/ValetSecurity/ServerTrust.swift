import NIOCore
import NIOSSL
import ValetModel

/// How a client knows that a server is the one it asked for.
public enum ServerTrust: Hashable, Sendable {
    /// By its name, for which an authority vouches that this machine trusts.
    case system
    /// By its name, for which a certificate in this PEM file vouches.
    case authorities(path: String)
    /// By its key, whatever its certificate says.
    case key(KeyFingerprint)
}

/// Encrypts a client's connections to one host.
package struct ClientTLS: Sendable {
    private let host: String
    private let context: NIOSSLContext
    private let trust: ServerTrust?

    /// - Parameters:
    ///   - trust: nil trusts nobody: the server shows its certificate, and that is all.
    ///   - credential: its certificate is shown to the server, if it is one.
    /// - Throws: `ValetError`, for authorities and certificates that can't be read.
    package init(
        host: String, trust: ServerTrust?, credential: Credential? = nil
    ) throws(ValetError) {
        (self.host, self.trust) = (host, trust)
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv13
        configuration.shutdownTimeout = .seconds(Int64(Limits.secondsToLinger))
        switch trust {
        case .system: break
        case .authorities(let path):
            let pem = try SmallFile.read(path)
            guard let known = try? NIOSSLCertificate.fromPEMBytes(pem) else {
                throw ValetError(.notAllowed, "there is no certificate in “\(path)” (in PEM form)")
            }
            configuration.trustRoots = .certificates(known)
        case .key, nil:
            configuration.certificateVerification = .noHostnameVerification
            // Nobody else decides.
            configuration.trustRoots = .certificates([])
        }
        if case .certificate(let path, let keyPath) = credential {
            context = try CertifiedKey(path: path, keyPath: keyPath).context(configuration)
            return
        }
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ValetError(
                .notAllowed,
                "this machine has no list of authorities that it trusts: install ca-certificates")
        }
    }

    /// Stands first in the pipeline of a connection.
    /// - Parameter shown: called on the event loop with the certificate that the server shows,
    ///   where its key decides or nothing does.
    package func makeHandler(
        shown: @escaping @Sendable (ShownCertificate) -> Void = { _ in }
    ) throws(ValetError) -> NIOSSLClientHandler {
        // Addresses are not asked for by name: the handler compares them with the peer's.
        let name = HostAddress(host) == nil ? host : nil
        do {
            switch trust {
            case .system, .authorities:
                guard let name else {
                    return try NIOSSLClientHandler(context: context, serverHostname: nil)
                }
                // NIOSSL also believes a certificate for the peer's address, which whoever forges
                // an answer of the name service may have.
                return try NIOSSLClientHandler._makeSSLClientHandler(
                    context: context, serverHostname: name,
                    additionalPeerCertificateVerificationCallback: { leaf, channel in
                        channel.eventLoop.makeCompletedFuture {
                            guard try ShownCertificate(leaf).isFor(name) else {
                                throw NIOSSLExtraError.failedToValidateHostname
                            }
                        }
                    })
            case .key, nil:
                return try NIOSSLClientHandler(
                    context: context, serverHostname: name,
                    customVerificationCallback: { [trust] chain, verdict in
                        let leaf = chain.first.flatMap { try? ShownCertificate($0) }
                        if let leaf { shown(leaf) }
                        let isKnown = leaf.map { trust == .key($0.key) } ?? false
                        verdict.succeed(isKnown ? .certificateVerified : .failed)
                    })
            }
        } catch {
            throw ValetError(.notAllowed, "“\(host)” is no name of a server")
        }
    }
}

package enum TLSFailure {
    /// Whether a connection failed for its encryption, rather than for what is under it.
    package static func isReason(_ error: any Error) -> Bool {
        switch error {
        case let error as NIOSSLError: error != .uncleanShutdown && error != endedInHandshake
        case is NIOSSLExtraError, is BoringSSLError: true
        default: false
        }
    }

    private static let endedInHandshake = NIOSSLError.handshakeFailed(
        .sslError([.eofDuringHandshake]))

    /// For a person; nil for an error that is not of TLS.
    package static func words(of error: any Error) -> String? {
        switch error {
        case let error as NIOSSLError
        where error == .uncleanShutdown || error == endedInHandshake:
            "the server closed the connection"
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: "TLS failed: \(error)"
        default: nil
        }
    }
}

extension ShownCertificate {
    /// Why a client that trusts so does not believe that this is `host`.
    package func refusal(of host: String, trusting trust: ServerTrust) -> ValetError {
        let words =
            switch trust {
            case .system, .authorities: "\(doubt(about: host)). Its key is \(key)"
            case .key(let known):
                "its key is another now. It was \(known), and is \(key). If nobody told you so, "
                    + "somebody may listen in"
            }
        return ValetError(.notAllowed, "\(host) can't be trusted: \(words)")
    }
}
