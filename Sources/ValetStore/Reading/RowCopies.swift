import Synchronization
import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Copies of tables and views whose rows have no ids: the rowid of the copy is the row id.
///
/// Each is a SQLite file of its own in a private folder, made by the first reader that needs it; so
/// a long scan of one copy never stands in the way of making another.
final class RowCopies: Sendable {
    struct Copy: Sendable {
        let path: String
        let source: RowSource
    }

    private enum State {
        case missing
        case made(Copy)
        /// Until a moment, or for good.
        case failed(ValetError, until: ContinuousClock.Instant?)
    }

    /// Locked while the copy is made.
    private final class Slot: Sendable {
        let state = Mutex(State.missing)
    }

    private let tables: [StoredTable]
    private let budgets: Budgets
    private let slots: [Slot]
    private let folder = Mutex<ScratchFolder?>(nil)

    init(of tables: [StoredTable], budgets: Budgets) {
        self.tables = tables
        self.budgets = budgets
        slots = tables.map { _ in Slot() }
        ScratchFolder.removeLeftovers()
    }

    /// The copy of a table, made now when nobody has yet. Other readers of the table wait for it.
    /// Call it within work on `connection`, which ends the copying and the waiting.
    func copy(of table: Int, through connection: Connection) throws(ValetError) -> Copy {
        while true {
            let copy = try slots[table].state.withLockIfAvailable {
                (state) throws(ValetError) -> Copy in
                switch state {
                case .made(let copy): return copy
                case .failed(let error, let until) where until.map { $0 > .now } ?? true:
                    throw error
                case .missing, .failed: break
                }
                return try make(table, &state, through: connection)
            }
            if let copy { return copy }
            // Nobody can wake a thread that waits both for a lock and for its own cancellation.
            usleep(5_000)
            try connection.checkInterruption(of: tables[table].subject)
        }
    }

    /// The copy of a table; nil while there is none.
    func finishedCopy(of table: Int) -> Copy? {
        slots[table].state.withLockIfAvailable { state -> Copy? in
            if case .made(let copy) = state { copy } else { nil }
        } ?? nil
    }

    /// The rows of a table that is not copied, which is refused if they are too many to copy.
    func rowCount(of table: Int, through connection: Connection) throws(ValetError) -> Int {
        let table = tables[table]
        let statement = try connection.prepare(SQL.countUpTo(table), for: table.subject)
        statement.bind(Int64(Limits.rowsCopied) + 1, at: 0)
        let count = try statement.step() ? Int(statement.integer(0)) : 0
        guard count <= Limits.rowsCopied else { throw Self.tooManyRows(table) }
        return count
    }

    private func make(
        _ table: Int, _ state: inout State, through connection: Connection
    ) throws(ValetError) -> Copy {
        do throws(ValetError) {
            let copy = try make(table, through: connection)
            state = .made(copy)
            return copy
        } catch {
            // What is wrong with the table will still be wrong; a full disk or a cancellation may
            // pass. And whoever asks again and again for what is too slow must not keep threads
            // busy.
            if error.code == .listUnavailable {
                state = .failed(error, until: nil)
            } else if error.code == .timedOut {
                state = .failed(error, until: .now + budgets.untilRetry)
            } else {
                state = .missing
            }
            throw error
        }
    }

    private func make(_ number: Int, through connection: Connection) throws(ValetError) -> Copy {
        let table = tables[number]
        let path = try scratchPath() + "/\(number).sqlite"
        FilePath.remove(path)
        do {
            let names = table.columns.indices.map { "c\($0)" }
            try fill(path, names: names, with: table, through: connection)
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
        _ path: String, names: [String], with table: StoredTable, through connection: Connection
    ) throws(ValetError) {
        let scratch = try Connection(path: path, access: .create)
        try scratch.run(SQL.scratch)
        let columns = names.map { NewColumn($0, .any) }
        let writer = try TableWriter(on: scratch, table: Self.table, columns: columns)
        let rows = try connection.prepare(SQL.everything(of: table), for: table.subject)
        var (count, bytes) = (0, 0)
        while try rows.step() {
            count += 1
            guard count <= Limits.rowsCopied else { throw Self.tooManyRows(table) }
            for column in names.indices {
                bytes += rows.value(column).byteCount
                try writer.row.bind(column: column, of: rows, at: column)
            }
            guard bytes <= budgets.bytesPerCopy else { throw tooManyBytes(table) }
            try writer.insertRow()
        }
        try writer.commit()
    }

    private static func tooManyRows(_ table: StoredTable) -> ValetError {
        tooLarge(table, "\(Limits.rowsCopied) rows (rowsCopied)")
    }

    private func tooManyBytes(_ table: StoredTable) -> ValetError {
        Self.tooLarge(table, "\(budgets.bytesPerCopy) bytes (bytesPerCopy)")
    }

    private static func tooLarge(_ table: StoredTable, _ limit: String) -> ValetError {
        ValetError(
            .listUnavailable,
            "\(table.subject) has no row ids, and more than \(limit) to copy: give its table a "
                + "rowid, or select less in a view")
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

extension BorrowedValue {
    /// About what the value takes in a file.
    fileprivate var byteCount: Int {
        switch self {
        case .null: 1
        case .integer, .real: 8
        case .text(let bytes): bytes.count
        case .blob(let byteCount): byteCount
        }
    }
}
