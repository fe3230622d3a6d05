import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Lists that have, by their conditions, some of the rows of their table.
@Suite struct ListedRowsTests {
    private static let catalog = """
        lists:
          - {name: cars}
          - {name: new, table: cars, conditions: [year >= 5, "make != gone"]}
        """

    private func file() throws -> WrittenDatabase {
        let file = try WrittenDatabase(catalog: Self.catalog)
        for year in 0..<10 {
            try file.send(.insert([.text("make \(year)"), .integer(Int64(year))]))
        }
        return file
    }

    /// What the database itself says that the list has.
    private func rows(
        _ file: WrittenDatabase, of list: String,
        where isNew: String = "year >= 5 AND make <> 'gone'"
    ) throws -> [Int64: [Cell]] {
        try file.rows("make, year", where: list == "new" ? isNew : "1")
    }

    @Test func aRowThatIsNotTheListsDoesNotExistThere() throws {
        let file = try file()
        let reader = try file.database.makeReader()
        for (id, isThere) in [(1 as Int64, false), (5, false), (6, true), (10, true), (11, false)] {
            #expect(try (reader.detail(list: 1, id: id) != nil) == isThere)
            let piece = try reader.piece(list: 1, id: id, column: 0, offset: 0, count: 9)
            #expect((piece != nil) == isThere)
            #expect(try file.history(of: 1, rowID: id).count == (isThere ? 1 : 0))
        }
        #expect(try reader.detail(list: 0, id: 1) != nil)
        #expect(try reader.rowCount(list: 0) == 10)
        #expect(try reader.rowCount(list: 1) == 5)
    }

    @Test func commandsReachTheListsRowsAlone() throws {
        let file = try file()
        for change in [Change.set(1, 0, .text("x")), .delete(1), .set(99, 0, .text("x"))] {
            let conflict = try #require(try file.send(change, list: "new").conflicts.first)
            #expect(conflict.theirs == .rowDeleted)
        }
        #expect(try file.send(.set(6, 0, .text("x")), list: "new").isApplied)
        let old: [Cell] = [.text("old"), .integer(4)]
        let refusal = try #require(try file.send(.insert(old), list: "new").refusal)
        #expect(refusal.hasPrefix("“new” has only rows that meet its conditions"))
        #expect(try file.send(.insert([.text("new"), .integer(5)]), list: "new").isApplied)
        // An update may take a row out of the list, and undo brings it back.
        #expect(try file.send(.set(6, 1, .integer(1)), list: "new").isApplied)
        #expect(try file.send(.set(6, 1, .integer(9)), list: "new").conflicts.count == 1)
        #expect(try file.send(.undo, list: "new").isApplied)
        #expect(try rows(file, of: "new")[6] == [.text("x"), .integer(5)])
        // What somebody else has taken out since is not told.
        #expect(try file.send(.set(6, 0, .text("gone")), from: .bert).isApplied)
        #expect(try file.send(.undo, list: "new").isApplied, "the insert")
        let conflict = try #require(try file.send(.undo, list: "new").conflicts.first)
        #expect(conflict.theirs == .rowDeleted)
    }

    /// A row that somebody else has taken out is neither changed nor told, by whatever way.
    @Test func undoReachesTheListsRowsAlone() throws {
        for isRedo in [false, true] {
            let file = try file()
            try file.send(.set(6, 0, .text("x")), list: "new")
            if isRedo { try file.send(.undo, list: "new") }
            let (make, old) = (isRedo ? "make 5" : "x", Cell.integer(1))
            try file.send(.set(6, 1, old), from: .bert)
            let turned = try file.send(isRedo ? .redo : .undo, list: "new")
            #expect(turned.conflicts.map(\.theirs) == [.rowDeleted])
            #expect(try rows(file, of: "cars")[6] == [.text(make), old])
        }
        let file = try file()
        try file.send(.set(6, 0, .text("x")), list: "new")
        try file.send(.set(6, 1, .integer(1)), from: .bert)
        let step = try #require(try file.outcome(.undo, list: "new").step)
        let forced = try file.send(.forceUndo(step: step), list: "new")
        #expect(forced.rest.map(\.theirs) == [.rowDeleted])
        #expect(try rows(file, of: "cars")[6] == [.text("x"), .integer(1)])
        // What somebody else does to another cell is not undone, also in a condition's column.
        try file.send(.set(8, 0, .text("y")), list: "new")
        try file.send(.set(8, 1, .integer(1_999)), from: .bert)
        #expect(try file.send(.undo, list: "new") == .applied(rowIDs: [8]))
        // Another program's row has the id of one that was deleted.
        try file.send(.delete(7), list: "new")
        try file.change("INSERT INTO cars (rowid, make, year) VALUES (7, 'secret', 0)")
        let next = try file.outcome(.undo, list: "new")
        #expect(next.verdict.conflicts.map(\.theirs) == [.rowDeleted])
        let delete = try #require(next.step)
        let rest = try file.send(.forceUndo(step: delete), list: "new").rest
        #expect(rest.map(\.theirs) == [.rowDeleted])
        #expect(try rows(file, of: "cars")[7] == [.text("secret"), .integer(0)])
    }

