import CSQLite
import ValetModel

/// The foreign keys whose actions change rows of the writer's tables.
///
/// SQLite runs actions as triggers, so the rows they touch look like those of triggers. Undo takes
/// actions back, since nothing else would, but not what triggers did: they run anew.
struct ForeignKeys {
    private struct Key {
        let child: Int
        let childColumns: [Int]
        let parent: Int
        let parentColumns: [Int]
        /// By column.
        let comparisons: [KeyComparison]
    }

    private let keys: [Key]

    init(of tables: [EditedTable], on connection: Connection) throws(ValetError) {
        let stored = tables.map(\.stored)
        let numbers = Dictionary(
            stored.enumerated().map { (SQL.caseFolded($1.name), $0) }, uniquingKeysWith: { $1 })
        var keys: [Key] = []
        for (child, table) in stored.enumerated() {
            var columns: [Int64: (parent: Int, from: [Int], to: [Int])] = [:]
            let statement = try connection.prepare(SQL.foreignKeys, for: table.subject)
            statement.bind(table.name, at: 0)
            while try statement.step() {
                let actions = [statement.text(4), statement.text(5)]
                guard actions.contains(where: { !["NO ACTION", "RESTRICT"].contains($0) }),
                    let parent = numbers[SQL.caseFolded(statement.text(1) ?? "")],
                    let from = table.column(named: statement.text(2)),
                    let to = stored[parent].column(
                        named: statement.text(3),
                        orOfKey: columns[statement.integer(0)]?.to.count ?? 0)
                else { continue }
                columns[statement.integer(0), default: (parent, [], [])].from.append(from)
                columns[statement.integer(0)]?.to.append(to)
            }
            keys += columns.sorted { $0.key < $1.key }.map { _, key in
                Key(
                    child: child, childColumns: key.from, parent: key.parent, parentColumns: key.to,
                    comparisons: key.to.map {
                        KeyComparison(column: $0, of: tables[key.parent], on: connection)
                    })
            }
        }
        self.keys = keys
    }

    var isEmpty: Bool { keys.isEmpty }

    /// Marks the rows, or their columns, that actions on named rows have changed. `new` is what
    /// each row is now.
    func mark(_ rows: inout [EffectRecorder.Touched], new: [[Cell]?]) {
        let mayFollow = rows.indices.filter { rows[$0].named == .none && rows[$0].old != nil }
        if mayFollow.isEmpty { return }
        // By key, and the values of the child's columns.
        var children: [ChildKey: [Int]] = [:]
        for (number, key) in keys.enumerated() {
            for place in mayFollow where rows[place].key.table == key.child {
                guard let old = rows[place].old else { continue }
                let values = zip(key.childColumns, key.comparisons).map { $1.form(of: old[$0]) }
                children[ChildKey(key: number, values: values), default: []].append(place)
            }
        }
        var parents = rows.indices.filter { rows[$0].named != .none }
        while let parent = parents.popLast() {
            guard let old = rows[parent].old else { continue }
            for (number, key) in keys.enumerated() where key.parent == rows[parent].key.table {
                let values = key.parentColumns.map { old[$0] }
                if let now = new[parent], key.parentColumns.map({ now[$0] }) == values { continue }
                let forms = zip(values, key.comparisons).map { $1.form(of: $0) }
                let found = children.removeValue(forKey: ChildKey(key: number, values: forms))
                for child in found ?? [] {
                    rows[child].named =
                        new[child] == nil
                        ? .all : rows[child].named.union(.some(Set(key.childColumns)))
                    parents.append(child)
                }
            }
        }
    }

    private struct ChildKey: Hashable {
        let key: Int
        let values: [Cell]
    }
}

/// How SQLite compares a child's value with its parent's: as the parent's column compares.
private struct KeyComparison {
    let affinity: Affinity
    let collation: String

    init(column: Int, of table: EditedTable, on connection: Connection) {
        affinity = table.affinities[column]
        var name: UnsafePointer<CChar>?
        sqlite3_table_column_metadata(
            connection.handle, "main", table.stored.name, table.stored.columns[column].name, nil,
            &name, nil, nil, nil)
        collation = SQL.caseFolded(name.map { String(cString: $0) } ?? "BINARY")
    }

    /// The same for equal values.
    func form(of cell: Cell) -> Cell {
        switch cell {
        case .text(let text):
            let takesNumbers = affinity != .text && affinity != .none
            return (takesNumbers ? number(text) : nil) ?? .text(collated(text))
        case .integer(let number): return affinity == .text ? .text(String(number)) : cell
        case .real(let real):
            if affinity == .text { return .text(String(real)) }
            return Int64(exactly: real).map(Cell.integer) ?? cell
        case .null, .malformedText, .cutText, .blob: return cell
        }
    }

    private func number(_ text: String) -> Cell? {
        guard WrittenNumber(text) != nil,
            let digits = text.split(whereSeparator: \.isWhitespace).first
        else { return nil }
        if let whole = Int64(digits) { return .integer(whole) }
        return Double(digits).map { form(of: .real($0)) }
    }

    private func collated(_ text: String) -> String {
        switch collation {
        case "nocase":
            let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
            return String(
                decoding: text.utf8.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        case "rtrim":
            let end = text.utf8.lastIndex { $0 != UInt8(ascii: " ") }
            return end.map { String(text[...$0]) } ?? ""
        default: return text
        }
    }
}

extension StoredTable {
    fileprivate func column(named name: String?) -> Int? {
        let folded = name.map(SQL.caseFolded)
        return columns.firstIndex { SQL.caseFolded($0.name) == folded }
    }

    /// A foreign key that names no columns refers to the primary key.
    fileprivate func column(named name: String?, orOfKey place: Int) -> Int? {
        if name != nil { return column(named: name) }
        return columns.firstIndex { $0.placeInPrimaryKey == place + 1 }
    }
}
