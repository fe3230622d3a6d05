import ArgumentParser
import Foundation
import ValetClient
import ValetModel
import ValetTerminal

/// What a command works on: servers, a SQLite file, a CSV file to look at, or the
/// gallery.
package enum Target: Equatable, Sendable {
    case server(Servers, list: String?)
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
        case "valet": self = try Self.server(text, isEncrypted: false)
        case "valets": self = try Self.server(text, isEncrypted: true)
        case .some: throw Self.noAddress(text)
        case nil: self = Self.isCSV(text) ? .csv(path: text) : .file(path: text)
        }
    }

    /// The file that the rows are of; nil for those of a server or the gallery.
    var path: String? {
        switch self {
        case .file(let path), .csv(let path): path
        case .server, .demo: nil
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
                + "valet://HOST:PORT/LIST, or valets:// for TLS. The nodes of a cluster are "
                + "valet://HOST,HOST,HOST/LIST")
    }

    /// Several hosts stand between commas.
    private static func server(
        _ text: String, isEncrypted: Bool
    ) throws(CommandFailure) -> Target {
        guard let start = text.utf8.firstRange(of: "://".utf8)?.upperBound else {
            throw noAddress(text)
        }
        let end = text.utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        let hosts = text[start..<end].split(separator: ",", omittingEmptySubsequences: false)
        guard hosts.count <= Servers.most else {
            throw CommandFailure(.usage, "at most \(Servers.most) servers can be named")
        }
        var addresses: [ServerAddress] = []
        var list = ""
        for host in hosts {
            let read = try server(
                of: String(text[..<start] + host + text[end...]), isEncrypted: isEncrypted)
            addresses.append(read.address)
            list = read.list
        }
        guard let servers = Servers(addresses) else { throw noAddress(text) }
        return .server(servers, list: list.isEmpty ? nil : list)
    }

    private static func server(
        of text: String, isEncrypted: Bool
    ) throws(CommandFailure) -> (address: ServerAddress, list: String) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), parts.user == nil,
            parts.query == nil, parts.fragment == nil,
            (1...65_535).contains(parts.port ?? ValetConnection.standardPort)
        else { throw noAddress(text) }
        let address = ServerAddress(
            host: host.filter { $0 != "[" && $0 != "]" },
            port: parts.port ?? ValetConnection.standardPort, isEncrypted: isEncrypted)
        return (address, String(parts.path.dropFirst()))
    }
}

/// Where a server listens.
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: Int
    package var isEncrypted: Bool

    package init(host: String = "127.0.0.1", port: Int, isEncrypted: Bool = false) {
        (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
    }

    /// What a key is kept for.
    var place: String { "\(host.lowercased()):\(port)" }

    /// As a target.
    package var description: String {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return "\(isEncrypted ? "valets" : "valet")://\(host):\(port)"
    }
}

struct TargetOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "valet://HOST[:PORT][/LIST], or valets:// for TLS (a cluster's nodes: "
                + "valet://HOST,HOST,HOST), a SQLite file, or a CSV file to look at (- is stdin)."),
        completion: .file())
    var target: String

    @Option(help: "The list, if there are several.", completion: NameCompletion.lists)
    var list: String?

    @Option(help: "A YAML catalog for a file.", completion: .file())
    var catalog: String?

    @Option(
        name: .customLong("ca"),
        help: "Certificates in PEM form, one of which must vouch for a valets:// server.",
        completion: .file())
    var authorities: String?

    @Option(
        name: .customLong("as"), parsing: .unconditional,
        help: "The name that others see; each name has its own undo.")
    var station: String?

    init() {}

    init(
        target: String, catalog: String? = nil, authorities: String? = nil, station: String? = nil
    ) {
        list = nil
        (self.target, self.catalog, self.authorities) = (target, catalog, authorities)
        self.station = station
    }

    func validate() throws {
        // Others would take the changes of a nameless station for another program's.
        if station?.isEmpty == true { throw ValidationError("--as takes a name.") }
    }

    /// The station's name, if a person has chosen one. A change is never made under another name
    /// than the chosen one; what only reads goes on without it.
    func stationName(changesRows: Bool) throws -> String? {
        if let station { return station }
        do {
            return try Settings.load().station
        } catch {
            guard !changesRows else { throw error }
            let reason = Sanitizer().lines(of: "\(error)")
            StandardStreams.say("valet: \(reason)\nvalet: reading goes on without settings\n")
            return nil
        }
    }
}
