import Foundation
import ValetModel
import ValetStore

/// What queries must find, by SQL on the served file.
///
/// What SQLite can't do (fold texts, find a first letter, count characters, write reals, know the
/// clocks of zones) is done once for each distinct value, into tables of the connection's own.
/// Column 3 of the list is there as `v3`, the value, and
///
///     m3  1 if it is missing
///     x3  the bytes of a text, or of the default that stands for it
///     k3  0 for numbers, 1 for texts, 2 for blobs, 3 for what is missing
///     n3  the number
///     f3  the folded text
///     b3  the bytes of a blob
///     s3  the title of its section
///     o3  what a search looks at
///     c3  its characters
///     l3  the first letter
///     w3  the second that clocks show, if it is a date, as if in UTC
///     t3  the date as it is shown, in a column of dates
///     y3, a3, d3, h3  year, months since the year 0, day since 1970, hour of the day
final class QueryOracle {
    let list: ListDescription
    let connection: Connection
    private let titles: [String: String]

    /// - Parameter titles: by name, what columns of titles have, in terms of the alias `s`.
    init(path: String, list: ListDescription, titles: [String: String]) throws {
        self.list = list
        self.titles = titles
        connection = try Connection(path: path)
        try connection.run(Self.tables)
        try copyRows()
        try learnTexts()
        try learnReals()
        try learnDates()
        try describe()
    }

    private static let tables = """
        CREATE TEMP TABLE texts (
            raw BLOB PRIMARY KEY, shown TEXT, folded BLOB, letter INTEGER, characters INTEGER);
        CREATE TEMP TABLE reals (number PRIMARY KEY, digits TEXT);
        CREATE TEMP TABLE dates (raw BLOB PRIMARY KEY, written INTEGER, utc INTEGER);
        CREATE TEMP TABLE clocks (utc INTEGER PRIMARY KEY, wall INTEGER);
        CREATE TEMP TABLE answer (
            ordinal INTEGER PRIMARY KEY, section INTEGER, title TEXT, id INTEGER);
        CREATE INDEX answer_ids ON answer (id);
        """

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    private func copyRows() throws {
        let columns = list.columns.indices
        let names = columns.flatMap { column in "vmxknfbsocl".map { "\($0)\(column)" } }
        let times = columns.flatMap { column in "uwtyadh".map { "\($0)\(column)" } }
        try connection.run(
            "CREATE TEMP TABLE shadow (id INTEGER PRIMARY KEY, "
                + (names + times).joined(separator: ", ") + ")")
        try connection.run(
            "INSERT INTO shadow (id, " + columns.map { "v\($0)" }.joined(separator: ", ")
                + ") SELECT rowid, "
                + list.columns.map { titles[$0.name] ?? "s." + Self.quoted($0.name) }
                .joined(separator: ", ") + " FROM \(Self.quoted(list.name)) AS s")
        try set { column in
            let value = "v\(column)"
            return ["m": "\(value) IS NULL OR typeof(\(value)) = 'text' AND \(value) = ''"]
        }
        try set { column in
            let isText = "typeof(v\(column)) = 'text' AND NOT m\(column)"
            return ["x": "CASE WHEN \(isText) THEN CAST(v\(column) AS BLOB) END"]
        }
    }

    /// Sets columns of all rows: names without numbers, and what they are.
    func set(_ values: (Int) throws -> [String: SQLPiece]) throws {
        var parts: [SQLPiece] = []
        for column in list.columns.indices {
            parts += try values(column).map { "\($0)\(column) = \($1)" }
        }
        try connection.run("UPDATE shadow SET \(SQLPiece.joined(parts, by: ", "))" as SQLPiece)
    }

    private func learnTexts() throws {
        let insert = try connection.prepare("INSERT OR IGNORE INTO texts VALUES (?, ?, ?, ?, ?)")
        for column in list.columns.indices {
            let find: SQLPiece = "SELECT DISTINCT x\(column) FROM shadow WHERE x\(column) NOT NULL"
            var texts: [[UInt8]] = []
            try connection.forEach(find) { texts.append($0.byteArray(0)) }
            for raw in texts {
                var folded: [UInt8] = []
                raw.withUnsafeBytes { TextFolding.fold($0, into: &folded) }
                let shown = String(decoding: raw, as: UTF8.self)
                raw.withUnsafeBytes { insert.bind(blob: $0, at: 0) }
                insert.bind(shown, at: 1)
                folded.withUnsafeBytes { insert.bind(blob: $0, at: 2) }
                if let letter = TextFolding.firstLetter(ofFolded: folded) {
                    insert.bind(Int64(letter), at: 3)
                } else {
                    insert.bindNull(at: 3)
                }
                insert.bind(Int64(shown.count), at: 4)
                _ = try insert.step()
                insert.reset()
            }
        }
    }

    private func learnReals() throws {
        let insert = try connection.prepare("INSERT OR IGNORE INTO reals VALUES (?, ?)")
        for column in list.columns.indices {
            let find: SQLPiece =
                "SELECT DISTINCT v\(column) FROM shadow WHERE typeof(v\(column)) = 'real'"
            var reals: [Double] = []
            try connection.forEach(find) {
                if case .real(let real) = $0.value(0) { reals.append(real) }
            }
            for real in reals {
                insert.bind(real, at: 0)
                insert.bind("\(real)", at: 1)
                _ = try insert.step()
                insert.reset()
            }
        }
    }

    private func describe() throws {
        try set { column in
            let value = "v\(column)"
            func ofText(_ name: String) -> String {
                "(SELECT \(name) FROM texts WHERE raw = x\(column))"
            }
            let digits = """
                CASE typeof(\(value)) WHEN 'real'
                THEN (SELECT digits FROM reals WHERE number = \(value))
                ELSE CAST(\(value) AS TEXT) END
                """
            let (isNumber, isBlob) =
                ("typeof(\(value)) IN ('integer', 'real')", "typeof(\(value)) = 'blob'")
            let isText = "x\(column) NOT NULL"
            let yesAndNo =
                list.columns[column].type == .boolean
                ? "WHEN \(isNumber) AND \(value) = 1 THEN 'Yes'"
                    + " WHEN \(isNumber) AND \(value) = 0 THEN 'No'" : ""
            return [
                "k": """
                CASE WHEN \(isText) THEN 1 WHEN \(isNumber) THEN 0 WHEN \(isBlob) THEN 2
                ELSE 3 END
                """,
                "n": "CASE WHEN \(isNumber) THEN \(value) END",
                "f": "\(ofText("folded"))",
                "b": "CASE WHEN \(isBlob) THEN length(\(value)) END",
                "s": """
                CASE WHEN \(isText) THEN \(ofText("shown")) \(yesAndNo)
                WHEN \(isNumber) THEN \(digits)
                WHEN \(isBlob) THEN length(\(value)) || iif(length(\(value)) = 1, ' byte', ' bytes')
                ELSE '–' END
                """,
                "o": """
                CASE WHEN \(isText) THEN \(ofText("folded"))
                WHEN \(isNumber) THEN CAST(lower(\(digits)) AS BLOB) END
                """,
                "c": """
                CASE WHEN \(isText) THEN \(ofText("characters"))
                WHEN \(isNumber) THEN length(\(digits)) END
                """,
                "l": "\(ofText("letter"))",
            ]
        }
        try tellTheTime()
    }
}
