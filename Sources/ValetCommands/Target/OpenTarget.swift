import Foundation
import Logging
import NIOPosix
import ValetClient
import ValetModel
import ValetServer
import ValetStore
import ValetTerminal

/// A connection to a target, with the server inside this program when the target is a file.
struct OpenTarget: Sendable {
    let connection: ValetConnection
    /// The list that the target names.
    let list: String?
    private let server: ValetServer?

    static func open(_ options: TargetOptions) async throws -> OpenTarget {
        switch try Target(options.target) {
        case .server(let host, let port, let list):
            if options.catalog != nil {
                throw CommandFailure(.usage, "--catalog is for files; a server has its own")
            }
            let connection = try await ValetConnection.connect(
                host: host, port: port, station: StationIdentity.load())
            return OpenTarget(connection: connection, list: options.list ?? list, server: nil)
        case .file(let path):
            return try await open(file: path, options)
        }
    }

    private static func open(file path: String, _ options: TargetOptions) async throws -> OpenTarget
    {
        try requireFile(path)
        if let catalog = options.catalog { try requireFile(catalog) }
        var serverOptions = ServerOptions(
            path: path, catalogPath: options.catalog,
            epoch: UInt64.random(in: 1...UInt64.max))
        serverOptions.connectionLimit = 1
        FreedMemory.giveBack()
        let server = try await ValetServer(
            serverOptions, group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "valet") { _ in SwiftLogNoOpLogHandler() })
        var ends: [CInt] = [0, 0]
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = CInt(SOCK_STREAM.rawValue)
        #endif
        guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else {
            throw CommandFailure(
                .failed, "can't make a socket: \(String(cString: strerror(errno)))")
        }
        try await server.serve(connectedSocket: ends[0])
        let connection = try await ValetConnection.adopt(
            connectedSocket: ends[1], station: StationIdentity.load())
        return OpenTarget(connection: connection, list: options.list, server: server)
    }

    func close() async {
        await connection.close()
        await server?.stop()
    }

    /// Runs `body` with the target open, and closes it after.
    static func with<Result>(
        _ options: TargetOptions, _ body: (OpenTarget) async throws -> Result
    ) async throws -> Result {
        let open = try await open(options)
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
    func view(_ question: Question) async throws -> ValetView {
        try await view(of: chosenList(), question)
    }

    /// Opens a view. If that takes long, a terminal shows how far it is.
    func view(of list: ListDescription, _ question: Question) async throws -> ValetView {
        let line = ProgressLine.standardError
        defer { line.end() }
        let view = try await connection.openView(list: list.name, question) {
            line.show("building \($0 / 10) %")
        }
        try list.check(columns: view.summary.columns)
        return view
    }

    /// The list to work on; several and none named is a usage error with the names.
    func chosenList() async throws -> ListDescription {
        let (catalog, _) = try await connection.catalog(countingRows: false)
        if let list { return try catalog.list(named: list) }
        guard let first = catalog.lists.first else {
            throw CommandFailure(.notFound, "the database has no tables, so there is no list")
        }
        guard catalog.lists.count == 1 else {
            throw CommandFailure(
                .usage, "there are several lists; name one with --list",
                alternatives: catalog.lists.map(\.name))
        }
        return first
    }
}
