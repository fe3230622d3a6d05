import ValetArrangement
import ValetModel

/// Changes of rows while ten groupings and ten searches are shown: what a commit costs its list's
/// keeper.
extension MicroBench {
    func edits() throws -> [Measurement] {
        let bases = groupings()
        let searches = searches(of: bases)
        let empty = Snapshot(revision: 0, cache: cache, numbers: LeafNumbers())
        let shown = try Self.showing(searches, of: Self.showing(bases, of: empty))
        let batch = BenchPlan.editsPerBatch
        return [
            try Measurement(
                "micro.edit.shown", "change a row that 20 orders show",
                of: changes(shown, inBatchesOf: 1, index: -30), .microseconds),
            Measurement(
                "micro.edit.first", "the same, first after a search",
                try firstAfter(searches, shown)),
            try Measurement(
                "micro.edit.batch", "the same, a row of a batch of \(batch)",
                of: changes(shown, inBatchesOf: batch, index: -32), .microseconds,
                samples: plan.edits),
        ]
    }

    /// Each search is made again before each change.
    private func firstAfter(
        _ searches: [ArrangementSpecification], _ shown: Snapshot
    ) throws -> Latencies {
        var times = Latencies()
        var edits = RandomEdits(seed: plan.seed, index: -31, of: cache)
        for _ in 0..<max(1, plan.edits / 256) {
            for search in searches {
                let now = try Self.showing([search], of: shown.removing(search))
                let change = edits.next(fromStart: true)
                try times.time { _ = try Self.changed(now, by: [change]) }
            }
        }
        return times
    }

    /// - Returns: the microseconds that a row of each batch took.
    private func changes(
        _ shown: Snapshot, inBatchesOf size: Int, index: Int
    ) throws -> [Double] {
        var now = shown
        var edits = RandomEdits(seed: plan.seed, index: index, of: cache)
        return try (0..<plan.edits / size).map { _ in
            let changes = (0..<size).map { _ in edits.next() }
            let start = ContinuousClock.now
            now = try Self.changed(now, by: changes)
            return (.now - start) / .microseconds(1) / Double(size)
        }
    }

    private static func changed(
        _ snapshot: Snapshot, by changes: [RowChange]
    ) throws(ValetError) -> Snapshot {
        guard let changed = snapshot.applying(changes, revision: snapshot.revision + 1) else {
            throw ValetError(.notAllowed, "a random change does not fit the rows")
        }
        return changed
    }

    private static func showing(
        _ specifications: [ArrangementSpecification], of snapshot: Snapshot
    ) throws -> Snapshot {
        try specifications.reduce(snapshot) { snapshot, specification in
            try snapshot.building(specification).reduce(snapshot) { $0.adding($1) }
        }
    }

    /// By every column but the fuel, so that some changes move no row.
    private func groupings() -> [ArrangementSpecification] {
        func grouping(
            _ column: String?, _ expression: SectionExpression, isDescending: Bool = false,
            _ order: [String], isNewestFirst: Bool = false
        ) -> ArrangementSpecification {
            ArrangementSpecification(
                sectionColumn: column.map(cache.position), expression: expression,
                isDescending: isDescending,
                rowOrder: order.map {
                    SortKey(column: cache.position(ofColumn: $0), isDescending: isNewestFirst)
                })
        }
        return [
            grouping("make", .wholeValue, ["model", "year"]),
            grouping("model", .wholeValue, ["year"]),
            grouping("year", .wholeValue, isDescending: true, ["make", "model"]),
            grouping("owner_last", .wholeValue, ["owner_first"]),
            grouping("parked", .hourOfDay, isDescending: true, ["parked"], isNewestFirst: true),
            grouping("parked", .day, isDescending: true, ["parked"], isNewestFirst: true),
            grouping("make", .firstLetter, ["make", "model"]),
            grouping("owner_last", .firstLetter, ["owner_last", "owner_first"]),
            grouping("owner_first", .wholeValue, ["owner_last"]),
            grouping(nil, .none, ["model"]),
        ]
    }

    /// One search in each order: some find most rows, others few.
    private func searches(of bases: [ArrangementSpecification]) -> [ArrangementSpecification] {
        let needles = [
            ("make", "o"), ("make", "ford"), ("model", "a"), ("model", "c"), ("model", "s"),
            ("owner_last", "e"), ("owner_last", "er"), ("owner_last", "son"), ("owner_first", "a"),
            ("owner_first", "ann"),
        ]
        return zip(bases, needles).map { base, needle in
            var specification = base
            let test = TextTest(
                text: needle.1, columns: [cache.position(ofColumn: needle.0)], match: .contains)
            specification.filter = Filter([test].compactMap { $0.map(FilterTest.text) })
            return specification
        }
    }
}

/// Changes that fit the rows as those before have left them.
private struct RandomEdits {
    private var random: SeededNumbers
    private let cache: ColumnCache
    private var lastID: Int64 = 1 << 32
    private var inserted: [Int64] = []
    private var deleted: Set<Int64> = []

    init(seed: UInt64, index: Int, of cache: ColumnCache) {
        random = SeededNumbers(seed: seed, index: index)
        self.cache = cache
    }

    /// - Parameter fromStart: whether it must fit the first rows.
    mutating func next(fromStart: Bool = false) -> RowChange {
        if fromStart { (inserted, deleted) = ([], []) }
        switch random.below(4) {
        case 0: return insert()
        case 1: return delete()
        case 2:
            return .update(
                rowID: row(), cells: [column("fuel"): .real(Double(random.below(900)) / 10)])
        default: return .update(rowID: row(), cells: key())
        }
    }

    private func column(_ name: String) -> Int { cache.position(ofColumn: name) }

    private mutating func row() -> Int64 {
        while true {
            let id = cache.rowID(of: UInt32(random.below(cache.slotCount)))
            if !deleted.contains(id) { return id }
        }
    }

    private mutating func key() -> [Int: Cell] {
        switch random.below(4) {
        case 0: [column("year"): .integer(Int64(1_950 + random.below(70)))]
        case 1: [column("parked"): .integer(Int64(1_770_000_000 + random.below(9_000_000)))]
        case 2: [column("model"): copied("model")]
        default: [column("owner_last"): .text("Owner \(random.below(1_000_000))")]
        }
    }

    private mutating func copied(_ name: String) -> Cell {
        let column = cache.column(column(name))
        guard case .text(let code) = column[UInt32(random.below(cache.slotCount))],
            let text = column.dictionary.text(code)
        else { return .null }
        return .text(text)
    }

    private mutating func insert() -> RowChange {
        lastID += 1
        inserted.append(lastID)
        return .insert(
            rowID: lastID,
            cells: [
                column("make"): copied("make"), column("model"): copied("model"),
                column("year"): .integer(Int64(1_950 + random.below(70))),
                column("fuel"): .real(Double(random.below(900)) / 10),
                column("parked"): .integer(1_780_000_000 + lastID % 100_000),
                column("owner_first"): copied("owner_first"),
                column("owner_last"): copied("owner_last"),
            ])
    }

    private mutating func delete() -> RowChange {
        if random.below(2) == 0, let id = inserted.popLast() { return .delete(rowID: id) }
        let id = row()
        deleted.insert(id)
        return .delete(rowID: id)
    }
}
