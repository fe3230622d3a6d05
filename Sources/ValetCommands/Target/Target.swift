import ArgumentParser
import Foundation
import ValetClient
import ValetModel

/// What a command works on: a server's address, a SQLite file, a CSV file to look at, or the
/// gallery.
package enum Target: Equatable, Sendable {
    case server(host: String, port: Int, list: String?)
    case file(path: String)
    /// `-` is standard input.
    case csv(path: String)
    /// The gallery.
    case demo(GallerySections)

    package init(_ text: String) throws(CommandFailure) {
        if text.hasPrefix("demo:") {
            self = .demo(try GallerySections(text.dropFirst("demo:".count)))
            return
        }
        switch Self.scheme(of: text) {
        case "valet": self = try Self.server(text)
        case "valets":
            throw CommandFailure(
                .usage, "“\(text)”: encrypted connections are not supported yet; use valet://")
        case .some: throw Self.noAddress(text)
        case nil: self = Self.isCSV(text) ? .csv(path: text) : .file(path: text)
        }
    }

    private static func isCSV(_ path: String) -> Bool {
        let name = path.lowercased()
        return path == "-" || [".csv", ".tsv", ".tab"].contains(where: name.hasSuffix)
    }

    /// What stands before `://`, if it is a word. By bytes: what stands behind a slash may form one
    /// character with it.
    private static func scheme(of text: String) -> String? {
        guard let end = text.utf8.firstRange(of: "://".utf8)?.lowerBound else { return nil }
        let scheme = text[..<end]
        return !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && $0.isLetter }
            ? scheme.lowercased() : nil
    }

    private static func noAddress(_ text: String) -> CommandFailure {
        CommandFailure(
            .usage,
            "“\(text)” is no address: write valet://HOST, valet://HOST:PORT or "
                + "valet://HOST:PORT/LIST")
    }

    private static func server(_ text: String) throws(CommandFailure) -> Target {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.query == nil, parts.fragment == nil,
            (1...65_535).contains(parts.port ?? ValetConnection.standardPort)
        else { throw noAddress(text) }
        let list = parts.path.dropFirst()
        let plainHost = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return .server(
            host: plainHost, port: parts.port ?? ValetConnection.standardPort,
            list: list.isEmpty ? nil : String(list))
    }
}

struct TargetOptions: ParsableArguments {
    @Argument(
        help: "valet://HOST[:PORT][/LIST], a SQLite file, or a CSV file to look at (- is stdin).",
        completion: .file())
    var target: String

    @Option(help: "The list, if there are several.")
    var list: String?

    @Option(help: "A YAML catalog for a file.", completion: .file())
    var catalog: String?

    @Option(
        name: .customLong("as"), parsing: .unconditional,
        help: "The name that others see; each name has its own undo.")
    var station: String?

    func validate() throws {
        // Others would take the changes of a nameless station for another program's.
        if station?.isEmpty == true { throw ValidationError("--as takes a name.") }
    }
}
