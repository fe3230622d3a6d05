import ValetModel

/// Keeps lists that show titles of other rows in step with these: what a commit did to a row is
/// completed by the title of the row that it refers to, and what it did to titles is told to the
/// lists whose rows refer to them.
///
/// Titles are read at the end of the transaction, so that all of its commands have had their say.
final class ShownTitles {
    /// A column of titles, and its list.
    fileprivate struct Shown {
        let list: Int
        let source: TitleSource
        /// Of the writer's tables, that with the titles; nil for one that it does not write.
        let table: Int?
        /// Its columns.
        let key: Int
        let names: [Int]
        let isRowID: Bool
    }

    private let shown: [Shown]
    private let prepared: PreparedStatements

    init(_ database: Database, _ numbers: [String: Int], _ prepared: PreparedStatements) {
        self.prepared = prepared
        let tables = Dictionary(
            database.schema.tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        shown = database.titles.enumerated().flatMap { list, sources in
            sources.compactMap { source in
                guard let table = tables[source.table], let key = table.column(named: source.key)
                else { return nil }
                return Shown(
                    list: list, source: source, table: numbers[source.table], key: key,
                    names: source.names.compactMap(table.column(named:)),
                    isRowID: key == table.rowIDColumn)
            }
        }
    }

    /// The lists that show titles of these tables, as `SQL.caseFolded` has their names.
    func lists(showing tables: [String]) -> Set<Int> {
        if tables.isEmpty { return [] }
        return Set(
            shown.filter { tables.contains(SQL.caseFolded($0.source.table)) }.map(\.list))
    }

    /// The lists that show titles of a table beside these, whose rows nobody has noted.
    func lists(showingOthersThan tables: Set<Int>) -> Set<Int> {
        Set(shown.filter { $0.table.map { !tables.contains($0) } ?? true }.map(\.list))
    }

    /// The keys of the rows whose titles the effects of a command may have changed.
    ///
    /// - Parameter table: of the writer's tables, by an effect's place of it.
    func keys(touchedBy effects: [Effect], table: (Effect) -> Int) -> [TouchedKey] {
        if shown.isEmpty { return [] }
        var keys: [TouchedKey] = []
        for effect in effects {
            for (number, column) in shown.enumerated() where column.table == table(effect) {
                let cells = column.keys(of: effect)
                keys += cells.map { TouchedKey(column: number, key: $0) }
            }
        }
        return keys
    }

    /// The key of a row whose title, as one column shows it, may have changed.
    struct TouchedKey: Hashable {
        fileprivate let column: Int
        fileprivate let key: Cell
    }

    /// Completes what a batch did by the titles as they are now.
    ///
    /// - Parameter touched: by command.
    func complete(
        _ batch: inout CommittedBatch, touched: [TouchedKey]
    ) throws(ValetError) {
        if shown.isEmpty { return }
        var read: [TouchedKey: Cell] = [:]
        for command in batch.commands.indices {
            for place in batch.commands[command].effects.indices {
                let list = batch.commands[command].effects[place].list
                guard shown.contains(where: { $0.list == list }) else { continue }
                let isKnown = try complete(
                    &batch.commands[command].effects[place].changes, ofList: list, &read)
                if !isKnown { batch.commands[command].unknownLists.insert(list) }
            }
        }
        for key in Set(touched) {
            let (list, source) = (shown[key.column].list, shown[key.column].source)
            guard let title = try title(key, &read) else {
                batch.commands[batch.commands.count - 1].unknownLists.insert(list)
                continue
            }
            batch.titles[list, default: [:]][
                source.column, default: TitleChanges(keyColumn: source.keyColumn)
            ].titles[key.key] = title
        }
    }

    /// The same for rows that others have changed.
    ///
    /// - Returns: false if a title is not known.
    func complete(
        _ changes: inout [RowChange], ofList list: Int
    ) throws(ValetError) -> Bool {
        var read: [TouchedKey: Cell] = [:]
        return try complete(&changes, ofList: list, &read)
    }

    private func complete(
        _ changes: inout [RowChange], ofList list: Int, _ read: inout [TouchedKey: Cell]
    ) throws(ValetError) -> Bool {
        let columns = shown.indices.filter { shown[$0].list == list }
        var areKnown = true
        for place in changes.indices {
            var cells: [Int: Cell]
            switch changes[place] {
            case .insert(_, let given), .update(_, let given): cells = given
            case .delete: continue
            }
            for column in columns {
                let source = shown[column].source
                guard let key = cells[source.keyColumn] else { continue }
                let title = try title(TouchedKey(column: column, key: key), &read)
                if title == nil { areKnown = false }
                cells[source.column] = title ?? .null
            }
            switch changes[place] {
            case .insert(let rowID, _): changes[place] = .insert(rowID: rowID, cells: cells)
            case .update(let rowID, _): changes[place] = .update(rowID: rowID, cells: cells)
            case .delete: break
            }
        }
        return areKnown
    }

    /// NULL if no row has the key; nil for a key that isn't known whole.
    private func title(
        _ key: TouchedKey, _ read: inout [TouchedKey: Cell]
    ) throws(ValetError) -> Cell? {
        switch key.key {
        case .null: return .null
        case .malformedText, .cutText, .blob: return nil
        case .integer, .real, .text: break
        }
        if let known = read[key] { return known }
        let source = shown[key.column].source
        let found = try prepared.run(SQL.title(of: source), [key.key]) { row in
            row.cell(0, limit: Limits.bytesPerKeyText).key
        }
        read[key] = found ?? .null
        return found ?? .null
    }
}

extension ShownTitles.Shown {
    /// Before the effect, and after it.
    fileprivate func keys(of effect: Effect) -> Set<Cell> {
        switch effect.change {
        case .insert(let cells), .delete(let cells):
            return isRowID ? [.integer(effect.rowID)] : [cells[key].key]
        case .update(let cells):
            let isTouched = cells.contains {
                $0.isChanged && ($0.column == key || names.contains($0.column))
            }
            guard isTouched else { return [] }
            if isRowID { return [.integer(effect.rowID)] }
            return Set(cells.filter { $0.column == key }.flatMap { [$0.old.key, $0.new.key] })
        }
    }
}

extension Database {
    /// The columns of a table by whose values rows of others refer to its rows, but for its row id.
    func referredColumns(ofTable name: String) -> Set<Int> {
        guard let table = schema.tables.first(where: { $0.name == name }) else { return [] }
        let keys = titles.joined().filter { $0.table == name }.compactMap {
            table.column(named: $0.key)
        }
        return Set(keys).subtracting([table.rowIDColumn].compactMap(\.self))
    }
}
