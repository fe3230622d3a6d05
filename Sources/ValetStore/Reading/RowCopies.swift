import Dispatch
import ValetModel

import struct Synchronization.Atomic

/// Copies of tables and views whose rows have no ids: the copy's rowid is the row id. A row with a
/// key keeps its id from copy to copy; those of views are numbered anew.
///
/// Each is a SQLite file in a private folder, made by the first reader that needs it. Separate
/// files keep a long scan of one copy from blocking the making of another.
final class RowCopies: Sendable {
    struct Copy: Sendable {
        fileprivate let file: File
        let source: RowSource
        /// The file's revision when the copy was made.
        let revision: UInt64
        /// The highest row id of this copy and the earlier ones.
        let highest: Int64

        var path: String { file.path }
    }

    /// Is there as long as somebody may open it, also when a newer one has taken its place.
    fileprivate final class File: Sendable {
        let path: String

        init(_ path: String) {
            self.path = path
        }

        deinit { FilePath.remove(path) }
    }

    private enum State {
        case missing
        case made(Copy)
        /// The revision that failed, and when to retry: at a time, or with the next revision.
        case failed(ValetError, revision: UInt64, until: ContinuousClock.Instant?)
    }

    private final class Slot: Sendable {
        let state = Mutex(State.missing)
        /// Held while the copy is made or renewed. A semaphore, since a mutex has no timeout.
        let making = DispatchSemaphore(value: 1)
    }

    private let tables: [StoredTable]
    private let watch: FileWatch
    private let budgets: Budgets
    private let slots: [Slot]
    private let madeCount = Atomic(0)
    private let folder = Mutex<ScratchFolder?>(nil)

    init(of tables: [StoredTable], watch: FileWatch, budgets: Budgets) {
        self.tables = tables
        self.watch = watch
        self.budgets = budgets
        slots = tables.map { _ in Slot() }
        ScratchFolder.removeLeftovers()
    }

    /// The table's copy, made now if there is none. Other readers of the table wait for it. Must be
    /// called within work on `connection`, whose limits also end the copying and waiting.
    ///
    /// - Parameter oldest: a copy of an earlier revision is made again.
    func copy(
        of table: Int, notBefore oldest: UInt64 = 0, through connection: Connection
    ) throws(ValetError) -> Copy {
        while true {
            if let copy = try knownCopy(of: table, notBefore: oldest) { return copy }
            let making = slots[table].making
            // The timeout is for the check below: this thread's own work may be cancelled.
            if making.wait(timeout: .now() + .milliseconds(10)) == .success {
                defer { making.signal() }
                // Another reader may have made it in the meantime.
                if let copy = try knownCopy(of: table, notBefore: oldest) { return copy }
                return try make(table, notBefore: oldest, through: connection)
            }
            try connection.checkInterruption(of: tables[table].subject)
        }
    }

    /// nil if the copy must be made; throws if a recent attempt failed and a retry would, too.
    private func knownCopy(of table: Int, notBefore oldest: UInt64) throws(ValetError) -> Copy? {
        switch slots[table].state.withLock({ $0 }) {
        case .missing: return nil
        case .made(let copy): return copy.revision >= oldest ? copy : nil
        case .failed(let error, let revision, let until):
            let isOver = until.map { $0 <= .now } ?? (revision < oldest)
            if isOver { return nil }
            throw error
        }
    }

    /// The table's finished copy, if there is one.
    func finishedCopy(of table: Int) -> Copy? {
        slots[table].state.withLock { if case .made(let copy) = $0 { copy } else { nil } }
    }

    /// The row count of a table that is not copied; too many rows to copy are an error.
    func rowCount(of table: Int, through connection: Connection) throws(ValetError) -> Int {
        let table = tables[table]
        let count = try connection.rowCount(of: table, upTo: Limits.rowsCopied + 1)
        guard count <= Limits.rowsCopied else { throw Self.tooManyRows(table) }
        return count
    }

