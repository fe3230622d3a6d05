import ValetModel
import ValetReference

/// A list as its CSV text has it, whose queries the reference answers. Row ids count from 1.
struct CSVList {
    private let header: [String]
    private let records: [[String]]
    private let description: ListDescription

    /// - Parameter title: the first text column, by which rows inside sections are ordered.
    init(csv: String, title: String, textColumns: [String]) {
        var records = Self.parse(csv)
        header = records.removeFirst()
        self.records = records
        let titleColumn = header.firstIndex(of: title)!
        let scopes =
            [Scope(name: "Any", columns: .columns(Array(header.indices)), match: .words)]
            + header.enumerated().map { Scope(name: $1, columns: .columns([$0]), match: .words) }
        description = ListDescription(
            name: "list", title: "list",
            columns: header.map {
                ColumnDescription(name: $0, type: textColumns.contains($0) ? .text : .real)
            },
            titleColumn: titleColumn,
            groupings: [
                Grouping(
                    name: "A–Z", column: titleColumn, expression: .firstLetter,
                    rowOrder: [SortKey(column: titleColumn)], indexTitles: .none)
            ],
            scopes: scopes, cell: .columns)
    }

    private static func parse(_ csv: String) -> [[String]] {
        var records: [[String]] = []
        var fields: [String] = []
        var field = ""
        var isQuoted = false
        var wasQuote = false
        for scalar in csv.unicodeScalars {
            if isQuoted {
                if scalar == "\"" {
                    (isQuoted, wasQuote) = (false, true)
                } else {
                    field.unicodeScalars.append(scalar)
                }
            } else if scalar == "\"" {
                if wasQuote { field += "\"" }
                isQuoted = true
            } else if scalar == "," || scalar == "\n" {
                fields.append(field)
                field = ""
                if scalar == "\n" {
                    records.append(fields)
                    fields = []
                }
                wasQuote = false
            } else if scalar != "\r" {
                field.unicodeScalars.append(scalar)
            }
        }
        return records
    }

    func arrangement(of query: Query) -> ReferenceArrangement {
        let rows = Dictionary(
            uniqueKeysWithValues: records.enumerated().map { number, fields in
                (Int64(number + 1), zip(fields, description.columns).map(Self.cell))
            })
        return ReferenceArrangement(ReferenceQuery(query, in: description), of: rows)
    }

    private static func cell(_ field: String, _ column: ColumnDescription) -> Cell {
        if column.type == .text { return .text(field) }
        if let number = Int64(field) { return .integer(number) }
        return Double(field).map { .real($0) } ?? .null
    }

    /// As the CSV has them.
    func fields(ofRow id: Int64) -> [String: String] {
        Dictionary(uniqueKeysWithValues: zip(header, records[Int(id) - 1]))
    }
}
