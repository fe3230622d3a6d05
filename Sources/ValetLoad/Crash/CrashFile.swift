import ValetCommands
import ValetModel
import ValetStore

extension StationsLedger {
    /// The changed columns of each row.
    typealias Rows = [Int64: [Cell]]

    /// Applies the acknowledged changes in the order of their revisions, and compares the rows.
    func check(_ rows: Rows, before: Rows) -> [Mismatch] {
        var expected = before
        for (revision, told) in told.sorted(by: { $0.key < $1.key }) {
            guard case .applied(let rowIDs) = told.outcome.verdict else {
                return [Mismatch(.stale, "revision \(revision) is \(told.outcome.verdict)")]
            }
            switch told.change {
            case .insert(let inserted):
                for (rowID, values) in zip(rowIDs, inserted) {
                    expected[rowID] = values.map(\.value)
                }
            case .update(let edits):
                for edit in edits { expected[edit.rowID] = edit.cells.map(\.value) }
            case .delete: for rowID in rowIDs { expected[rowID] = nil }
            case .move, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: break
            }
        }
        let differing = Set(expected.keys).union(rows.keys).sorted()
            .filter { expected[$0] != rows[$0] }
        return differing.map { rowID in
            Mismatch(
                .cells,
                "row \(rowID) is \(Self.text(rows[rowID])), but should be "
                    + Self.text(expected[rowID]))
        }
    }

    private static func text(_ cells: [Cell]?) -> String { cells.map { "\($0)" } ?? "not there" }
}

/// The file of a run, read with SQLite alone.
extension Connection {
    func rows() throws(ValetError) -> StationsLedger.Rows {
        let statement = try prepare(
            "SELECT rowid, owner_first, owner_last FROM \(FleetWriter.table)")
        var rows: StationsLedger.Rows = [:]
        while try statement.step() {
            rows[statement.integer(0)] = (1...2).map {
                statement.text($0).map { .text($0) } ?? .null
            }
        }
        return rows
    }

    func checkIntegrity() throws(ValetError) -> [Mismatch] {
        let statement = try prepare("PRAGMA integrity_check")
        guard try statement.step(), let text = statement.text(0), text != "ok" else { return [] }
        return [Mismatch(.cells, "the file is damaged: \(text)")]
    }
}
