import Foundation
import Logging
import NIOPosix
import ValetClient
import ValetModel
import ValetServer
import ValetStore
import ValetTerminal

/// A target with this program as a station at it. When the target is a file, the server is inside
/// this program.
struct OpenTarget: Sendable {
    let station: ValetStation
    /// The first one.
    let connection: ValetConnection
    /// The list that the target names.
    let list: String?
    private let server: ValetServer?
    /// Files that go when nobody uses them.
    private let files: (any AnyObject & Sendable)?

    /// - Parameters:
    ///   - attempts: how many times in a row the station connects again.
    ///   - changesRows: whether rows may be changed. If not, settings that can't be read are no
    ///     reason to stop.
    ///   - imported: what the target's CSV files became, if that is known.
    ///   - asks: whether a person may be asked about the server: false while a screen is drawn.
    static func open(
        _ options: TargetOptions, attempts: Int = Limits.attemptsOfScripts,
        changesRows: Bool, imported: ImportedFiles? = nil, asks: Bool = true
    ) async throws -> OpenTarget {
        let me = StationIdentity.load(name: try options.stationName(changesRows: changesRows))
        let epoch = UInt64.random(in: 1...UInt64.max)
        var served: ServerOptions
        if options.authorities != nil {
            guard case .server(let servers, _) = try Target(options.target), servers.areEncrypted
            else { throw CommandFailure(.usage, "--ca is for servers at valets://") }
        }
        var files: (any AnyObject & Sendable)?
        switch try Target(options.target) {
        case .server(let servers, let list):
            if options.catalog != nil {
                throw CommandFailure(.usage, "--catalog is for files; a server has its own")
            }
            let station = try await servers.connect(authorities: options.authorities, asks: asks) {
                (turns) throws(ValetError) in
                try await ValetStation.connect(attempts: attempts) { () throws(ValetError) in
                    try await turns.connect { (address, trust) throws(ValetError) in
                        // Read each time: another may have been stored meanwhile.
                        try await ValetConnection.connect(
                            host: address.host, port: address.port, station: me, trust: trust,
                            credential: Credentials().credential(for: address))
                    }
                }
            }
            return try OpenTarget(station, list: options.list ?? list)
        case .file(let path):
            try requireFile(path)
            if let catalog = options.catalog { try requireFile(catalog) }
            served = ServerOptions(path: path, catalogPath: options.catalog, epoch: epoch)
        case .csv:
            if let catalog = options.catalog { try requireFile(catalog) }
            let imported = try imported ?? ImportedFiles.make(of: [options.target])
            files = imported
            served = ServerOptions(
                path: imported.databasePath, catalogPath: options.catalog, epoch: epoch)
            served.readOnlyReason = "CSV files are read-only (“valet import” makes tables of them)"
        case .demo(let sections):
            if options.catalog != nil {
                throw CommandFailure(.usage, "--catalog is for files; the gallery has its own")
            }
            let gallery = try Gallery(sections: sections)
            files = gallery
            served = ServerOptions(
                path: gallery.databasePath, catalogPath: gallery.catalogPath, epoch: epoch)
        }
        // The next connection may come before the last one is forgotten.
        served.connectionLimit = 2
        FreedMemory.giveBack()
        let server = try await ValetServer(
            served, group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "valet") { _ in SwiftLogNoOpLogHandler() })
        let station = try await ValetStation.connect(attempts: attempts) {
            () throws(ValetError) in
            try await connect(to: server, as: me)
        }
        return try OpenTarget(station, list: options.list, server: server, files: files)
    }

    private init(
        _ station: ValetStation, list: String?, server: ValetServer? = nil,
        files: (any AnyObject & Sendable)? = nil
    ) throws {
        guard let connection = station.connection else {
            throw ValetError(.shuttingDown, "the server closed the connection")
        }
        self.station = station
        self.connection = connection
        self.list = list
        self.server = server
        self.files = files
    }

    private static func connect(
        to server: ValetServer, as station: Station
    ) async throws(ValetError) -> ValetConnection {
        var ends: [CInt] = [0, 0]
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = CInt(SOCK_STREAM.rawValue)
        #endif
        guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else {
            throw ValetError(.timedOut, "can't make a socket: \(String(cString: strerror(errno)))")
        }
        do {
            try await server.serve(connectedSocket: ends[0])
        } catch {
            throw error as? ValetError ?? ValetError(.timedOut, "can't serve a socket: \(error)")
        }
        return try await ValetConnection.adopt(connectedSocket: ends[1], station: station)
    }

    func close() async {
        await station.close()
        await server?.stop()
    }

    /// Runs `body` with the target open, and closes it after.
    static func with<Result>(
        _ options: TargetOptions, attempts: Int = Limits.attemptsOfScripts,
        changesRows: Bool = false, _ body: (OpenTarget) async throws -> Result
    ) async throws -> Result {
        let open = try await open(options, attempts: attempts, changesRows: changesRows)
        do {
            let result = try await body(open)
            await open.close()
            return result
        } catch {
            await open.close()
            throw error
        }
    }

    /// Opens a view of the chosen list.
    func view(_ options: QueryOptions, isPinned: Bool = false) async throws -> ValetView {
        let list = try await chosenList()
        return try await view(of: list, options.query(of: list), isPinned: isPinned)
    }

    /// Opens a view. If that takes long, a terminal shows how far it is; and if nothing is found,
    /// what may have been meant otherwise.
    /// - Parameters:
    ///   - columns: those that its rows carry; empty for all.
    ///   - isPinned: for a scan of several windows or answers.
    func view(
        of list: ListDescription, _ query: Query, columns: [Int] = [], isPinned: Bool = false
    ) async throws -> ValetView {
        let line = ProgressLine.standardError
        defer { line.end() }
        // Titles behind their keys; without any, there is no need to name all columns.
        let hasTitles = list.storedColumns.count < list.columns.count
        let columns = columns.isEmpty && hasTitles ? list.orderedColumns : columns
        let view = try await connection.openView(
            list: list.name, columns: columns.map { list.columns[$0].name }, query,
            isPinned: isPinned
        ) {
            line.show("building \($0 / 10) %")
        }
        try list.check(columns: view.summary.columns)
        if view.summary.totalRows == 0, isatty(STDERR_FILENO) == 1 {
            for hint in query.conditions.compactMap({ $0.hint(in: list.columns) }) {
                StandardStreams.say("valet: " + Sanitizer().lines(of: hint) + "\n")
            }
        }
        return view
    }

    /// The list to work on; several and none named is a usage error with the names.
    func chosenList() async throws -> ListDescription {
        let (catalog, _) = try await connection.catalog(countingRows: false)
        if let list { return try catalog.list(named: list) }
        guard let first = catalog.lists.first else {
            throw CommandFailure(.notFound, catalog.reasonForNoLists)
        }
        guard catalog.lists.count == 1 else {
            throw CommandFailure(
                .usage, "there are several lists; name one with --list",
                alternatives: catalog.lists.map(\.name))
        }
        return first
    }
}
