import ValetClient
import ValetModel

/// A server that is measured, its rows, and how much is asked of it. The parts of a bench are its
/// extensions.
struct ServedBench: Sendable {
    let plan: BenchPlan
    let server: any LoadServer
    /// The database that it serves.
    let file: String
    let rows: Int

    /// Those of the seed for one purpose.
    func numbers(_ index: Int) -> SeededNumbers { SeededNumbers(seed: plan.seed, index: index) }

    /// Where a whole window begins.
    func anyPlace(_ numbers: inout SeededNumbers) -> Int {
        numbers.below(rows - BenchPlan.rowsPerWindow)
    }

    /// Runs `body` as a station of its own.
    func connected<Result>(
        as number: UInt64, _ body: (ValetConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await server.address.connect(as: number)
        return try await Bench.ending({ await connection.close() }) { try await body(connection) }
    }

    /// Runs `body` as a station of its own that has a list open.
    func viewing<Result>(
        as number: UInt64, _ grouping: String?, of list: String = Bench.list,
        _ body: (ValetConnection, ValetView) async throws -> Result
    ) async throws -> Result {
        try await connected(as: number) { connection in
            let view = try await connection.openView(list: list, Query(grouping: grouping))
            return try await body(connection, view)
        }
    }

    func statistics() async throws -> ServerStatistics {
        try await connected(as: 991) { try await $0.statistics() }
    }
}

extension ValetView {
    /// Until the exact count and the first rows are here.
    /// - Returns: the count.
    @discardableResult
    func ask(_ query: Query) async throws -> Int {
        let found = try await rearrange(query).totalRows
        _ = try await window(at: .ordinal(0), rows: BenchPlan.rowsPerWindow)
        return found
    }
}

extension Bench {
    /// Runs `body`, and then `end` whatever comes.
    static func ending<Result>(
        _ end: () async -> Void, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body()
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }

    /// Opens a view and requests its first window without waiting in between, as a terminal does.
    /// The view closes when it is released, so the caller retains it to keep it open.
    static func open(
        _ list: String, _ grouping: String?, on connection: ValetConnection
    ) async throws -> ValetView {
        let view = connection.startView(list: list, Query(grouping: grouping)) { _ in }
        _ = try await view.window(at: .ordinal(0), rows: BenchPlan.rowsPerWindow)
        return view
    }

    /// The default, those that tell most about a server's work, and what else the catalog suggests.
    static func groupings(_ connection: ValetConnection) async throws -> [String] {
        let list = try await connection.catalog(countingRows: false).catalog.list(named: list)
        let known = list.groupings.map(\.name)
        let wanted = ["model", "year", "parked", "make", "owner_last"].filter { name in
            list.columns.contains { $0.name == name }
        }
        let names = known.prefix(1) + wanted
        return names + known.filter { !names.contains($0) }
    }
}
