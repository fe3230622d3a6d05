import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What the log says of changes, page by page.
@Suite struct HistoryTests {
    /// What must have happened to the rows between two states.
    private static func effects(
        from old: [Int64: [Cell]], to new: [Int64: [Cell]]
    ) -> Set<RowEffect> {
        let nothing: [Cell] = [.null, .null]
        return Set(
            Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.map { rowID in
                let kind: RowEffect.Kind =
                    old[rowID] == nil ? .inserted : new[rowID] == nil ? .deleted : .updated
                let cells = zip(old[rowID] ?? nothing, new[rowID] ?? nothing).enumerated()
                    .filter { kind != .updated || $1.0 != $1.1 }
                    .map { CellChange(column: $0, before: $1.0, after: $1.1) }
                return RowEffect(kind: kind, rowID: rowID, cells: cells)
            })
    }

    @Test(arguments: runSeeds(3))
    func entriesAreTheDifferencesOfStates(seed: UInt64) throws {
        let file = try WrittenDatabase(WrittenDatabase.carsAndBoats)
        var random = SeededNumbers(seed: seed)
        let lists = ["cars", "boats"]
        var states: [String: [[Int64: [Cell]]]] = ["cars": [[:]], "boats": [[:]]]
        var commits: [(revision: UInt64, station: String)] = []
        for _ in 0..<60 {
            let list = lists[random.below(2)]
            let there = states[list]?.last?.keys.sorted().filter { _ in random.below(2) == 0 } ?? []
            let station = random.below(2) == 0 ? Station.anna : .bert
            let make = Cell.text("é\(random.below(5))")
            let change: Change =
                switch random.below(5) {
                case 0, 1:
                    .insert(
                        (0...random.below(3)).map { _ in
                            [
                                ColumnValue(column: 0, value: make),
                                ColumnValue(column: 1, value: .integer(Int64(random.below(2)))),
                            ]
                        })
                case 2 where !there.isEmpty: .update(there.map { RowEdit($0, 0, make) })
                case 3 where !there.isEmpty:
                    .delete(there.prefix(1).map { RowDeletion(rowID: $0) })
                case _: random.below(2) == 0 ? .undo : .redo
                }
            let command = file.command(change, list: list, from: station)
            commits.append((try file.commit([command])[0].get().revision, station.name))
            for list in lists { states[list]?.append(try file.rows("make, year", of: list)) }
            if random.below(20) == 0 { try file.reopen() }
        }
        for name in lists {
            let states = try #require(states[name])
            let list = try file.database.list(name)
            let all = try file.history(of: list)
            for (commit, (old, new)) in zip(commits, zip(states, states.dropFirst())) {
                let entries = all.filter { $0.position.revision == commit.revision }
                #expect(
                    Set(entries.compactMap(\.effect)) == Self.effects(from: old, to: new),
                    "seed \(seed)")
                #expect(entries.map(\.position.place) == entries.indices.reversed())
                #expect(entries.allSatisfy { $0.station == commit.station })
            }
            let counts = zip(states, states.dropFirst()).map {
                Self.effects(from: $0, to: $1).count
            }
            #expect(all.count == counts.reduce(0, +))
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.position > $1.position })
            let most = 1 + random.below(4)
            #expect(try file.history(of: list, pages: most) == all, "seed \(seed)")
            for rowID in Set(all.compactMap { $0.effect?.rowID }) {
                #expect(
                    try file.history(of: list, rowID: rowID, pages: most)
                        == all.filter { $0.effect?.rowID == rowID }, "seed \(seed)")
            }
        }
    }

    @Test func aFileWithoutALogHasNoHistory() throws {
        let folder = TemporaryFolder()
        let database = try Database(path: folder.database(WrittenDatabase.cars))
        let history = try database.makeReader().history(HistoryQuery(list: 0, most: 256))
        #expect(history == History(changes: [], hasMore: false))
    }

    @Test func columnsThatAreGoneAreLeftOut() throws {
        let file = try WrittenDatabase("CREATE TABLE cars (make TEXT, gone TEXT, year INTEGER)")
        try file.send(.insert([.text("BMW"), .text("x"), .integer(1)]))
        try file.send(.set(1, 1, .text("y")))
        try file.send(.set(1, 2, .integer(2)))
        try file.change("ALTER TABLE cars DROP COLUMN gone; ALTER TABLE cars ADD COLUMN new TEXT")
        try file.reopen()
        for rowID in [nil, 1] as [Int64?] {
            let cells = try file.history(rowID: rowID, pages: 2).map { $0.effect?.cells }
            #expect(
                cells == [
                    [CellChange(column: 1, before: .integer(1), after: .integer(2))], [],
                    [
                        CellChange(column: 0, before: .null, after: .text("BMW")),
                        CellChange(column: 1, before: .null, after: .integer(1)),
                    ],
                ])
        }
    }

    @Test func longValuesAreCutAndPagesHaveASize() throws {
        let names = (0..<20).map { "c\($0)" }
        let file = try WrittenDatabase("CREATE TABLE cars (\(names.joined(separator: ",")))")
        let long = Cell.text(String(repeating: "x", count: 300))
        let row = names.indices.map { ColumnValue(column: $0, value: long) }
        try file.send(.insert(Array(repeating: row, count: 100)))
        let page = try file.database.makeReader().history(HistoryQuery(list: 0, most: 256))
        #expect(page.hasMore && (10..<100).contains(page.changes.count))
        let cut = Cell.cutText(String(repeating: "x", count: 256), byteCount: 300)
        #expect(page.changes[0].effect?.cells.first?.after == cut)
        #expect(try file.history().count == 100)
    }

    @Test func anEffectThatIsNotKeptEndsIt() throws {
        let file = try WrittenDatabase(makes: "BMW")
        for year in 1...4 { try file.send(.set(1, 1, .integer(Int64(year)))) }
        let newest = try #require(file.batches.last).revision
        try file.change("DELETE FROM _valet_entries WHERE revision < \(newest - 1)")
        for rowID in [nil, 1] as [Int64?] {
            let query = HistoryQuery(list: 0, rowID: rowID, most: 9)
            let page = try file.database.makeReader().history(query)
            #expect(page.changes.map(\.position.revision) == [newest, newest - 1])
            #expect(!page.hasMore)
        }
    }

    @Test func aRowsHistoryStopsLooking() throws {
        let file = try WrittenDatabase(after: .insert([.text("BMW")], [.text("Fiat")]))
        try file.send(.set(2, 1, .integer(0)))
        let middle = try #require(file.batches.last).revision
        let edits = (1...Limits.commandsPerHistory + 1).map {
            file.command(.set(1, 1, .integer(Int64($0))))
        }
        try file.commit(edits)
        // The position is none of the row's, so its newer entries must be walked.
        let before = LogPosition(revision: middle, place: 0)
        let query = HistoryQuery(list: 0, rowID: 1, before: before, most: 9)
        let page = try file.database.makeReader().history(query)
        #expect(page == History(changes: [], hasMore: true))
    }

    @Test func otherListsEntriesCostNothing() throws {
        let file = try WrittenDatabase(WrittenDatabase.carsAndBoats)
        try file.send(.insert([.text("Ketch"), .integer(2)]), list: "boats")
        let edits = (1...Limits.commandsPerHistory + 1).map {
            file.command(.insert([.text("BMW"), .integer(Int64($0) + 1)]))
        }
        try file.commit(edits)
        #expect(try file.history(of: file.database.list("boats")).count == 1)
    }
}
