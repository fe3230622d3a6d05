import ValetModel

/// What a list should be, worked out in the plainest way from the CSV text.
struct NaiveList {
    enum Grouping {
        case firstLetter
        case text(String)
        case number(String)
    }

    struct Row {
        var id: Int
        var cells: [String]
    }

    struct Section {
        var title: String
        var rows: [Row]
    }

    let header: [String]
    let rows: [Row]
    /// The first text column, by which rows inside sections are ordered.
    let title: String
    let textColumns: [String]

    init(csv: String, title: String, textColumns: [String]) {
        var records = NaiveList.parse(csv)
        header = records.removeFirst()
        rows = records.enumerated().map { Row(id: $0 + 1, cells: $1) }
        self.title = title
        self.textColumns = textColumns
    }

    static func parse(_ csv: String) -> [[String]] {
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

    func place(of column: String) -> Int {
        header.firstIndex(of: column)!
    }

    /// The rows of which one of `columns` contains `text`.
    func filtered(_ text: String, in columns: [String]) -> NaiveList {
        let wanted = TextFolding.fold(text)
        let places = columns.map(place)
        return NaiveList(
            self,
            rows: rows.filter { row in
                places.contains { contains(wanted, in: folded(row.cells[$0])) }
            })
    }

    private init(_ list: NaiveList, rows: [Row]) {
        header = list.header
        title = list.title
        textColumns = list.textColumns
        self.rows = rows
    }

    private func contains(_ wanted: [UInt8], in text: [UInt8]) -> Bool {
        guard wanted.count <= text.count else { return false }
        return (0...text.count - wanted.count).contains { text[$0...].starts(with: wanted) }
    }

    /// Missing text is the column's default.
    private func folded(_ text: String) -> [UInt8] {
        TextFolding.fold(text.isEmpty ? "Unknown" : text)
    }

    // MARK: Sections

    private struct Key: Comparable {
        /// What comes last whatever the rest is.
        var isLast: Bool
        var number: Double = 0
        var text: [UInt8] = []

        static func < (left: Key, right: Key) -> Bool {
            if left.isLast != right.isLast { return right.isLast }
            if left.number != right.number { return left.number < right.number }
            return left.text.lexicographicallyPrecedes(right.text)
        }
    }

    func sections(by grouping: Grouping) -> [Section] {
        let titlePlace = place(of: title)
        let keyed = rows.map { row in
            (key: key(of: row, grouping), title: folded(row.cells[titlePlace]), row: row)
        }
        let sorted = keyed.sorted { left, right in
            if left.key != right.key { return left.key < right.key }
            if left.title != right.title {
                return left.title.lexicographicallyPrecedes(right.title)
            }
            return left.row.id < right.row.id
        }
        var sections: [Section] = []
        var last: Key?
        for (key, _, row) in sorted {
            if key != last {
                sections.append(Section(title: sectionTitle(of: row, grouping), rows: []))
            }
            sections[sections.count - 1].rows.append(row)
            last = key
        }
        return sections
    }

    private func key(of row: Row, _ grouping: Grouping) -> Key {
        switch grouping {
        case .firstLetter:
            let letter = TextFolding.firstLetter(ofFolded: folded(row.cells[place(of: title)]))
            let text = letter.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) }
            return Key(isLast: text == nil, text: text ?? [])
        case .text(let column):
            return Key(isLast: false, text: folded(row.cells[place(of: column)]))
        case .number(let column):
            let number = Double(row.cells[place(of: column)])
            return Key(isLast: number == nil, number: number ?? 0)
        }
    }

    private func sectionTitle(of row: Row, _ grouping: Grouping) -> String {
        switch grouping {
        case .firstLetter:
            let letter = TextFolding.firstLetter(ofFolded: folded(row.cells[place(of: title)]))
            return letter.flatMap(Unicode.Scalar.init).map { String($0) } ?? "#"
        case .text(let column), .number(let column):
            let text = row.cells[place(of: column)]
            return text.isEmpty ? "Unknown" : text
        }
    }
}
