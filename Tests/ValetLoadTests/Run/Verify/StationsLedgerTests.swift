import Testing
import ValetModel

@testable import ValetLoad

private func outcome(_ revision: UInt64) -> Outcome {
    Outcome(
        revision: revision, time: Int64(revision) * 10,
        verdict: .applied(rowIDs: [Int64(revision)]))
}

private func entry(_ revision: UInt64, number: UInt64? = nil) -> StationsLedger.Entry {
    StationsLedger.Entry(
        revision: revision, time: Int64(revision) * 10,
        name: CommandName(writer: 1, number: number ?? revision))
}

private func ledger(told revisions: [UInt64] = [1, 2, 3]) -> StationsLedger {
    var ledger = StationsLedger()
    for revision in revisions {
        #expect(ledger.acknowledged(outcome(revision), of: .undo, at: 0) == nil)
    }
    return ledger
}

@Suite struct StationsLedgerTests {
    @Test func unstoredChangesAreNotLookedForInTheLog() throws {
        var ledger = StationsLedger()
        for station in 0..<2 {
            #expect(ledger.acknowledged(outcome(0), of: .undo, at: station) == nil)
        }
        #expect(ledger.acknowledged(outcome(1), of: .undo, at: 0) == nil)
        #expect(ledger.acknowledged(outcome(0), of: .undo, at: 0) == nil)
        #expect(ledger.check([entry(1)]) == [])
    }

    @Test func changesInTheLogOnceAndInOrderAreRight() {
        #expect(ledger().check([entry(1), entry(2), entry(3)]) == [])
        #expect(ledger().checkAgain(outcome(2), of: entry(2)) == nil)
    }

    @Test func aLostCommandIsFound() {
        #expect(ledger().check([entry(1), entry(3)]).map(\.kind) == [.lost])
        #expect(ledger().check([]).map(\.kind) == [.lost, .lost, .lost])
    }

    @Test func aForgottenCommandIsNotLost() {
        #expect(ledger().forgotten(before: 2) == 1)
        #expect(ledger().check([entry(2), entry(3)], keptSince: 2) == [])
        #expect(ledger().check([entry(3)], keptSince: 2).map(\.kind) == [.lost])
    }

    @Test func aDoubledCommandIsFound() {
        var told = ledger()
        #expect(told.acknowledged(outcome(2), of: .undo, at: 1)?.kind == .doubled)
        let log = [entry(1), entry(2), entry(3), entry(4, number: 3)]
        let found = ledger(told: [1, 2, 3, 4]).check(log)
        #expect(found.map(\.kind) == [.doubled])
        // Under another name: nobody was told of it.
        #expect(ledger().check([entry(1), entry(2), entry(3), entry(4)]).map(\.kind) == [.doubled])
    }

    @Test func aCommandThatFailedMayBeInTheLog() {
        var told = ledger()
        told.failed()
        #expect(told.check([entry(1), entry(2), entry(3), entry(4)]) == [])
    }

    @Test func aReorderedCommandIsFound() {
        var told = ledger()
        #expect(told.acknowledged(outcome(5), of: .undo, at: 0) == nil)
        #expect(told.acknowledged(outcome(4), of: .undo, at: 0)?.kind == .reordered)
        let log = [entry(1, number: 2), entry(2, number: 1), entry(3)]
        #expect(ledger().check(log).map(\.kind) == [.reordered])
        #expect(ledger().check([entry(2), entry(1), entry(3)]).contains { $0.kind == .reordered })
    }

    @Test func aStaleOutcomeIsFound() {
        #expect(ledger().checkAgain(outcome(3), of: entry(2))?.kind == .stale)
        var other = entry(2)
        other.time += 1
        #expect(ledger().check([entry(1), other, entry(3)]).map(\.kind) == [.stale])
    }
}

/// What is told of three rows, beside what the file has.
@Suite struct ToldRowsTests {
    private let before: StationsLedger.Rows = [1: [.text("a")], 2: [.text("b")]]

    private func ledger() -> StationsLedger {
        var ledger = StationsLedger()
        let values = [ColumnValue(column: 0, value: .text("new"))]
        let cells = values.map { CellEdit(column: 0, value: $0.value, seen: .anything) }
        let changes: [(ValetModel.Change, [Int64])] = [
            (.insert([values, values]), [3, 4]),
            (.update([RowEdit(rowID: 1, cells: cells)]), [1]),
            (.delete([RowDeletion(rowID: 2), RowDeletion(rowID: 4)]), [2, 4]),
        ]
        for (revision, (change, rowIDs)) in changes.enumerated() {
            let outcome = Outcome(
                revision: UInt64(revision + 1), time: 0, verdict: .applied(rowIDs: rowIDs))
            _ = ledger.acknowledged(outcome, of: change, at: 0)
        }
        return ledger
    }

    @Test func acknowledgedChangesAreInTheFile() {
        #expect(ledger().check([1: [.text("new")], 3: [.text("new")]], before: before) == [])
    }

    @Test(
        arguments: [
            [1: [.text("new")]], [1: [.text("a")], 3: [.text("new")]],
            [1: [.text("new")], 2: [.text("b")], 3: [.text("new")]],
            [1: [.text("new")], 3: [.text("new")], 5: [.text("new")]],
        ] as [StationsLedger.Rows])
    func lostTornAndRepeatedChangesAreFound(rows: StationsLedger.Rows) {
        #expect(ledger().check(rows, before: before).map(\.kind) == [.cells])
    }
}
