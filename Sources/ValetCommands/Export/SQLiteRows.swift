import ValetModel
import ValetStore

/// Rows as a table of a new SQLite file, in one transaction.
final class SQLiteRows: RowSink {
    /// The declared types of these columns would make another value of one of their cells.
    struct WouldChange: Error {
        let columns: Set<Int>
    }

    private let types: [NewColumn.DeclaredType]
    private let table: TableWriter
    private var changing: Set<Int> = []

    /// - Parameter untyped: columns that are declared without a type, by their place.
    init(
        _ path: String, table name: String, columns: [ColumnDescription], untyped: Set<Int>
    ) throws(ValetError) {
        types = columns.enumerated().map { untyped.contains($0) ? .any : $1.type.declared }
        let connection = try Connection(path: path, access: .create)
        table = try TableWriter(
            on: connection, table: name,
            columns: zip(columns, types).map { NewColumn($0.name, $1) })
    }

    func write(_ cells: [Cell]) throws {
        for (place, cell) in cells.enumerated() {
            if types[place].changes(cell) { changing.insert(place) }
            table.row.bind(cell, at: place)
        }
        // From then on rows are only looked at, so that a second time is the last.
        if changing.isEmpty { try table.insertRow() }
    }

    func finish() throws {
        guard changing.isEmpty else { throw WouldChange(columns: changing) }
        try table.commit()
    }

    /// Writes a file by `body`, again without the types of columns that would change a value.
    static func writing(
        _ path: String, table: String, columns: [ColumnDescription],
        _ body: (SQLiteRows) async throws -> Void
    ) async throws {
        var untyped = Set<Int>()
        while true {
            do {
                return try await body(
                    SQLiteRows(path, table: table, columns: columns, untyped: untyped))
            } catch let change as WouldChange {
                untyped.formUnion(change.columns)
            }
        }
    }
}

extension ColumnType {
    /// So that whoever opens the file sees a column of the same type.
    fileprivate var declared: NewColumn.DeclaredType {
        switch self {
        case .text: .text
        case .integer: .integer
        case .real: .real
        case .date: .datetime
        case .boolean: .boolean
        case .blob: .any
        }
    }
}

extension NewColumn.DeclaredType {
    /// Whether SQLite would store another value ("Type Affinity Of A Column").
    fileprivate func changes(_ cell: Cell) -> Bool {
        switch (self, cell) {
        case (.any, _), (.blob, _), (_, .null), (_, .blob): false
        case (.text, .integer), (.text, .real): true
        case (.text, _): false
        case (.real, .integer): true
        case (.real, .real), (_, .integer): false
        case (_, .real(let real)): real == real.rounded()
        case (_, .text(let text)), (_, .cutText(let text, _)): Self.mayBeNumber(text)
        case (_, .malformedText): false
        }
    }

    private static func mayBeNumber(_ text: String) -> Bool {
        let bare = text.utf8.filter { $0 > 0x20 }
        return bare.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            && Double(String(decoding: bare, as: UTF8.self)) != nil
    }
}

extension Statement {
    fileprivate func bind(_ cell: Cell, at index: Int) {
        switch cell {
        case .null: bindNull(at: index)
        case .integer(let number): bind(number, at: index)
        case .real(let real): bind(real, at: index)
        case .text(let text), .cutText(let text, _): bind(text, at: index)
        case .malformedText(let bytes, _): bytes.withUnsafeBytes { bind(text: $0, at: index) }
        case .blob(let bytes, _): bytes.withUnsafeBytes { bind(blob: $0, at: index) }
        }
    }
}
