import ValetModel

/// What was done to read a file that is not as regular as it should be. No value is lost.
package struct CSVRepairs: Hashable, Sendable {
    /// Columns that had no name, or another's: what they are called now.
    private(set) var named: [String] = []
    /// Rows with fewer fields than the others, which end in empty cells.
    private(set) var short = Lines()
    /// Rows with more, for which there are more columns.
    private(set) var long = Lines()
    /// Lines that are the header again, and no rows.
    private(set) var headers = Lines()

    package init() {}

    struct Lines: Hashable, Sendable {
        var count = 0
        var first = 0

        mutating func add(_ line: Int) {
            if count == 0 { first = line }
            count += 1
        }
    }

    mutating func named(_ column: String) { named.append(column) }
    mutating func short(at line: Int) { short.add(line) }
    mutating func long(at line: Int) { long.add(line) }
    mutating func header(at line: Int) { headers.add(line) }

    package var isEmpty: Bool { self == CSVRepairs() }

    /// For a person, a sentence for each.
    package var words: [String] {
        func rows(_ lines: Lines, _ one: String, _ several: String) -> String? {
            switch lines.count {
            case 0: nil
            case 1: "line \(lines.first) \(one)"
            default: "\(lines.count) rows \(several), the first on line \(lines.first)"
            }
        }
        let columns = named.prefix(Self.columnsTold).map { "“\($0)”" }.joined(separator: ", ")
        let rest = named.count > Self.columnsTold ? " and others" : ""
        return [
            named.isEmpty
                ? nil : "columns without a name of their own are called \(columns)\(rest)",
            rows(
                short, "has fewer fields than the header: the rest is empty",
                "have fewer fields than the header: the rest is empty"),
            rows(
                long, "has more fields than the header: there are columns for them",
                "have more fields than the header: there are columns for them"),
            rows(headers, "is the header again, and no row", "are the header again, and no rows"),
        ].compactMap(\.self)
    }

    private static let columnsTold = 3
}
