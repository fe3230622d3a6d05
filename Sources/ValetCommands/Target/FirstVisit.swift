import Foundation
import ValetClient
import ValetModel
import ValetSecurity
import ValetTerminal

extension ServerAddress {
    /// Connects to a server that is known: by the authorities that are given, by its key, or by its
    /// name. A person at a terminal is asked about one for which nobody vouches, and that key is
    /// kept.
    /// - Parameters:
    ///   - asks: false while a screen is drawn.
    ///   - connect: nil is for a connection without TLS.
    func connect<Connected>(
        authorities: String?, asks: Bool = true,
        _ connect: (ServerTrust?) async throws(ValetError) -> Connected
    ) async throws -> Connected {
        guard isEncrypted else { return try await connect(nil) }
        if let authorities { return try await connect(.authorities(path: authorities)) }
        let known = try KnownServers().trust(at: self)
        do throws(ValetError) {
            return try await connect(known)
        } catch {
            guard error.code == .notAllowed else { throw error }
            guard known == .system, asks, FirstVisit.canAsk else {
                throw ValetError(
                    error.code, "\(error.message). If you know better: valet trust \(self)")
            }
            StandardStreams.warn(error.message)
            let shown = try await ValetConnection.certificate(host: host, port: port)
            try FirstVisit.ask(shown)
            try KnownServers().keep(shown.key, of: self)
            return try await connect(.key(shown.key))
        }
    }
}

extension TargetOptions {
    /// Asks about a server for which nobody vouches, before a screen is drawn. Whether it is there
    /// at all is left to the screen.
    func meetServer() async throws {
        guard case .server(let address, _) = try Target(target), address.isEncrypted,
            authorities == nil, try KnownServers().trust(at: address) == .system
        else { return }
        do {
            try await OpenTarget.with(self) { _ in }
        } catch let error as ValetError where error.isOfConnection {
            return
        }
    }
}

/// Asks a person whether a server is the one that was meant.
enum FirstVisit {
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// - Throws: `CancellationError` if it is not.
    static func ask(_ shown: ShownCertificate) throws {
        StandardStreams.say(
            """
            for   \(Sanitizer().line(of: shown.who)), until \(shown.lastDay)
            key   \(shown.key)
            valetd says its key when it starts. Trust this one from now on? [y/N] \

            """)
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw CancellationError() }
    }
}
