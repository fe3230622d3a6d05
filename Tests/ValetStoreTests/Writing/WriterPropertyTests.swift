import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Random commands against a dictionary of rows.
@Suite struct WriterPropertyTests {
    private struct Model {
        var rows: [Int64: [Cell]] = [:]
        var highest: Int64 = 0

        mutating func apply(_ change: RowChange) {
            switch change {
            case .insert(let rowID, let cells):
                rows[rowID] = (0..<3).map { cells[$0] ?? .null }
            case .delete(let rowID): rows[rowID] = nil
            case .update(let rowID, let cells):
                for (column, cell) in cells { rows[rowID]?[column] = cell }
            }
        }
    }

    private struct Commands {
        var random: SeededNumbers
        /// Lists in memory know only the sizes of blobs.
        var hasBlobs = true

        mutating func cell() -> Cell {
            switch random.below(6) {
            case 0: .null
            case 1: .integer(Int64(bitPattern: random.next()))
            case 2: .real(Double(random.below(1_000)) / 8)
            case 3: .text("é" + String(random.below(9)))
            case 4 where hasBlobs: .blob(bytes: [0, 1, 2], byteCount: 3)
            case _: .integer(Int64(random.below(3)))
            }
        }

        mutating func change(_ model: Model) -> Change {
            let some = model.rows.keys.sorted().filter { _ in random.below(3) == 0 }
            switch random.below(7) {
            case 0, 1:
                return .insert(
                    (0..<random.below(4)).map { _ in
                        (0..<3).filter { _ in random.below(3) > 0 }
                            .map { ColumnValue(column: $0, value: cell()) }
                    })
            case 2, 3:
                return .update(
                    some.prefix(4).map { rowID in
                        RowEdit(
                            rowID: rowID,
                            cells: (0..<3).filter { _ in random.below(2) == 0 }.map { column in
                                let seen = model.rows[rowID]?[column] ?? .null
                                return CellEdit(
                                    column: column, value: cell(),
                                    seen: random.below(9) == 0 ? .cell(cell()) : .cell(seen))
                            })
                    })
            case 4: return .delete(some.prefix(2).map { RowDeletion(rowID: $0) })
            case 5: return .undo
            case _: return .redo
            }
        }
    }

    @Test(arguments: runSeeds(4))
    func rowsAreThoseOfTheModel(seed: UInt64) throws {
        let file = try WrittenDatabase(declared: ["", "", ""])
        var commands = Commands(random: SeededNumbers(seed: seed), hasBlobs: false)
        var model = Model()
        var sent: [(SentCommand, CommandResult)] = []
        // What undo must restore, by station.
        var before: [StationID: [Model]] = [:]
        for _ in 0..<120 {
            let station =
                commands.random.below(4) == 0 ? Station.bert : .anna
            let command = file.command(commands.change(model), from: station)
            let old = model
            let expected = Self.expected(command.command.change, model)
            let count = file.batches.count
            let result = try file.commit([command])[0]
            let verdict = try result.get().verdict
            if let expected { #expect(verdict.isApplied == expected, "seed \(seed)") }
            #expect(file.batches.count == count + 1)
            for effects in try #require(file.batches.last).commands.flatMap(\.effects) {
                for change in effects.changes { model.apply(change) }
            }
            if !verdict.isApplied { #expect(model.rows == old.rows, "seed \(seed)") }
            if case .insert = command.command.change, case .applied(let rowIDs) = verdict {
                #expect(rowIDs.allSatisfy { $0 > old.highest }, "seed \(seed)")
                model.highest = max(model.highest, rowIDs.max() ?? 0)
            }
            before[station.id, default: []].append(old)
            sent.append((command, result))
            if commands.random.below(20) == 0 { try file.reopen() }
            if commands.random.below(10) == 0 {
                let (again, first) = sent[commands.random.below(sent.count)]
                #expect(try file.commit([again])[0] == first, "seed \(seed)")
            }
        }
        #expect(try Self.stored(file) == model.rows, "seed \(seed)")
        #expect(try file.commit(sent.map(\.0)) == sent.map(\.1), "seed \(seed)")
        #expect(try Self.stored(file) == model.rows, "seed \(seed)")
    }

    /// Undoing all that one station did, alone, leads back through every state.
    @Test(arguments: runSeeds(4))
    func undoAndRedoLeadThroughAllStates(seed: UInt64) throws {
        let file = try WrittenDatabase(declared: ["", "", ""])
        var commands = Commands(random: SeededNumbers(seed: seed))
        var states = [[Int64: [Cell]]()]
        var model = Model()
        while states.count < 30 {
            let change = commands.change(model)
            if change == .undo || change == .redo { continue }
            try file.send(change)
            let rows = try Self.stored(file)
            if rows == model.rows { continue }
            model.rows = rows
            states.append(rows)
        }
        for state in states.dropLast().reversed() {
            #expect(try file.send(.undo).isApplied, "seed \(seed)")
            #expect(try Self.stored(file) == state, "seed \(seed)")
        }
        #expect(try file.send(.undo).refusal == "there is nothing to undo in “cars”")
        try file.reopen()
        for state in states.dropFirst() {
            #expect(try file.send(.redo).isApplied, "seed \(seed)")
            #expect(try Self.stored(file) == state, "seed \(seed)")
        }
        #expect(try file.send(.redo).refusal == "there is nothing to redo in “cars”")
    }

    /// nil where only the writer knows: undo and redo.
    private static func expected(_ change: Change, _ model: Model) -> Bool? {
        switch change {
        case .insert, .delete: true
        case .update(let edits):
            edits.allSatisfy { edit in
                edit.cells.allSatisfy { cell in
                    cell.seen == .anything
                        || isSame(cell.seen, model.rows[edit.rowID]?[cell.column])
                }
            }
        case .move, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: nil
        }
    }

    /// Numbers are compared as SQLite compares them: 2 is 2.0.
    private static func isSame(_ seen: SeenValue, _ current: Cell?) -> Bool {
        switch (seen, current) {
        case (.cell(.integer(let whole)), .real(let real)?),
            (.cell(.real(let real)), .integer(let whole)?):
            Int64(exactly: real) == whole
        default: seen == current.map(SeenValue.cell)
        }
    }

    private static func stored(_ file: WrittenDatabase) throws -> [Int64: [Cell]] {
        try file.rows("c0, c1, c2")
    }
}
