import Foundation
import ValetClient
import ValetModel
import ValetSecurity
import ValetTerminal

extension Servers {
    /// Connects to servers that are known: by the authorities that are given, by their keys, or by
    /// their names. A person at a terminal is asked about those for which nobody vouches, and their
    /// keys are kept.
    /// - Parameters:
    ///   - authorities: the path of certificates.
    ///   - asks: false while a screen is drawn.
    func connect<Connected>(
        authorities: String?, asks: Bool = true,
        _ connect: (ServerTurns) async throws(ValetError) -> Connected
    ) async throws -> Connected {
        let turns = ServerTurns(self, authorities: authorities)
        do throws(ValetError) {
            return try await connect(turns)
        } catch {
            guard error.code == .notAllowed, areEncrypted, authorities == nil else { throw error }
            let strangers = try strangers
            guard !strangers.isEmpty, asks, FirstVisit.canAsk else {
                throw ValetError(
                    error.code,
                    "\(error.message). If you know better: valet trust \(addresses[0])")
            }
            StandardStreams.warn(error.message)
            for stranger in strangers {
                do {
                    try await FirstVisit.meet(stranger)
                } catch let error as ValetError where error.isOfConnection && only == nil {
                    // It is met when it is there.
                    continue
                }
            }
            return try await connect(turns)
        }
    }

    /// Those whose keys nobody has told.
    var strangers: [ServerAddress] {
        get throws(ValetError) {
            guard areEncrypted else { return [] }
            var strangers: [ServerAddress] = []
            for address in addresses where try KnownServers().trust(at: address) == .system {
                strangers.append(address)
            }
            return strangers
        }
    }
}

extension TargetOptions {
    /// Asks about servers for which nobody vouches, before a screen is drawn. Whether they are
    /// there at all is left to the screen.
    func meetServer() async throws {
        guard case .server(let servers, _) = try Target(target), authorities == nil,
            try !servers.strangers.isEmpty
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

    /// Asks about a server's key, and keeps it.
    static func meet(_ address: ServerAddress) async throws {
        let shown = try await ValetConnection.certificate(host: address.host, port: address.port)
        try ask(shown)
        try KnownServers().keep(shown.key, of: address)
    }

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
