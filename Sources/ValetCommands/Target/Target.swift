import ArgumentParser
import Foundation
import ValetClient
import ValetModel

/// What a command works on: a server's address, or a SQLite file.
enum Target: Equatable {
    case server(host: String, port: Int, list: String?)
    case file(path: String)

    init(_ text: String) throws(CommandFailure) {
        if text.hasPrefix("valets://") {
            throw CommandFailure(
                .usage, "“\(text)”: encrypted connections are not there yet; use valet://")
        }
        if text == "demo:" {
            throw CommandFailure(
                .usage, "the gallery is not there yet; Scripts/demo has lists to try")
        }
        guard text.hasPrefix("valet://") else {
            self = .file(path: text)
            return
        }
        self = try Self.server(text)
    }

    private static func server(_ text: String) throws(CommandFailure) -> Target {
        let usage = CommandFailure(
            .usage,
            "“\(text)” is no address: write valet://HOST, valet://HOST:PORT or "
                + "valet://HOST:PORT/LIST")
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.query == nil, parts.fragment == nil,
            (1...65_535).contains(parts.port ?? ValetConnection.standardPort)
        else { throw usage }
        let list = parts.path.dropFirst()
        let plainHost = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return .server(
            host: plainHost, port: parts.port ?? ValetConnection.standardPort,
            list: list.isEmpty ? nil : String(list))
    }
}

struct TargetOptions: ParsableArguments {
    @Argument(help: "valet://HOST[:PORT][/LIST], or the path of a SQLite file.")
    var target: String

    @Option(help: "Which list, when there are several.")
    var list: String?

    @Option(help: "A YAML catalog, when the target is a file.")
    var catalog: String?
}
