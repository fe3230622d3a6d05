import Foundation
import ValetModel
import ValetStore

/// Dates are read and written by SQLite, whose calendar ends with the year 9999: later and earlier
/// ones are moved by whole cycles of 400 years.
extension QueryOracle {
    private static let secondsPerCycle: Int64 = 146_097 * 86_400

    /// How dates are written, by what follows the day: the second, if it is written, and the bytes
    /// of the zone.
    private static let shapes: [(shape: String, hasTime: Bool, hasSecond: Bool, zone: Int)] = {
        let (digit, day) = ("[0-9]", "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]")
        let two = digit + digit
        let fractions = (1...9).map { "." + String(repeating: digit, count: $0) }
        let seconds = [""] + ([""] + fractions).map { ":" + two + $0 }
        let zones = [
            ("", 0), ("[Zz]", 1), ("[+-]" + two, 3), ("[+-]" + two + two, 5),
            ("[+-]" + two + ":" + two, 6),
        ]
        return [(day, false, false, 0)]
            + seconds.flatMap { second in
                zones.map { zone in
                    ("\(day)[ Tt]\(two):\(two)\(second)\(zone.0)", true, !second.isEmpty, zone.1)
                }
            }
    }()

    /// Reads the texts that are dates. SQLite reads February 30, too, and finds that it is another
    /// day when it counts.
    func learnDates() throws {
        for (shape, hasTime, hasSecond, zone) in Self.shapes {
            func number(_ first: Int, _ count: Int) -> String {
                "CAST(substr(shown, \(first), \(count)) AS INTEGER)"
            }
            let day = "CAST(strftime('%s', substr(shown, 1, 10)) AS INTEGER)"
            let second = hasSecond ? "min(\(number(18, 2)), 59)" : "0"
            let written =
                hasTime
                ? "\(day) + \(number(12, 2)) * 3600 + \(number(15, 2)) * 60 + \(second)" : day
            let sign = "CASE substr(shown, -\(zone), 1) WHEN '-' THEN -1 ELSE 1 END"
            let hours = zone > 1 ? number(1 - zone, 2) : "0"
            let minutes = zone > 3 ? number(-2, 2) : "0"
            try connection.run(
                """
                INSERT INTO dates
                SELECT raw, \(written), \
                \(hasTime ? "\(written) - (\(sign)) * (\(hours) * 3600 + \(minutes) * 60)" : "NULL")
                FROM texts
                WHERE shown GLOB '\(shape)'
                AND date(substr(shown, 1, 10), '+0 days') = substr(shown, 1, 10)
                AND \(hasTime ? "\(number(12, 2)) < 24 AND \(number(15, 2)) < 60" : "1")
                AND \(hasSecond ? "\(number(18, 2)) <= 60" : "1")
                AND \(hours) < 24 AND \(minutes) < 60
                """)
        }
    }

    /// Sets what depends on clocks.
    func tellTheTime() throws {
        try set { column in
            let (value, date) = ("v\(column)", "FROM dates WHERE raw = x\(column)")
            return [
                "w": """
                CASE typeof(\(value)) WHEN 'integer' THEN \(value)
                WHEN 'real' THEN CASE
                WHEN \(value) >= -9223372036854775808.0 AND \(value) < 9223372036854775808.0
                THEN CAST(\(value) AS INTEGER) - (CAST(\(value) AS INTEGER) > \(value)) END
                ELSE (SELECT written \(date)) END
                """,
                "u": "(SELECT utc \(date))",
            ]
        }
        try putOnTheClocks()
        try set { column in
            let wall = "w\(column)"
            let cycle = Self.secondsPerCycle
            let rest = "((\(wall) % \(cycle) + \(cycle)) % \(cycle))"
            let cycles = "(\(Self.floored(wall, by: cycle)))"
            let year =
                "(CAST(strftime('%Y', \(rest), 'unixepoch') AS INTEGER) + 400 * \(cycles))"
            let month = "(CAST(strftime('%m', \(rest), 'unixepoch') AS INTEGER) - 1)"
            let isShown = "\(wall) BETWEEN -62167219200 AND 253402300799"
            return [
                "t": list.columns[column].type == .date
                    ? "CASE WHEN \(isShown) THEN datetime(\(wall), 'unixepoch') END" : "NULL",
                "y": "\(year)",
                "a": "\(year) * 12 + \(month)",
                "d": "\(Self.floored(wall, by: 86_400))",
                "h": "((\(wall) % 86400 + 86400) % 86400) / 3600",
            ]
        }
    }

    /// SQL for a quotient, rounded down.
    private static func floored(_ number: String, by divisor: Int64) -> String {
        "CASE WHEN \(number) >= 0 THEN \(number) / \(divisor)"
            + " ELSE (\(number) + 1) / \(divisor) - 1 END"
    }

    /// In a list with a zone, moments of date columns are in UTC; days alone are not.
    private func putOnTheClocks() throws {
        guard let zone = list.timeZone.flatMap(TimeZone.init(identifier:)) else { return }
        let insert = try connection.prepare("INSERT OR IGNORE INTO clocks VALUES (?, ?)")
        for (column, description) in list.columns.enumerated() where description.type == .date {
            let isNumber = "typeof(v\(column)) != 'text'"
            let utc = "CASE WHEN \(isNumber) THEN w\(column) ELSE u\(column) END"
            var seconds: [Int64] = []
            try connection.forEach("SELECT DISTINCT \(utc) FROM shadow WHERE \(utc) NOT NULL") {
                seconds.append($0.integer(0))
            }
            for second in seconds {
                let date = Date(timeIntervalSince1970: Double(second))
                let ahead = Int64(zone.secondsFromGMT(for: date))
                let (wall, isBeyond) = second.addingReportingOverflow(ahead)
                insert.bind(second, at: 0)
                insert.bind(isBeyond ? second : wall, at: 1)
                _ = try insert.step()
                insert.reset()
            }
            try connection.run(
                """
                UPDATE shadow SET w\(column) = (SELECT wall FROM clocks WHERE utc = \(utc))
                WHERE \(utc) NOT NULL
                """ as SQLPiece)
        }
    }

    /// The seconds that a text names, as the value of a condition on dates.
    func span(_ text: String) throws -> Range<Int64>? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let first = try simpleSpan(parts[0]),
            let last = try simpleSpan(parts[parts.count - 1]),
            first.lowerBound < last.upperBound
        else { return nil }
        return first.lowerBound..<last.upperBound
    }

    /// A day and a time with a space between.
    static func withoutT(_ text: String) -> String {
        text.replacing("T", with: " ").replacing("t", with: " ")
    }

    private func simpleSpan(_ text: String) throws -> Range<Int64>? {
        let units = [4: "year", 7: "month", 10: "day", 13: "hour", 16: "minute", 19: "second"]
        guard let unit = units[text.utf8.count] else { return nil }
        let written = Self.withoutT(text)
        let whole = written + "0000-01-01 00:00:00".dropFirst(written.count)
        var span: Range<Int64>?
        let find: SQLPiece = """
            SELECT strftime('%s', whole),
            coalesce(strftime('%s', whole, '+1 \(unit)'), 253402300800)
            FROM (SELECT \(value: .text(whole)) AS whole) WHERE datetime(whole, '+0 days') = whole
            """
        try connection.forEach(find) {
            guard let first = Int64($0.text(0) ?? ""), let end = Int64($0.text(1) ?? "") else {
                return
            }
            span = first..<end
        }
        return span
    }
}
