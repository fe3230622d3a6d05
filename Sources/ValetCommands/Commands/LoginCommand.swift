import ArgumentParser
import Foundation
import ValetClient
import ValetModel
import ValetSecurity
import ValetTerminal

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Store a token or certificate for a server that asks.",
        discussion: """
            The token comes from whoever runs the server (valetd token add). It is asked for, or \
            read from standard input, so that it is in no history of a shell; tried at the server; \
            and kept in $XDG_CONFIG_HOME/valet/credentials, or ~/.config/valet/credentials, for \
            \(Credentials.variable) in the environment to come before it.

            Of a certificate, the server knows the key (valetd token add NAME --certificate FILE). \
            The paths of both files are kept.
            """)

    @Argument(help: "valets://HOST[:PORT].")
    var server: String

    @Option(
        name: .customLong("ca"),
        help: "Certificates in PEM form, one of which must vouch for the server.",
        completion: .file())
    var authorities: String?

    @Option(
        help: "A certificate in PEM form, instead of a token. Needs --key.", completion: .file())
    var certificate: String?

    @Option(help: "The certificate's key, in PEM form.", completion: .file())
    var key: String?

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together.")
        }
    }

    func run() async throws {
        let address = try serverAddress(server)
        guard address.isEncrypted || certificate == nil && HostAddress.isOfThisMachine(address.host)
        else {
            throw CommandFailure(
                .usage,
                certificate == nil
                    ? "others could read a token on its way: write valets:// for valet://"
                    : "a certificate is shown over TLS only: write valets:// for valet://")
        }
        let credential = try credential()
        do {
            try await check(credential, at: address)
        } catch let error as ValetError where error.code == .unauthenticated {
            // A server sees a new token within a second.
            try await Task.sleep(for: .seconds(1))
            try await check(credential, at: address)
        }
        try Credentials().keep(credential, for: address)
        let what = credential.token == nil ? "where the certificate is" : "the token"
        StandardStreams.say("stored \(what) for \(address)\n")
    }

    private func credential() throws -> Credential {
        if let certificate, let key {
            return .certificate(path: Self.absolute(certificate), keyPath: Self.absolute(key))
        }
        let text =
            isatty(STDIN_FILENO) == 1
            ? try HiddenLine.read(prompt: "token: ") : readLine(strippingNewline: true) ?? ""
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let token = AccessToken(String(words[0])) else {
            throw CommandFailure(
                .invalidValue, "that is no token: it looks like valet- and 43 characters")
        }
        return .token(token)
    }

    private static func absolute(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path
    }

    private func check(_ credential: Credential, at address: ServerAddress) async throws {
        let me = StationIdentity.load(name: try Settings.load().station)
        let connection = try await Servers(address).connect(authorities: authorities) {
            (turns) throws(ValetError) in
            try await turns.connect { (address, trust) throws(ValetError) in
                try await ValetConnection.connect(
                    host: address.host, port: address.port, station: me, trust: trust,
                    credential: credential)
            }
        }
        await connection.close()
    }
}

struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Forget the token or certificate for a server.")

    @Argument(help: "valets://HOST[:PORT].")
    var server: String

    func run() throws {
        let address = try serverAddress(server)
        let credentials = Credentials()
        guard try credentials.isKept(for: address) else {
            throw CommandFailure(.notFound, "nothing is stored for \(address)")
        }
        try credentials.keep(nil, for: address)
        StandardStreams.say("forgot what was stored for \(address)\n")
    }
}

private func serverAddress(_ text: String) throws(CommandFailure) -> ServerAddress {
    guard case .server(let servers, _) = try Target(text), let address = servers.only else {
        throw CommandFailure(.usage, "“\(text)” is not one server: write valets://HOST")
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
