import Synchronization
import ValetModel

/// Copies of tables and views whose rows have no ids: the rowid of the copy is the row id.
///
/// Each is a SQLite file of its own in a private folder, made by the first reader that needs it; so
/// a long scan of one copy never stands in the way of making another.
final class RowCopies: Sendable {
    struct Copy: Sendable {
        let path: String
        let source: RowSource
    }

    private final class Slot: Sendable {
        let copy = Mutex<Result<Copy, ValetError>?>(nil)
    }

    private let tables: [StoredTable]
    private let slots: [Slot]
    private let folder = Mutex<ScratchFolder?>(nil)

    init(of tables: [StoredTable]) {
        self.tables = tables
        slots = tables.map { _ in Slot() }
        ScratchFolder.removeLeftovers()
    }

    /// The copy of a table, made now when nobody has yet. Other readers of the table wait for it.
    func copy(
        of table: Int, through connection: Connection, cancelled: () -> Bool
    ) throws(ValetError) -> Copy {
        try slots[table].copy.withLock { (made) throws(ValetError) -> Copy in
            if let made { return try made.get() }
            do throws(ValetError) {
                let copy = try make(table, through: connection, cancelled: cancelled)
                made = .success(copy)
                return copy
            } catch {
                // What is wrong with the table will still be wrong; a full disk or a stop may not.
                if error.code == .listUnavailable { made = .failure(error) }
                throw error
            }
        }
    }

    private func make(
        _ number: Int, through connection: Connection, cancelled: () -> Bool
    ) throws(ValetError) -> Copy {
        let table = tables[number]
        let path = try scratchPath() + "/\(number).sqlite"
        FilePath.remove(path)
        do {
            let names = table.columns.indices.map { "c\($0)" }
            try fill(path, names: names, with: table, through: connection, cancelled: cancelled)
            let source = RowSource(
                table: Self.table, subject: table.subject, rowID: "s.rowid", columnNames: names,
                holdsBlobs: names.map { _ in true }, hasBlobHandles: true)
            return Copy(path: path, source: source)
        } catch {
            FilePath.remove(path)
            throw error
        }
    }

    private static let table = "copy"

    private func fill(
        _ path: String, names: [String], with table: StoredTable, through connection: Connection,
        cancelled: () -> Bool
    ) throws(ValetError) {
        let scratch = try Connection(path: path, access: .create)
        try scratch.run(SQL.scratch)
        let columns = names.map { NewColumn($0, .any) }
        let writer = try TableWriter(on: scratch, table: Self.table, columns: columns)
        let rows = try connection.prepare(SQL.everything(of: table), for: table.subject)
        var count = 0
        try connection.interruptible(by: cancelled) { () throws(ValetError) in
            while try rows.step() {
                guard count < Limits.rowsCopied else { throw Self.tooLarge(table) }
                for column in names.indices {
                    writer.row.bind(column: column, of: rows, at: column)
                }
                try writer.insertRow()
                count += 1
            }
        }
        try writer.commit()
    }

    private static func tooLarge(_ table: StoredTable) -> ValetError {
        ValetError(
            .listUnavailable,
            "\(table.subject) has no row ids, and more than \(Limits.rowsCopied) rows (rowsCopied) "
                + "to copy: give its table a rowid, or select less in a view")
    }

    private func scratchPath() throws(ValetError) -> String {
        try folder.withLock { (folder) throws(ValetError) -> String in
            if let folder { return folder.path }
            let made = try ScratchFolder()
            folder = made
            return made.path
        }
    }
}
