import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Rows that are moved by hand.
@Suite struct MoveTests {
    private static let catalog = """
        lists:
          - name: blocks
            position: place
            groupings:
              - {name: By hand, order: manual}
              - {name: Colour, column: colour, section: wholeValue, order: manual}
              - {name: Letter, column: colour, section: firstLetter, order: manual}
              - {name: Names, column: name, section: firstLetter}
        """

    /// Blocks with these positions, ids from 1, red and blue by turns.
    private func blocks(_ positions: String...) throws -> WrittenDatabase {
        let rows = positions.enumerated().map { index, position in
            "('\(index + 1)', '\(index % 2 == 0 ? "red" : "blue")', \(position))"
        }
        return try blocks(inserting: "VALUES \(rows.joined(separator: ","))")
    }

    private func blocks(
        inserting rows: String, type: String = "INTEGER", catalog: String = MoveTests.catalog
    ) throws -> WrittenDatabase {
        try WrittenDatabase(
            """
            CREATE TABLE blocks (name TEXT, colour TEXT, place \(type));
            CREATE INDEX blocks_by_place ON blocks (place);
            INSERT INTO blocks \(rows)
            """, catalog: catalog)
    }

    @Test func newRowsComeBehindThoseOfAnotherProgram() throws {
        let file = try blocks("10", "20")
        #expect(try file.send(.insert([.text("3")]), list: "blocks").isApplied)
        // Another program knows nothing of the order.
        try file.change("INSERT INTO blocks (name) VALUES ('4')")
        #expect(try file.send(.insert([.text("5")]), list: "blocks").isApplied)
        #expect(try order(file) == [1, 2, 3, 4, 5])
        #expect(try move(file, 1, to: behind(4)).isApplied)
        #expect(try order(file) == [2, 3, 4, 1, 5])
    }

    private func order(_ file: WrittenDatabase) throws -> [Int64] {
        try file.query("SELECT rowid FROM blocks ORDER BY place IS NULL, place, rowid")
            .compactMap { Int64($0[0]) }
    }

    private func move(
        _ file: WrittenDatabase, _ rowIDs: Int64..., to destination: MoveDestination,
        from station: Station = .anna
    ) throws -> Verdict {
        try file.send(.move(rowIDs: rowIDs, to: destination), list: "blocks", from: station)
    }

    private func behind(
        _ rowID: Int64, seen: UInt64? = nil, joining: String? = nil
    ) -> MoveDestination {
        .behind(.init(rowID: rowID, seen: seen, joining: joining))
    }

    @Test func rowsGoWhereTheyAreMoved() throws {
        let file = try blocks("10", "20", "30", "40")
        #expect(try move(file, 4, to: behind(1)) == .applied(rowIDs: [4]))
        #expect(try order(file) == [1, 4, 2, 3])
        #expect(try move(file, 3, 1, to: .first).isApplied)
        #expect(try order(file) == [3, 1, 4, 2])
        #expect(try move(file, 3, to: .last).isApplied)
        #expect(try move(file, 2, 4, to: .before(.init(rowID: 1))).isApplied)
        #expect(try order(file) == [2, 4, 1, 3])
        let colours = try file.query("SELECT colour FROM blocks ORDER BY rowid").map { $0[0] }
        #expect(colours == ["red", "blue", "red", "blue"])
    }

