import TestSupport
import Testing
import ValetServer

/// A served database of a test's own, which other programs may change.
struct ServedFile {
    fileprivate let path: String

    func change(_ sql: String) throws { try TemporaryFolder.change(path, sql) }

    func number(_ sql: String) throws -> Int64 { try TemporaryFolder.number(path, sql) }

    func integers(_ sql: String) throws -> [Int64] {
        try TemporaryFolder.integers(in: path, sql)
    }

    func vacuum() throws { try TemporaryFolder.vacuum(path) }

    func locking(_ body: () throws -> Void) throws { try TemporaryFolder.locking(path, body) }
}

/// Serves a file.
func serve(
    _ path: String, _ adjust: (inout ServerOptions) -> Void = { _ in },
    _ body: (Int) async throws -> Void
) async throws {
    let server = try await TestServer(path, adjust)
    do {
        try await body(server.port)
    } catch {
        await server.server.stop()
        throw error
    }
    await server.server.stop()
}

/// Serves a file to a client.
///
/// - Parameter catalog: the text of a catalog file, which is put into `folder`.
/// - Parameter credit: of the client's hello; nil if it says hello itself.
func serve(
    _ path: String, catalog: String? = nil, credit: Int? = 1 << 20,
    in folder: TemporaryFolder = TemporaryFolder(),
    _ adjust: (inout ServerOptions) -> Void = { _ in },
    _ body: (RuleClient, ServedFile) async throws -> Void
) async throws {
    try await serve(path) { options in
        options.catalogPath = catalog.map { folder.write($0, to: "catalog.yaml") }
        adjust(&options)
    } _: { port in
        let client = try RuleClient(port: port)
        if let credit { try client.greet(credit: credit) }
        try await body(client, ServedFile(path: path))
    }
    withExtendedLifetime(folder) {}
}

/// Serves cars: make, model and year, ten makes.
///
/// - Parameter catalog: the text of a catalog file.
func serveCars(
    _ rows: Int = 200, havePhotos: Bool = false, catalog: String? = nil, credit: Int? = 1 << 20,
    in folder: TemporaryFolder = TemporaryFolder(),
    _ adjust: (inout ServerOptions) -> Void = { _ in },
    _ body: (RuleClient, ServedFile) async throws -> Void
) async throws {
    let path = try folder.cars(rows, havePhotos: havePhotos)
    try await serve(path, catalog: catalog, credit: credit, in: folder, adjust, body)
}

func serveCars(
    _ rows: Int = 200, catalog: String? = nil, credit: Int? = 1 << 20,
    _ adjust: (inout ServerOptions) -> Void = { _ in }, _ body: (RuleClient) async throws -> Void
) async throws {
    try await serveCars(rows, catalog: catalog, credit: credit, adjust) { client, _ in
        try await body(client)
    }
}

/// Serves what SQL makes.
///
/// - Parameter catalog: the text of a catalog file.
func serveSQL(
    _ sql: String, catalog: String? = nil, credit: Int? = 1 << 20,
    in folder: TemporaryFolder = TemporaryFolder(),
    _ adjust: (inout ServerOptions) -> Void = { _ in },
    _ body: (RuleClient, ServedFile) async throws -> Void
) async throws {
    let path = try folder.database(sql)
    try await serve(path, catalog: catalog, credit: credit, in: folder, adjust, body)
}

func serveSQL(
    _ sql: String, catalog: String? = nil, credit: Int? = 1 << 20,
    _ body: (RuleClient) async throws -> Void
) async throws {
    try await serveSQL(sql, catalog: catalog, credit: credit) { client, _ in
        try await body(client)
    }
}

/// The server ends the connection of a client for what it sends.
///
/// - Parameter isGreeted: whether the client has said hello before.
func expectsServerToLeave(
    _ code: Int, isGreeted: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    _ send: (RuleClient) throws -> Void
) async throws {
    try await serveCars(10, credit: isGreeted ? 1 << 20 : nil) { client in
        try send(client)
        try client.expectEnd(code, sourceLocation: sourceLocation)
    }
}
