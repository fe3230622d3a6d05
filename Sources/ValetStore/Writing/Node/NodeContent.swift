import Crypto
import ValetModel

/// All rows of a node's file, as they were at one place of its cluster's log.
package struct NodeContent: Sendable {
    /// What the file kept then of its place.
    package let state: [UInt8]
    /// The same for files of the same rows, whatever pages these are on: of the tables' names, and
    /// of what is stored in them, in the order of row ids or keys.
    package let digest: UInt64

    /// Reads the file in one transaction, which keeps nobody from writing.
    ///
    /// - Parameter began: called once when others may go on: what they commit is not read. Not
    ///   called if this throws before.
    /// - Throws: `ValetError`, also for a file that others could not write to meanwhile.
    package init(
        ofFile path: String, began: () -> Void, cancelled: () -> Bool
    ) throws(ValetError) {
        let connection = try Connection(path: path)
        guard connection.hasWALHeader else { throw .readOnly("“\(path)” is not in WAL mode") }
        let log = path + "-wal"
        func mustEnd() -> Bool {
            // It grows as long as this goes on.
            cancelled() || (FilePath.stamp(of: log)?.byteCount ?? 0) > Limits.bytesOfLogPerPin
        }
        (state, digest) = try connection.working(within: .row, cancelled: mustEnd) {
            () throws(ValetError) in
            try connection.reading { () throws(ValetError) in
                guard let state = try connection.nodeState() else { throw NodeMark.isNone(path) }
                began()
                var hash = RowHash()
                for table in try Schema(of: connection).tables where table.kind == .table {
                    try hash.add(table, on: connection)
                }
                return (state, hash.value)
            }
        }
    }
}

/// SHA-256 of rows: of each value its kind, and its bytes behind their number.
private struct RowHash {
    private var hash = SHA256()
    /// What is not in the hash yet.
    private var bytes: [UInt8] = []

    mutating func add(_ table: StoredTable, on connection: Connection) throws(ValetError) {
        add(byte: 0x54)
        var name = table.name
        name.withUTF8 { add(UnsafeRawBufferPointer($0)) }
        let columns = SQL.contentColumns(of: table)
        let rows = try connection.prepare(SQL.content(columns, of: table), for: table.subject)
        while try rows.step() {
            connection.interruption.rowCame()
            add(byte: 0x52)
            for column in columns.indices { add(rows, column) }
        }
    }

    private mutating func add(_ row: Statement, _ column: Int) {
        switch row.value(column) {
        case .null: add(byte: 0)
        case .integer(let number):
            add(byte: 1)
            add(UInt64(bitPattern: number))
        case .real(let number):
            add(byte: 2)
            add(number.bitPattern)
        case .text(let text):
            add(byte: 3)
            add(text)
        case .blob:
            add(byte: 4)
            add(row.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    private mutating func add(_ value: UnsafeRawBufferPointer) {
        add(UInt64(value.count))
        bytes += value
        passOn(above: 1 << 16)
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private mutating func add(byte: UInt8) {
        bytes.append(byte)
        passOn(above: 1 << 16)
    }

    private mutating func passOn(above count: Int) {
        guard bytes.count > count else { return }
        hash.update(data: bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    var value: UInt64 {
        var hash = hash
        hash.update(data: bytes)
        return hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
