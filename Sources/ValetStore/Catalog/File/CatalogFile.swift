import ValetModel

/// A table as inferred; the catalog file may override it.
struct InferredTable {
    let table: StoredTable
    let samples: [ColumnSample]
    /// Whether a full, non-unique index begins with a column.
    let isIndexed: (_ column: Int) throws(ValetError) -> Bool
    /// Whether each value of a column names one row at most, as another column stores them.
    let isKey: (_ column: Int, _ other: StoredColumn) throws(ValetError) -> Bool

    var columns: [ColumnDescription] {
        zip(table.columns, samples).enumerated().map { number, pair in
            let (column, sample) = pair
            let type = sample.type(declaredAs: column.declaredType)
            let isKey =
                column.placeInPrimaryKey > 0 || table.references.contains { $0.column == number }
            let counts =
                type == .integer && sample.suggestsThousands && !isKey && column.name.isOfAmounts
            return ColumnDescription(
                name: column.name, type: type,
                isEditable: table.isSettable(number), isRequired: column.isRequired,
                format: counts ? .number(decimals: nil, isGrouped: true) : .plain)
        }
    }

    /// What is known of a column; of one of titles, that of their keys.
    func sample(of column: Int, in columns: [ColumnDescription]) -> ColumnSample {
        samples[columns[column].keyColumn ?? column]
    }

    var referable: ReferableList {
        referable(as: table.name, columns: columns)
    }

    func referable(
        as name: String, columns: [ColumnDescription], titleColumn: Int? = nil,
        hasAllRows: Bool = true
    ) -> ReferableList {
        ReferableList(
            name: name, table: table, columns: columns, titleColumn: titleColumn,
            hasAllRows: hasAllRows, isKey: isKey,
            isShared: { sample(of: $0, in: columns).suggestsSections })
    }
}

extension String {
    /// Whether a column of this name may count something: its numbers are no names of rows, years,
    /// codes or calls.
    fileprivate var isOfAmounts: Bool {
        let words = split { !$0.isLetter }.flatMap { part in
            part.reduce(into: [""]) { words, letter in
                if letter.isUppercase, words.last?.last?.isLowercase == true { words.append("") }
                words[words.count - 1].append(letter)
            }
        }
        return words.allSatisfy { !Self.wordsOfNames.contains($0.lowercased()) }
    }

    private static let wordsOfNames: Set<String> = [
        "id", "ids", "key", "code", "codes", "zip", "plz", "postcode", "postal", "phone", "tel",
        "fax", "mobile", "year", "yr", "number", "no", "nr", "num", "isbn", "ean", "upc", "sku",
        "ref", "pid", "port", "version", "hash", "rowid", "guid", "uuid", "serial", "vin", "asin",
        "geonameid", "time", "timestamp", "epoch", "date", "order", "rank", "position", "place",
    ]
}

/// A list and the number of its table; several lists may share a table.
struct PlacedList {
    let list: ListDescription
    let table: Int
    var titles: [TitleSource] = []
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

        var described: [ListEntry] = []
        for entry in entries {
            let list = try ListEntry(entry, tables: tables, leftOut: leftOut)
            if NameLookup.index(of: list.name, in: described, by: \.name) != nil {
                throw entry.error("two lists are called “\(list.name)”: give one another name")
            }
            described.append(list)
        }
        let others = onlyThese ? [] : try self.others(among: tables, beside: described)
        let known = described.map(\.referable) + others.map { tables[$0].referable }
        let lists =
            try described.map { list throws(ValetError) in try list.placedList(among: known) }
            + others.map { CatalogInference.list(of: tables[$0], number: $0, among: known) }
        for (entry, placed) in zip(described, lists) {
            try entry.checkPickedLists(of: placed.list.columns, among: lists.map(\.list))
        }
        return lists
    }

    /// The tables that the file does not mention.
    private static func others(
        among tables: [InferredTable], beside described: [ListEntry]
    ) throws(ValetError) -> [Int] {
        let named = Set(described.map(\.tableNumber))
        let others = tables.indices.filter { !named.contains($0) }
        for other in others {
            let name = tables[other].table.name
            guard let entry = described.first(where: { $0.name == name }) else { continue }
            throw entry.value.error(
                "another table is called “\(name)”: give this list another name, or set onlyThese")
        }
        return Array(others.prefix(max(0, Limits.lists - described.count)))
    }
}
