import ArgumentParser
import ValetClient
import ValetModel
import ValetSecurity
import ValetTerminal

struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Trust a valets:// server by its key from now on.",
        discussion: """
            valetd says its key when it starts; it looks like SHA256: and 43 characters. Given \
            here, it is compared with the one that the server shows. Without it, a person at a \
            terminal is asked. Keys are kept in $XDG_STATE_HOME/valet/servers, or \
            ~/.local/state/valet/servers.
            """)

    @Argument(help: "valets://HOST[:PORT].")
    var server: String

    @Argument(help: "The key that the server must have.")
    var key: String?

    func run() async throws {
        guard case .server(let servers, _) = try Target(server), let address = servers.only,
            address.isEncrypted
        else { throw CommandFailure(.usage, "“\(server)” is not one server at valets://") }
        let expected = try key.map { text in
            guard let key = KeyFingerprint(text) else {
                throw CommandFailure(
                    .usage, "“\(text)” is no key: it looks like SHA256: and 43 characters")
            }
            return key
        }
        let shown = try await ValetConnection.certificate(host: address.host, port: address.port)
        if let expected {
            guard shown.key == expected else {
                throw ValetError(.notAllowed, "\(address) has another key: \(shown.key)")
            }
        } else if FirstVisit.canAsk {
            try FirstVisit.ask(shown)
        } else {
            throw CommandFailure(.usage, "nobody can be asked here: name the key after the server")
        }
        try KnownServers().keep(shown.key, of: address)
        StandardStreams.say("trusted: \(address) \(shown.key)\n")
    }
}