    @Test func aNeighbourThatIsElsewhereIsAConflict() throws {
        let file = try blocks("10", "20", "30", "40")
        #expect(try file.send(.set(2, 0, .text("two")), list: "blocks", from: .bert).isApplied)
        #expect(try move(file, 4, to: behind(2, seen: 0)).isApplied, "another cell")
        #expect(try move(file, 2, to: .last, from: .bert).isApplied)
        let late = try move(file, 3, to: behind(2, seen: 2))
        let change = Conflict(
            rowID: 2, theirs: .rowChanged, station: "Bert", time: file.time - 1_000)
        #expect(late.conflicts == [change])
        #expect(try move(file, 3, to: behind(2, seen: 3)).isApplied)
        #expect(try move(file, 3, to: .first).isApplied && move(file, 1, to: behind(2)).isApplied)
        // Moved away and back.
        #expect(try file.send(.undo, list: "blocks").isApplied)
        #expect(try move(file, 4, to: behind(1, seen: 0)).isApplied)
        #expect(try file.send(.delete(2), list: "blocks", from: .bert).isApplied)
        #expect(try move(file, 3, to: behind(2)).conflicts.map(\.theirs) == [.rowDeleted])
        #expect(try move(file, 3, 2, to: .first).conflicts.map(\.rowID) == [2])
    }

    @Test func aNeighbourThatMadeRoomIsWhereItWas() throws {
        let file = try blocks("1", "2", "3", "4")
        #expect(try move(file, 4, to: behind(1)).isApplied)
        #expect(try file.query("SELECT place FROM blocks WHERE rowid = 3") != [["3"]])
        #expect(try move(file, 2, to: behind(3, seen: 0)).isApplied)
        #expect(try order(file) == [1, 4, 3, 2])
    }

    @Test func aMovedRowJoinsTheSectionOfItsNeighbour() throws {
        let file = try blocks("10", "20", "30", "40")
        func colour(_ rowID: Int64) throws -> String {
            try file.query("SELECT colour FROM blocks WHERE rowid = \(rowID)")[0][0]
        }
        #expect(try move(file, 1, 3, to: behind(4, joining: "colour")).isApplied)
        #expect(try colour(1) == "blue" && colour(3) == "blue" && order(file) == [2, 4, 1, 3])
        #expect(try file.send(.undo, list: "blocks").isApplied)
        #expect(try colour(1) == "red" && order(file) == [1, 2, 3, 4])
        // Another spelling is no other section.
        try file.change("UPDATE blocks SET colour = 'RED' WHERE rowid = 3")
        #expect(try move(file, 1, to: behind(3, joining: "Colour")).isApplied)
        #expect(try colour(1) == "red")
        // The neighbour has left the section that was seen.
        let revision = try #require(file.batches.last).revision
        let recolour = Change.set(3, 1, .text("blue"))
        #expect(try file.send(recolour, list: "blocks", from: .bert).isApplied)
        let late = try move(file, 1, to: behind(3, seen: revision, joining: "Colour"))
        #expect(late.conflicts.map(\.station) == ["Bert"])
        #expect(try move(file, 1, to: behind(3, seen: revision, joining: "By hand")).isApplied)
    }

