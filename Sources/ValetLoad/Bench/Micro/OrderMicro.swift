import ValetArrangement
import ValetModel

/// Orders of rows: made, changed, and asked.
struct OrderMicro {
    private let timer: MicroTimer
    private let specification: ArrangementSpecification
    private let snapshot: Snapshot
    private let rows: ArrangedRows
    private let numbers: LeafNumbers
    /// Places all over the list: more than a processor's nearest memory holds.
    private let places: [Int]
    private let year: Int

    private static let placeCount = 1 << 16

    init(plan: BenchPlan, timer: MicroTimer, cache: ColumnCache) throws {
        self.timer = timer
        year = cache.position(ofColumn: "year")
        specification = ArrangementSpecification(
            sectionColumn: cache.position(ofColumn: "model"), expression: .wholeValue,
            rowOrder: [SortKey(column: year)])
        numbers = LeafNumbers()
        let arrangement = try Arrangement(sorting: cache, by: specification, numbers: numbers)
        snapshot = Snapshot(revision: 0, cache: cache, numbers: numbers).adding(arrangement)
        rows = ArrangedRows(
            cache: cache, arrangement: arrangement,
            titles: SectionTitles(template: nil, indexTitles: .firstLetter))
        var random = SeededNumbers(seed: plan.seed, index: -20)
        places = (0..<Self.placeCount).map { _ in random.below(cache.rowCount) }
    }

    /// The rows of a page in the middle of the list.
    var page: [Int64] {
        let first = rows.rowCount / 2
        return (first..<first + Limits.rowsPerLeaf).map { rows.rowID(at: $0) }
    }

    func measure() throws -> [Measurement] {
        [try sort(), try tree()] + lookups() + [edit()]
    }

    // MARK: - The whole list

    private func sort() throws -> Measurement {
        try timer.measure("sort", "sort all rows by model and year") { _ in
            try Arrangement(sorting: snapshot.cache, by: specification, numbers: numbers).rowCount
        }
    }

    /// What a search that finds all rows does: no sorting, no sections.
    private func tree() throws -> Measurement {
        var flat = specification
        flat.isFlat = true
        return try timer.measure("tree", "build the tree of a known order") { _ in
            try Arrangement(restricting: rows.arrangement, to: nil, as: flat, numbers: numbers)
                .rowCount
        }
    }

    // MARK: - One row

    private func place(_ turn: Int) -> Int { places[turn % Self.placeCount] }

    private func lookups() -> [Measurement] {
        [
            timer.measure("position", "place in the list to row", batch: 1_000) { turn in
                Int(rows.rowID(at: place(turn)))
            },
            timer.measure("locate", "row to place in the list", batch: 1_000) { turn in
                rows.locate(Int64(1 + place(turn)))?.ordinal ?? 0
            },
            timer.measure("window", "rows, sections and pages of a window", batch: 100) { turn in
                let window = rows.window(
                    at: .ordinal(place(turn)), rowsBefore: 0, rows: BenchPlan.rowsPerWindow)
                return (window?.runs.count ?? 0) + (window?.leaves.count ?? 0)
            },
            timer.measure("index", "first letters of all sections") { _ in
                rows.index(most: Limits.titlesPerIndex).count
            },
        ]
    }

    /// Each change applies to the result of the one before.
    private func edit() -> Measurement {
        var now = snapshot
        return timer.measure("edit", "change a row: it moves in its section", batch: 20) {
            turn in
            let change = RowChange.update(
                rowID: Int64(1 + place(turn)),
                cells: [year: .integer(Int64(1_950 + turn % 70))])
            now = now.applying([change], revision: now.revision + 1) ?? now
            return Int(now.revision)
        }
    }
}