    /// Numbers of rows that are not in the list, and rows that refer to the list's.
    @Test func undoTakesBackACommandsChangesOfOtherRows() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, year INTEGER, place INTEGER,
              part INTEGER REFERENCES cars(id) ON DELETE CASCADE,
              pair INTEGER REFERENCES cars(id) ON DELETE SET NULL);
            CREATE INDEX places ON cars(place);
            \(numbers(to: 20)) INSERT INTO cars SELECT i, i, i, NULL, NULL FROM n;
            UPDATE cars SET part = 12 WHERE id IN (3, 12);
            UPDATE cars SET pair = 12 WHERE id = 4;
            """,
            catalog: """
                lists:
                  - {name: new, table: cars, position: place, conditions: [year >= 5]}
                """)
        func stored() throws -> [Int64: [Cell]] { try file.rows("year, place, part, pair") }
        let move = Change.move(rowIDs: [15], to: .behind(.init(rowID: 11)))
        for change in [move, .delete(12)] {
            let before = try stored()
            #expect(try file.send(change, list: "new").isApplied)
            let after = try stored()
            let others = before.filter { after[$0.key] != $0.value }
            #expect(others.count > 1, "other rows have changed, too")
            // No row of another list is named.
            let expected = Verdict.applied(rowIDs: [change == move ? 15 : 12])
            for (turn, rows) in [(Change.undo, before), (.redo, after), (.undo, before)] {
                #expect(try file.send(turn, list: "new") == expected)
                #expect(try stored() == rows)
            }
        }
        // With other conditions these rows still follow those of the list, and these alone.
        try file.send(.delete(12), list: "new")
        for (conditions, isTheLists) in [("year >= 15", false), ("year >= 6", true)] {
            let list = "{name: new, table: cars, position: place, conditions: [\(conditions)]}"
            try file.reopen(catalog: "lists: [\(list)]")
            let before = try stored()
            #expect(try file.send(.undo, list: "new").isApplied == isTheLists)
            #expect(try (stored() == before) != isTheLists)
        }
        // What somebody does to such a row meanwhile is not told.
        try file.send(.delete(12), list: "new")
        try file.change("UPDATE cars SET pair = 7 WHERE id = 4")
        let next = try file.outcome(.undo, list: "new")
        #expect(next.verdict.conflicts.map(\.theirs) == [.rowDeleted])
    }

    /// The list has other conditions since: what was done to a row that it has neither before nor
    /// after is neither taken back nor told.
    @Test(
        arguments: [.set(6, 0, .text("x")), .delete(6), .insert([.text("new"), .integer(7)])]
            as [Change], [false, true])
    func noTurnReachesRowsThatAreNoLongerTheLists(change: Change, isRedo: Bool) throws {
        let file = try file()
        try #require(try file.send(change, list: "new").isApplied)
        if isRedo { try #require(try file.send(.undo, list: "new").isApplied) }
        let stored = try rows(file, of: "cars")
        try changeConditions(of: file, to: "year < 5")
        let turned = try file.outcome(isRedo ? .redo : .undo, list: "new")
        #expect(turned.verdict.conflicts.map(\.theirs) == [.rowDeleted])
        #expect(try rows(file, of: "cars") == stored)
        guard let step = turned.step else { return }
        let forced = try file.send(.forceUndo(step: step), list: "new")
        // In the list an inserted row is gone, as the undo would have it.
        var isInsertion: Bool { if case .insert = change { true } else { false } }
        #expect(forced.rest.map(\.theirs) == (isInsertion ? [] : [.rowDeleted]))
        #expect(try rows(file, of: "cars") == stored)
    }

    @Test func theRowsThatAreStillTheListsAreTakenBack() throws {
        let file = try file()
        let both = Change.update([6, 10].map { RowEdit($0, 0, .text("x")) })
        try #require(try file.send(both, list: "new").isApplied)
        try changeConditions(of: file, to: "year >= 8")
        let turned = try file.outcome(.undo, list: "new")
        #expect(turned.verdict.conflicts.map(\.rowID) == [6])
        let step = try #require(turned.step)
        let forced = try file.send(.forceUndo(step: step), list: "new")
        #expect(forced.rest.map(\.rowID) == [6])
        let makes = try rows(file, of: "cars").mapValues { $0[0] }
        #expect([makes[6], makes[10]] == [.text("x"), .text("make 9")])
    }

    /// What a turn changes the list has before or after it, also when its conditions change.
    @Test(arguments: runSeeds(3))
    func randomTurnsStayWithinTheList(seed: UInt64) throws {
        let file = try file()
        var random = SeededNumbers(seed: seed)
        var filter = try changeConditions(of: file, &random)
        var turns = 0
        for _ in 0..<150 {
            if random.below(12) == 0 { filter = try changeConditions(of: file, &random) }
            let (make, year) = Self.cells(&random)
            let rowIDs = Set((0..<3).map { _ in Int64(1 + random.below(14)) })
            let cell =
                random.below(2) == 0
                ? ColumnValue(column: 0, value: make) : ColumnValue(column: 1, value: year)
            func edit(_ rowID: Int64) -> RowEdit { RowEdit(rowID, cell.column, cell.value) }
            let set = Change.update(rowIDs.map(edit))
            if random.below(4) == 0 { try file.send(set, from: .bert) }
            let new = try rows(file, of: "new", where: filter)
            let inList = rowIDs.filter { new[$0] != nil }
            var change: Change =
                switch random.below(8) {
                case 0: .insert([make, year])
                case 1: .delete(inList.map { RowDeletion(rowID: $0) })
                case 2: .update(inList.map(edit))
                case 3: .redo
                case _: .undo
                }
            if change == .undo, random.below(2) == 0,
                let step = try file.outcome(.undo, list: "new").step
            {
                change = .forceUndo(step: step)
            }
            let (all, before) = try (rows(file, of: "cars"), rows(file, of: "new", where: filter))
            let isApplied = try file.send(change, list: "new").isApplied
            let (allNow, after) = try (rows(file, of: "cars"), rows(file, of: "new", where: filter))
            let changed = Set(all.keys).union(allNow.keys).filter { all[$0] != allNow[$0] }
            let strange = changed.filter { before[$0] == nil && after[$0] == nil }
            #expect(strange.isEmpty, "\(change), \(filter), seed \(seed)")
            switch change {
            case .undo, .redo, .forceUndo: turns += isApplied && !changed.isEmpty ? 1 : 0
            default: break
            }
        }
        #expect(turns > 5, "seed \(seed)")
    }

    private static let makes = (0..<5).map { "make \($0)" } + ["gone"]

    private static func cells(_ random: inout SeededNumbers) -> (make: Cell, year: Cell) {
        (
            random.below(8) == 0 ? .null : .text(makes[random.below(makes.count)]),
            random.below(8) == 0 ? .null : .integer(Int64(random.below(10)))
        )
    }

    /// Conditions that some of the rows meet.
    private func changeConditions(
        of file: WrittenDatabase, _ random: inout SeededNumbers
    ) throws -> String {
        let all = try rows(file, of: "cars").count
        for _ in 0..<20 {
            let filter = RandomFilter(
                text: "make", of: Self.makes, number: "year", below: 10, &random)
            let count = try rows(file, of: "new", where: filter.sql).count
            guard count > 0 && count < all || all < 2 else { continue }
            try changeConditions(of: file, to: filter.entries)
            return filter.sql
        }
        try changeConditions(of: file, to: "year < 5")
        return "year < 5"
    }

    private func changeConditions(of file: WrittenDatabase, to conditions: String) throws {
        let list = "{name: new, table: cars, conditions: [\(conditions)]}"
        try file.reopen(catalog: "lists: [{name: cars}, \(list)]")
    }

    @Test func theLogOfAListSaysWhatItsRowsDid() throws {
        let file = try file()
        try file.send(.set(1, 0, .text("never seen")))
        try file.send(.set(1, 1, .integer(7)))
        try file.send(.set(1, 0, .text("seen")))
        try file.send(.set(1, 1, .integer(2)))
        try file.send(.delete(1))
        let effects = try file.history(of: 1, rowID: 1).compactMap(\.effect)
        #expect(effects.map(\.kind) == [.deleted, .updated, .inserted])
        #expect(effects[0].cells == [CellChange(column: 1, before: .integer(7), after: .null)])
        #expect(
            effects[1].cells
                == [CellChange(column: 0, before: .text("never seen"), after: .text("seen"))])
        #expect(effects[2].cells == [CellChange(column: 1, before: .null, after: .integer(7))])
        let feed = try file.database.makeReader().changes(
            FeedQuery(list: 1, logID: 7, after: LogPosition(revision: 0, place: 0), bytes: 1 << 20))
        #expect(feed.changes.compactMap(\.effect).suffix(3) == effects.reversed()[...])
        #expect(feed.changes.count == 5 + 3)
    }

    /// Random commands on a list of random conditions, and on all of its table: those on the list
    /// leave all other rows as they are, its log says what came of its rows, and no others are
    /// read or counted.
    @Test(arguments: runSeeds(3))
    func randomCommandsStayWithinTheList(seed: UInt64) throws {
        let file = try file()
        var random = SeededNumbers(seed: seed)
        var newest = LogPosition.end(of: try #require(file.batches.last).revision)
        var filter = try changeConditions(of: file, &random)
        for _ in 0..<100 {
            if random.below(12) == 0 { filter = try changeConditions(of: file, &random) }
            let place: Comment = "\(filter), seed \(seed)"
            let list = random.below(3) == 0 ? "cars" : "new"
            let rowID = Int64(1 + random.below(14))
            let (make, year) = Self.cells(&random)
            let change: Change =
                switch random.below(5) {
                case 0: .insert([make, year])
                case 1: .delete(rowID)
                case 2: .set(rowID, 0, make)
                case _: .set(rowID, 1, year)
                }
            let (all, new) = try (rows(file, of: "cars"), rows(file, of: "new", where: filter))
            let verdict = try file.send(change, list: list)
            let (allNow, newNow) = try (
                rows(file, of: "cars"), rows(file, of: "new", where: filter)
            )
            if list == "new" {
                let others = all.filter { new[$0.key] == nil }
                #expect(allNow.filter { others[$0.key] != nil } == others, place)
                if case .insert = change {
                    #expect(verdict.isApplied == (allNow.count > all.count), place)
                    #expect(newNow.count - new.count == allNow.count - all.count, place)
                } else {
                    #expect(verdict.isApplied == (new[rowID] != nil), place)
                    let told = verdict.conflicts.map(\.theirs)
                    #expect(told == (new[rowID] == nil ? [.rowDeleted] : []), place)
                }
            }
            var expected: [Int64: RowEffect.Kind] = [:]
            for id in Set(new.keys).union(newNow.keys) where new[id] != newNow[id] {
                expected[id] =
                    new[id] == nil ? .inserted : newNow[id] == nil ? .deleted : .updated
            }
            let reader = try file.database.makeReader()
            let passage = try reader.changes(
                FeedQuery(list: 1, logID: 7, after: newest, bytes: 1 << 20))
            newest = passage.end
            let effects = passage.changes.compactMap(\.effect)
            let logged = Dictionary(uniqueKeysWithValues: effects.map { ($0.rowID, $0.kind) })
            #expect(logged == expected, place)
            #expect(try reader.rowCount(list: 1) == newNow.count, place)
            for id in allNow.keys {
                #expect(try reader.detail(list: 1, id: id) == newNow[id], place)
            }
        }
    }
}