    @Test func aMoveThatCannotBeMadeIsRefused() throws {
        let file = try blocks("1", "2")
        let letter = try move(file, 1, to: behind(2, joining: "letter"))
        #expect(
            letter.refusal?.hasPrefix("rows can't be moved to another section of “Letter”") == true)
        let names = try move(file, 1, to: behind(2, joining: "Names"))
        #expect(names.refusal == "“Names” of “blocks” is not in manual order")
        #expect(throws: ValetError.self) { try move(file, 1, to: behind(2, joining: "Size")) }
        try file.change("UPDATE blocks SET place = 'x' WHERE rowid = 2")
        #expect(try move(file, 1, to: behind(2)).refusal?.contains("has no room there") == true)
        let cars = try WrittenDatabase()
        #expect(try cars.send(.insert([.text("VW")], [.text("Kia")])).isApplied)
        #expect(
            try cars.send(.move(rowIDs: [1], to: .last)).refusal
                == "rows of “cars” can't be moved by hand")
    }

    @Test func aMoveNumbersABoundedStretchAnew() throws {
        let file = try blocks(inserting: "\(numbers(to: 5_000)) SELECT i, 'red', i FROM n")
        #expect(try move(file, 1, to: behind(2_500)).refusal != nil)
        #expect(try move(file, 1, to: behind(4_800)).isApplied)
        #expect(try order(file) == Array(2...4_800) + [1] + Array(4_801...5_000))
        let changed = try #require(file.batches.last).commands[0].effects[0].changes.count
        #expect((2...2 * Limits.rowsRenumbered + 1).contains(changed))
        #expect(try file.send(.undo, list: "blocks") == .applied(rowIDs: [1]))
        #expect(try order(file) == Array(1...5_000))
    }

    @Test func neighboursAreFoundAlongTheIndex() throws {
        let file = try blocks("1", "NULL")
        let table = try #require(file.database.schema.tables.first)
        let rowID = try #require(table.rowID)
        for direction in [SQL.Direction.forward, .backward] {
            for sql in [
                SQL.rows(of: table, rowID: rowID, at: 2, direction),
                SQL.rows(of: table, rowID: rowID, beyond: 2, direction),
            ] {
                let plan = try file.query("EXPLAIN QUERY PLAN " + sql)
                #expect(plan.count == 1, "\(plan)")
                #expect(plan[0][3].contains("USING COVERING INDEX blocks_by_place"), "\(plan)")
            }
        }
    }

    // MARK: Undo

    @Test func aRowBetweenRowsThatMadeRoomStaysThere() throws {
        let file = try blocks("1", "2", "3", "4", "NULL")
        #expect(try move(file, 4, to: behind(1)).isApplied)
        #expect(try move(file, 5, to: behind(4), from: .bert).isApplied)
        #expect(try order(file) == [1, 4, 5, 2, 3])
        #expect(try file.send(.undo, list: "blocks").conflicts.map(\.rowID) == [5])
        #expect(try file.send(.undo, list: "blocks", from: .bert).isApplied)
        #expect(try file.send(.undo, list: "blocks").isApplied)
        #expect(try order(file) == [1, 2, 3, 4, 5])
    }

    @Test func aPlaceThatOthersHaveNumberedAnewIsAConflict() throws {
        let file = try blocks(
            "100", "1000", "1002", "1004", "5000", "6000", "7000", "9000", "9001", "9002")
        #expect(try move(file, 3, to: .last).isApplied)
        // Two fit between 1000 and 1004; then the rows around are numbered anew.
        for rowID: Int64 in [8, 9, 10] {
            #expect(try move(file, rowID, to: behind(2), from: .bert).isApplied)
        }
        #expect(try file.query("SELECT place FROM blocks WHERE rowid = 2") != [["1000"]])
        #expect(try file.query("SELECT place FROM blocks WHERE rowid = 6") == [["6000"]])
        let conflicts = try file.send(.undo, list: "blocks").conflicts
        #expect(conflicts.map(\.station) == ["Bert"] && conflicts[0].theirs == .rowChanged)
    }

    // MARK: Random moves

    private struct Moves {
        var random: SeededNumbers

        mutating func move(of rows: [Int64]) -> (moved: [Int64], MoveDestination) {
            var others = rows
            let moved = (0..<1 + random.below(3)).map { _ in
                others.remove(at: random.below(others.count))
            }
            let neighbour = MoveDestination.Neighbour(rowID: others[random.below(others.count)])
            switch random.below(6) {
            case 0: return (moved, .first)
            case 1: return (moved, .last)
            case 2, 3: return (moved, .before(neighbour))
            case _: return (moved, .behind(neighbour))
            }
        }

        static func applied(
            _ moved: [Int64], to destination: MoveDestination, in rows: [Int64]
        ) -> [Int64] {
            var rows = rows.filter { !moved.contains($0) }
            let place =
                switch destination {
                case .first: 0
                case .last: rows.count
                case .behind(let row): (rows.firstIndex(of: row.rowID) ?? -1) + 1
                case .before(let row): rows.firstIndex(of: row.rowID) ?? 0
                }
            rows.insert(contentsOf: moved, at: place)
            return rows
        }
    }

    private static let positions: [@Sendable (Int) -> String] = [
        { "\($0)" }, { _ in "0" }, { _ in "NULL" }, { "\($0 * 1_000)" },
        { $0 < 12 ? "\($0 / 3)" : "NULL" }, { "\(Int64.max - 30 + Int64($0))" },
    ]

    @Test(arguments: runSeeds(4))
    func rowsStandAsInAnArray(seed: UInt64) throws {
        var moves = Moves(random: SeededNumbers(seed: seed))
        let type = moves.random.below(2) == 0 ? "INTEGER" : "REAL"
        let position = Self.positions[moves.random.below(Self.positions.count)]
        let rows = (0..<25).map { "('\($0)', 'red', \(position($0)))" }.joined(separator: ",")
        let columns = "{place: {type: \(type.lowercased())}}"
        let file = try blocks(
            inserting: "VALUES \(rows)", type: type,
            catalog: "lists: [{name: blocks, position: place, columns: \(columns)}]")
        var states = [try order(file)]
        for _ in 0..<150 {
            let now = states.last ?? []
            let (moved, destination) = moves.move(of: now)
            let verdict = try file.send(.move(rowIDs: moved, to: destination), list: "blocks")
            #expect(verdict == .applied(rowIDs: moved), "seed \(seed)")
            let expected = Moves.applied(moved, to: destination, in: now)
            try #require(try order(file) == expected, "seed \(seed)")
            // What has changed nothing can't be undone.
            if file.batches.last?.commands.first?.effects.isEmpty == false {
                states.append(expected)
            }
        }
        for state in states.dropLast().reversed() {
            let verdict = try file.send(.undo, list: "blocks")
            #expect(verdict.isApplied, "seed \(seed): \(verdict)")
            try #require(try order(file) == state, "seed \(seed)")
        }
        try file.reopen()
        for state in states.dropFirst() {
            #expect(try file.send(.redo, list: "blocks").isApplied, "seed \(seed)")
            try #require(try order(file) == state, "seed \(seed)")
        }
    }

    /// What one takes back never moves the rows that another has moved.
    @Test(arguments: runSeeds(4))
    func undoLeavesOthersRowsInTheirOrder(seed: UInt64) throws {
        var moves = Moves(random: SeededNumbers(seed: seed))
        let file = try blocks("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
        var movedByBert: Set<Int64> = []
        // A row that is back where Anna put it counts as unchanged.
        var putByAnna: [Int64: Set<Cell>] = [:]
        func send(_ change: Change, isBert: Bool = false) throws -> Verdict {
            let station = isBert ? Station.bert : .anna
            let verdict = try file.send(change, list: "blocks", from: station)
            let effects = try #require(file.batches.last).commands.flatMap(\.effects)
            for case .update(let rowID, let cells) in effects.flatMap(\.changes) {
                guard let position = cells[2] else { continue }
                if isBert {
                    if putByAnna[rowID]?.contains(position) == true {
                        movedByBert.remove(rowID)
                    } else if case .move(let moved, _) = change, moved.contains(rowID) {
                        movedByBert.insert(rowID)
                    }
                } else {
                    putByAnna[rowID, default: []].insert(position)
                }
            }
            return verdict
        }
        for _ in 0..<80 {
            let now = try order(file)
            if moves.random.below(3) == 0 {
                guard try send(.undo).isApplied else { continue }
                let after = try order(file)
                #expect(
                    now.filter(movedByBert.contains) == after.filter(movedByBert.contains),
                    "seed \(seed)")
                continue
            }
            let (moved, destination) = moves.move(of: now)
            let isBert = moves.random.below(2) == 0
            if !isBert { movedByBert.subtract(moved) }
            let change = Change.move(rowIDs: moved, to: destination)
            #expect(try send(change, isBert: isBert).isApplied, "seed \(seed)")
            let expected = Moves.applied(moved, to: destination, in: now)
            #expect(try order(file) == expected, "seed \(seed)")
        }
    }
}
