import ValetModel

/// A table as inferred; the catalog file may override it.
struct InferredTable {
    let table: StoredTable
    let samples: [ColumnSample]
    /// Whether a full, non-unique index begins with a column.
    let isIndexed: (_ column: Int) throws(ValetError) -> Bool

    var columns: [ColumnDescription] {
        zip(table.columns, samples).enumerated().map { number, pair in
            let (column, sample) = pair
            return ColumnDescription(
                name: column.name, type: sample.type(declaredAs: column.declaredType),
                isEditable: table.isSettable(number), isRequired: column.isRequired)
        }
    }
}

/// A list and the number of its table; several lists may share a table.
struct PlacedList {
    let list: ListDescription
    let table: Int
    /// Where it is loaded from; nil if it isn't.
    var source: ListSource?
}

/// The YAML file that describes how tables are shown (design, "The catalog").
///
/// Whatever it omits is inferred. What it says must match the database, so that a mistake shows at
/// start and not when a client opens the list.
enum CatalogFile {
    /// The file's lists in its order, then the tables that it does not mention.
    static func lists(
        file: String, tables: [InferredTable], leftOut: [LeftOut]
    ) throws(ValetError) -> [PlacedList] {
        let root = try YAMLValue(file: file)
        let fields = try root.fields(["onlyThese", "lists"])
        let onlyThese = try fields["onlyThese"]?.boolean() ?? false
        let entries = try fields["lists"]?.elements(limit: Limits.lists, of: "lists") ?? []

        var lists: [PlacedList] = []
        var described: [ListEntry] = []
        for entry in entries {
            let list = try ListEntry(entry, tables: tables, leftOut: leftOut)
            let placed = try list.placedList()
            if NameLookup.index(of: list.name, in: lists, by: \.list.name) != nil {
                throw entry.error("two lists are called “\(list.name)”: give one another name")
            }
            lists.append(placed)
            described.append(list)
        }
        if !onlyThese { try addOthers(tables, to: &lists, entries) }
        for entry in described { try entry.checkPickedLists(among: lists.map(\.list)) }
        return lists
    }

    /// The tables that the file does not mention.
    private static func addOthers(
        _ tables: [InferredTable], to lists: inout [PlacedList], _ entries: [YAMLValue]
    ) throws(ValetError) {
        let named = Set(lists.map(\.table))
        for (number, table) in tables.enumerated() where !named.contains(number) {
            if let entry = entries.indices.first(where: { lists[$0].list.name == table.table.name })
            {
                throw entries[entry].error(
                    "another table is called “\(table.table.name)”: give this list another name, "
                        + "or set onlyThese")
            }
            guard lists.count < Limits.lists else { break }
            lists.append(PlacedList(list: CatalogInference.list(of: table), table: number))
        }
    }
}