    private func make(
        _ table: Int, notBefore oldest: UInt64, through connection: Connection
    ) throws(ValetError) -> Copy {
        let older = finishedCopy(of: table)
        do throws(ValetError) {
            let copy = try make(table, after: older, through: connection)
            slots[table].state.withLock { $0 = .made(copy) }
            return copy
        } catch {
            // An older copy is better than none.
            guard older == nil else { throw error }
            // A defect of the table is permanent; a full disk or a cancellation may pass. After a
            // timeout, retries are delayed, so that repeated requests do not keep threads busy.
            if [.listUnavailable, .overBudget].contains(error.code) {
                let until: ContinuousClock.Instant? =
                    error.code == .overBudget ? .now + budgets.untilRetry : nil
                slots[table].state.withLock { $0 = .failed(error, revision: oldest, until: until) }
            }
            throw error
        }
    }

    private func make(
        _ number: Int, after older: Copy?, through connection: Connection
    ) throws(ValetError) -> Copy {
        let table = tables[number]
        let made = madeCount.wrappingAdd(1, ordering: .relaxed).newValue
        let file = File(try scratchPath() + "/\(number)-\(made).sqlite")
        connection.interruption.lockWatch = LockWatch(connection, patience: budgets.untilYielding)
        defer { connection.interruption.lockWatch = nil }
        let names = table.columns.indices.map { "c\($0)" }
        let (revision, highest) = try connection.reading(watch) {
            (revision) throws(ValetError) in
            let highest = try fill(
                file.path, names: names, with: table, after: older, through: connection)
            return (revision, highest)
        }
        let source = RowSource(
            table: Self.table, subject: table.subject, rowID: "s.rowid", columnNames: names,
            holdsBlobs: names.map { _ in true }, hasBlobHandles: true)
        return Copy(file: file, source: source, revision: revision, highest: highest)
    }

    private static let table = "copy"

    /// - Returns: the highest row id that was given so far.
    private func fill(
        _ path: String, names: [String], with table: StoredTable, after older: Copy?,
        through connection: Connection
    ) throws(ValetError) -> Int64 {
        let scratch = try Connection(path: path, access: .create)
        try scratch.run(SQL.scratch)
        try scratch.run(SQL.makeCopy(Self.table, columns: names))
        let columns = ([SQL.rowIDOfCopy] + names).map { NewColumn($0, .any) }
        let writer = try TableWriter(
            on: scratch, table: Self.table, columns: columns, appending: true)
        let key = table.keyColumns.map { names[$0] }
        let known = try older.flatMap { older throws(ValetError) in
            key.isEmpty
                ? nil
                : try Connection(path: older.path)
                    .prepare(SQL.rowID(inCopy: Self.table, key: key), for: table.subject)
        }
        var highest = key.isEmpty ? 0 : older?.highest ?? 0
        let rows = try connection.prepare(SQL.everything(of: table), for: table.subject)
        var (count, bytes) = (0, 0)
        while try rows.step() {
            count += 1
            guard count <= Limits.rowsCopied else { throw Self.tooManyRows(table) }
            for column in names.indices {
                bytes += rows.value(column).byteCount
                try writer.row.bind(column: column, of: rows, at: column + 1)
            }
            let rowID = try known.flatMap { known throws(ValetError) in
                try Self.rowID(of: rows, key: table.keyColumns, in: known)
            }
            if rowID == nil { highest += 1 }
            writer.row.bind(rowID ?? highest, at: 0)
            guard bytes <= budgets.bytesPerCopy else {
                throw Self.tooLarge(table, "\(budgets.bytesPerCopy) bytes (bytesPerCopy)")
            }
            try writer.insertRow()
        }
        try writer.commit()
        if !key.isEmpty { try scratch.run(SQL.indexCopy(Self.table, key: key)) }
        return highest
    }

    /// The id that an earlier copy gave the row; nil if it had none with this key. NULL names no
    /// row: where row ids are hidden, several rows may have it in their keys.
    private static func rowID(
        of row: Statement, key: [Int], in earlier: Statement
    ) throws(ValetError) -> Int64? {
        defer { earlier.reset() }
        for (place, column) in key.enumerated() {
            if case .null = row.value(column) { return nil }
            try earlier.bind(column: column, of: row, at: place)
        }
        return try earlier.step() ? earlier.integer(0) : nil
    }

    private static func tooManyRows(_ table: StoredTable) -> ValetError {
        tooLarge(table, "\(Limits.rowsCopied) rows (rowsCopied)")
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
    /// The approximate size of the value in a file.
    fileprivate var byteCount: Int {
        switch self {
        case .null: 1
        case .integer, .real: 8
        case .text(let bytes): bytes.count
        case .blob(let byteCount): byteCount
        }
    }
}
