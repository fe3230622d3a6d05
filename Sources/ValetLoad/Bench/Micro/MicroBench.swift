import ValetArrangement
import ValetModel
import ValetStore

/// The operations in memory that a server is made of, on the rows of the file.
struct MicroBench {
    let plan: BenchPlan
    let file: String
    let timer: MicroTimer
    let cache: ColumnCache
    /// The rows by model and year.
    let specification: ArrangementSpecification
    let byModel: Snapshot
    let rows: ArrangedRows
    let numbers = LeafNumbers()
    /// The cells of a page in the middle.
    let page: PageCells

    private static let columns = [
        "make", "model", "year", "fuel", "parked", "owner_first", "owner_last",
    ]

    init(plan: BenchPlan, file: String) throws {
        self.plan = plan
        self.file = file
        timer = MicroTimer(seconds: plan.secondsPerOperation)
        let database = try Database(path: file)
        let list = try database.catalog.position(ofList: Bench.list)
        let columns = database.catalog.lists[list].columns
        let reader = try database.makeReader()
        let wanted = try Self.columns.map { name in
            guard let column = columns.firstIndex(where: { $0.name == name }) else {
                throw ValetError(.unknownColumn, "“\(file)” has no column “\(name)”")
            }
            return column
        }
        var builder = ColumnCacheBuilder(descriptions: columns, wanted: wanted)
        var rowCount: Int64 = 0
        var isNumbered = true
        try reader.scan(list: list, columns: wanted) { row in
            rowCount += 1
            if row.id != rowCount { isNumbered = false }
            builder.beginRow(row.id)
            for position in wanted.indices { builder.append(row[position], to: position) }
        }
        guard isNumbered else {
            throw ValetError(
                .notAllowed,
                "the rows of “\(file)” must be numbered from 1 on without gaps to measure single "
                    + "operations: valet-load generate makes such a file")
        }
        cache = builder.finish()
        specification = ArrangementSpecification(
            sectionColumn: cache.position(ofColumn: "model"), expression: .wholeValue,
            rowOrder: [SortKey(column: cache.position(ofColumn: "year"))])
        let arrangement = try Arrangement(sorting: cache, by: specification, numbers: numbers)
        byModel = Snapshot(revision: 0, cache: cache, numbers: numbers).adding(arrangement)
        rows = ArrangedRows(
            cache: cache, arrangement: arrangement,
            titles: SectionTitles(template: nil, indexTitles: .firstLetter))
        let (rows, first) = (rows, rows.rowCount / 2)
        page = try PageCells(
            list: list, columns: columns.count,
            ids: (first..<first + Limits.rowsPerLeaf).map { rows.rowID(at: $0) }, reader)
    }

    func measure() throws -> [Measurement] {
        try orders() + edits() + pages() + texts()
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

/// Times what is too short for a clock: many turns at a time, again and again.
struct MicroTimer {
    let seconds: Double

    private static let fewestBatches = 5
    private static let mostBatches = 500

    /// - Parameters:
    ///   - batch: turns between two readings of the clock.
    ///   - body: one turn. The sum of all results is checked, because the compiler removes work
    ///     whose result is unused.
    /// - Throws: `ValetError`, when there was nothing to do.
    func measure(
        _ id: String, _ name: String, batch: Int = 1, _ body: (_ turn: Int) throws -> Int
    ) throws -> Measurement {
        var sum = 0
        // Warms the caches up, and the tables that are made when they are first used.
        for turn in 0..<batch { sum &+= try body(turn) }
        var means: [Double] = []
        let end = ContinuousClock.now + .seconds(seconds)
        var turn = 0
        while means.count < Self.fewestBatches
            || means.count < Self.mostBatches && .now < end
        {
            let start = ContinuousClock.now
            for _ in 0..<batch {
                sum &+= try body(turn)
                turn += 1
            }
            means.append((.now - start) / .microseconds(1) / Double(batch))
        }
        guard sum != 0 else {
            throw ValetError(.notAllowed, "nothing in the file to measure “\(name)” with")
        }
        return Measurement("micro.\(id)", name, of: means, .microseconds, samples: turn)
    }
}
