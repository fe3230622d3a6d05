import ValetArrangement
import ValetModel

/// Orders of rows: made, asked, and changed.
extension MicroBench {
    /// Places all over the list: more than a processor's nearest memory holds.
    private static let placeCount = 1 << 16

    func orders() throws -> [Measurement] {
        var random = SeededNumbers(seed: plan.seed, index: -20)
        let places = (0..<Self.placeCount).map { _ in random.below(cache.rowCount) }
        func place(_ turn: Int) -> Int { places[turn % Self.placeCount] }
        // What a search that finds all rows does: no sorting, no sections.
        var flat = specification
        flat.isFlat = true
        let year = cache.position(ofColumn: "year")
        var now = byModel
        return [
            try timer.measure("sort", "sort all rows by model and year") { _ in
                try Arrangement(sorting: cache, by: specification, numbers: numbers).rowCount
            },
            try timer.measure("tree", "build the tree of a known order") { _ in
                try Arrangement(
                    restricting: rows.arrangement, to: nil, as: flat, numbers: numbers
                ).rowCount
            },
            try timer.measure("position", "place in the list to row", batch: 1_000) { turn in
                Int(rows.rowID(at: place(turn)))
            },
            try timer.measure("locate", "row to place in the list", batch: 1_000) { turn in
                rows.locate(Int64(1 + place(turn)))?.ordinal ?? 0
            },
            try timer.measure("window", "rows, sections and pages of a window", batch: 100) {
                turn in
                let window = rows.window(
                    at: .ordinal(place(turn)), rowsBefore: 0, rows: BenchPlan.rowsPerWindow)
                return (window?.runs.count ?? 0) + (window?.leaves.count ?? 0)
            },
            try timer.measure("index", "first letters of all sections") { _ in
                rows.index(most: Limits.titlesPerIndex).count
            },
            // Each change applies to the result of the one before.
            try timer.measure("edit", "change a row: it moves in its section", batch: 20) { turn in
                let cells = [year: Cell.integer(Int64(1_950 + turn % 70))]
                let change = RowChange.update(rowID: Int64(1 + place(turn)), cells: cells)
                now = now.applying([change], revision: now.revision + 1) ?? now
                return Int(now.revision)
            },
        ]
    }
}
