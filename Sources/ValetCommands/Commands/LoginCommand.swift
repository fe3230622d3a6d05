import ArgumentParser
import Foundation
import ValetClient
import ValetModel
import ValetSecurity
import ValetTerminal

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Store a token for a server that asks for one.",
        discussion: """
            The token comes from whoever runs the server (valetd token add). It is asked for, or \
            read from standard input, so that it is in no history of a shell; tried at the server; \
            and kept in $XDG_CONFIG_HOME/valet/credentials, or ~/.config/valet/credentials, for \
            \(Credentials.variable) in the environment to come before it.
            """)

    @Argument(help: "valets://HOST[:PORT].")
    var server: String

    @Option(
        name: .customLong("ca"),
        help: "Certificates in PEM form, one of which must vouch for the server.",
        completion: .file())
    var authorities: String?

    func run() async throws {
        let address = try serverAddress(server)
        guard address.isEncrypted || HostAddress.isOfThisMachine(address.host) else {
            throw CommandFailure(
                .usage, "others could read a token on its way: write valets:// for valet://")
        }
        let text =
            isatty(STDIN_FILENO) == 1
            ? try HiddenLine.read(prompt: "token: ") : readLine(strippingNewline: true) ?? ""
        guard let token = AccessToken(text.trimmingCharacters(in: .whitespaces)) else {
            throw CommandFailure(
                .invalidValue, "that is no token: it looks like valet- and 43 characters")
        }
        do {
            try await check(token, at: address)
        } catch let error as ValetError where error.code == .unauthenticated {
            // A server sees a new token within a second.
            try await Task.sleep(for: .seconds(1))
            try await check(token, at: address)
        }
        try Credentials().keep(token, for: address)
        StandardStreams.say("stored the token for \(address)\n")
    }

    private func check(_ token: AccessToken, at address: ServerAddress) async throws {
        let me = StationIdentity.load(name: try Settings.load().station)
        let connection = try await address.connect(authorities: authorities) {
            (trust) throws(ValetError) in
            try await ValetConnection.connect(
                host: address.host, port: address.port, station: me, trust: trust, token: token)
        }
        await connection.close()
    }
}

struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Forget the token for a server.")

    @Argument(help: "valets://HOST[:PORT].")
    var server: String

    func run() throws {
        let address = try serverAddress(server)
        let credentials = Credentials()
        guard try credentials.isKept(for: address) else {
            throw CommandFailure(.notFound, "no token is stored for \(address)")
        }
        try credentials.keep(nil, for: address)
        StandardStreams.say("forgot the token for \(address)\n")
    }
}

private func serverAddress(_ text: String) throws(CommandFailure) -> ServerAddress {
    guard case .server(let address, _) = try Target(text) else {
        throw CommandFailure(.usage, "“\(text)” is no server: write valets://HOST")
    }
    return address
}

/// Reads a line from the terminal that is not shown.
enum HiddenLine {
    /// - Throws: `CancellationError` at Ctrl-C and Ctrl-D.
    static func read(prompt: String) throws -> String {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw CancellationError() }
        var hidden = before
        // Keys that would stop the program come as bytes: it must not leave the terminal so.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            StandardStreams.say("\n")
        }
        StandardStreams.say(prompt)
        var line: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            guard Foundation.read(STDIN_FILENO, &byte, 1) == 1 else { throw CancellationError() }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                return String(decoding: line, as: UTF8.self)
            case 3, 4: throw CancellationError()
            case 8, 127: _ = line.popLast()
            default: if line.count < 1_024 { line.append(byte) }
            }
        }
    }
}
