import CSQLite
import ValetModel

/// The foreign keys whose actions change rows of the writer's tables.
///
/// SQLite runs actions as triggers, so the rows they touch look like those of triggers. Undo takes
/// actions back, since nothing else would, but not what triggers did: they run anew.
struct ForeignKeys {
    fileprivate struct Key {
        /// As `SQL.caseFolded` has it.
        let childName: String
        /// nil if it is none of the writer's tables.
        let child: Int?
        let parent: Int
        var pairs: [Pair] = []
        /// Whether an action may give the child's rows other ids.
        var givesRowIDs = false
    }

    fileprivate struct Pair {
        /// nil if the child is none of the writer's tables.
        let childColumn: Int?
        let parentColumn: Int
        let comparison: KeyComparison
    }

    private let keys: [Key]

    init(of tables: [EditedTable], on connection: Connection) throws(ValetError) {
        let numbers = Dictionary(
            tables.enumerated().map { (SQL.caseFolded($1.stored.name), $0) },
            uniquingKeysWith: { $1 })
        var keys: [Key] = []
        let statement = try connection.prepare(SQL.foreignKeys)
        while try statement.step() {
            let childName = SQL.caseFolded(statement.text(0) ?? "")
            guard let parent = numbers[SQL.caseFolded(statement.text(2) ?? "")] else { continue }
            let place = Int(clamping: statement.integer(1))
            let child = numbers[childName]
            if place == 0 { keys.append(Key(childName: childName, child: child, parent: parent)) }
            let stored = tables[parent].stored
            guard let column = stored.column(named: statement.text(4), orOfKey: place) else {
                continue
            }
            let name = statement.text(3)
            let childColumn = child.flatMap { tables[$0].stored.column(named: name) }
            keys[keys.count - 1].pairs.append(
                Pair(
                    childColumn: childColumn, parentColumn: column,
                    comparison: KeyComparison(column: column, of: tables[parent], on: connection)))
            if let child, let childColumn, childColumn == tables[child].stored.rowIDColumn {
                keys[keys.count - 1].givesRowIDs = true
            }
        }
        self.keys = keys
    }

    var isEmpty: Bool { keys.isEmpty }

    /// Marks the rows, or their columns, that actions on named rows have changed: also columns of
    /// named rows. `new` is what each row is now.
    func mark(_ rows: inout [EffectRecorder.Touched], new: [[Cell]?]) {
        var parents = rows.indices.filter { place in
            rows[place].named != .none
                && keys.contains { $0.hasChanged(rows[place], to: new[place]) }
        }
        if parents.isEmpty { return }
        // By key, and the values of the child's columns.
        var children: [ChildKey: [Int]] = [:]
        for (number, key) in keys.enumerated() {
            for place in rows.indices
            where rows[place].key.table == key.child && rows[place].named != .all {
                for values in key.childValues(of: rows[place], now: new[place]) {
                    children[ChildKey(key: number, values: values), default: []].append(place)
                }
            }
        }
        // The tables with rows that an action has deleted, or given another id.
        var moved: Set<Int> = []
        while let parent = parents.popLast() {
            for (number, key) in keys.enumerated()
            where key.hasChanged(rows[parent], to: new[parent]) {
                guard let old = rows[parent].old else { continue }
                let values = key.pairs.map { $0.comparison.form(of: old[$0.parentColumn]) }
                let found = children.removeValue(forKey: ChildKey(key: number, values: values))
                for child in found ?? [] {
                    if rows[child].named == .none { parents.append(child) }
                    rows[child].named =
                        new[child] == nil
                        ? .all : rows[child].named.union(.some(Set(key.childColumns)))
                    if new[child] == nil, key.givesRowIDs { moved.insert(rows[child].key.table) }
                }
            }
        }
        for place in rows.indices
        where rows[place].named == .none && rows[place].old == nil
            && moved.contains(rows[place].key.table)
        {
            rows[place].named = .all
        }
    }

    /// The columns of a table that actions may change.
    func childColumns(of table: Int) -> Set<Int> {
        Set(keys.filter { $0.child == table }.flatMap(\.childColumns))
    }

