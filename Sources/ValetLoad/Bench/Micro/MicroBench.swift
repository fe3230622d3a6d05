import ValetArrangement
import ValetModel
import ValetStore
import ValetTerminal

/// The operations in memory that a server is made of, on the rows of the file.
struct MicroBench {
    let plan: BenchPlan
    let file: String

    private static let columns = [
        "make", "model", "year", "fuel", "parked", "owner_first", "owner_last",
    ]

    func measure() throws -> [Measurement] {
        ProgressLine.standardError.begin("bench: operations in memory")
        let timer = MicroTimer(seconds: plan.secondsPerOperation)
        let database = try Database(path: file)
        let list = try database.catalog.position(ofList: Bench.list)
        let columns = database.catalog.lists[list].columns
        let reader = try database.makeReader()
        let cache = try readIn(list, columns, reader)
        let orders = try OrderMicro(plan: plan, timer: timer, cache: cache)
        var measurements = try orders.measure()
        measurements += try EditMicro(plan: plan, cache: cache).measure()
        let cells = try PageCells(list: list, columns: columns.count, ids: orders.page, reader)
        measurements += try PageMicro(timer: timer, cells: cells).measure()
        let needles = try Needles(
            file: file, table: Bench.list, seed: plan.seed, rows: cache.rowCount)
        return measurements
            + (try TextMicro(plan: plan, timer: timer, cache: cache, needles: needles).measure())
    }

    private func readIn(
        _ list: Int, _ columns: [ColumnDescription], _ reader: Reader
    ) throws(ValetError) -> ColumnCache {
        var wanted: [Int] = []
        for name in Self.columns {
            guard let column = columns.firstIndex(where: { $0.name == name }) else {
                throw ValetError(.unknownColumn, "“\(file)” has no column “\(name)”")
            }
            wanted.append(column)
        }
        var builder = ColumnCacheBuilder(descriptions: columns, wanted: wanted)
        try reader.scan(list: list, columns: wanted) { row in
            builder.beginRow(row.id)
            for position in wanted.indices { builder.append(row[position], to: position) }
        }
        return builder.finish()
    }
}

extension ColumnCache {
    /// The number of a column that was read in.
    func position(ofColumn name: String) -> Int {
        guard let position = descriptions.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no column \(name) was read in")
        }
        return position
    }
}