    /// Whether an action may give rows of a table other ids.
    func giveRowIDs(in table: Int) -> Bool {
        keys.contains { $0.child == table && $0.givesRowIDs }
    }

    /// Which of the tables has rows that an action on the effects may have changed.
    ///
    /// - Parameters:
    ///   - unnamed: tables whose rows no effect names, as `SQL.caseFolded` has their names.
    ///   - isTakenBack: whether it is an action on the inverse of the effects.
    func follower(
        of effects: [Effect], among unnamed: [String], isTakenBack: Bool = false
    ) -> String? {
        unnamed.first { name in
            keys.contains { key in
                key.childName == name
                    && effects.contains {
                        key.parent == $0.table && key.follows($0.change, isTakenBack: isTakenBack)
                    }
            }
        }
    }

    /// The rows of a table to which actions may have carried a command: those that refer to a root
    /// among its effects, before or after, or to a row that refers to one.
    func carried(
        from isRoot: (Effect) -> Bool, among effects: [Effect], in table: Int
    ) -> Set<Int64> {
        guard keys.contains(where: { $0.child == table }) else { return [] }
        var children: [ChildKey: [Effect]] = [:]
        for (number, key) in keys.enumerated() {
            for effect in effects where effect.table == key.child {
                for values in key.values(of: effect, \.childColumn) {
                    children[ChildKey(key: number, values: values), default: []].append(effect)
                }
            }
        }
        if children.isEmpty { return [] }
        var carried: Set<Int64> = []
        var parents = effects.filter(isRoot)
        while let parent = parents.popLast() {
            for (number, key) in keys.enumerated() where key.parent == parent.table {
                for values in key.values(of: parent, \.parentColumn) {
                    let referring = ChildKey(key: number, values: values)
                    for child in children.removeValue(forKey: referring) ?? [] {
                        if child.table == table { carried.insert(child.rowID) }
                        parents.append(child)
                    }
                }
            }
        }
        return carried
    }

    private struct ChildKey: Hashable {
        let key: Int
        let values: [Cell]
    }
}

extension ForeignKeys.Key {
    func follows(_ change: Effect.Change, isTakenBack: Bool) -> Bool {
        switch change {
        case .insert: isTakenBack
        case .delete: !isTakenBack
        case .update(let cells):
            cells.contains { cell in
                cell.isChanged && pairs.contains { $0.parentColumn == cell.column }
            }
        }
    }

    fileprivate var childColumns: [Int] { pairs.compactMap(\.childColumn) }

    /// Whether the row was one that others could refer to by what it has no more.
    fileprivate func hasChanged(_ row: EffectRecorder.Touched, to new: [Cell]?) -> Bool {
        guard row.key.table == parent, let old = row.old else { return false }
        guard let new else { return true }
        return pairs.contains { new[$0.parentColumn] != old[$0.parentColumn] }
    }

    /// What the row referred to before the command, and once the command has set its columns.
    fileprivate func childValues(of row: EffectRecorder.Touched, now: [Cell]?) -> [[Cell]] {
        guard let old = row.old else { return [] }
        func values(_ cell: (Int) -> Cell) -> [Cell] {
            pairs.compactMap { pair in
                pair.childColumn.map { pair.comparison.form(of: cell($0)) }
            }
        }
        guard let now, row.named != .none else { return [values { old[$0] }] }
        return [values { old[$0] }, values { row.named.contains($0) ? now[$0] : old[$0] }]
    }

    /// What the row has in the key's columns, before and after, as far as that is known.
    fileprivate func values(of effect: Effect, _ column: (ForeignKeys.Pair) -> Int?) -> [[Cell]] {
        [effect.change.before, effect.change.after].compactMap { cells in
            let values = pairs.map { pair in
                let cell = column(pair).flatMap { cells?[$0] }
                return pair.comparison.form(of: cell ?? .null)
            }
            return values.contains { $0 != .null } ? values : nil
        }
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
            if affinity == .text { return .text(SQL.text(of: real)) }
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
