import TestSupport
import ValetModel
import ValetStore

/// A table of what is hard to order, to search and to compare, and a catalog for it.
struct RandomTable {
    let path: String
    let catalogPath: String?

    init(seed: UInt64, in folder: TemporaryFolder) throws {
        var source = RandomCells(seed: seed)
        path = folder.file("\(seed).db")
        let connection = try Connection(path: path, access: .create)
        let writer = try TableWriter(on: connection, table: "things", columns: Self.columns)
        for _ in 0..<source.rowCount {
            for (place, column) in Self.columns.enumerated() {
                writer.row.bind(source.cell(of: column.name), at: place)
            }
            try writer.insertRow()
        }
        try writer.commit()
        try connection.run(Self.changes)
        catalogPath =
            source.isDescribed ? folder.write(source.catalog, to: "\(seed).yaml") : nil
    }

    /// What the columns of titles must have, in terms of the alias `s`.
    static let titles = ["link word": "(SELECT word FROM words WHERE words.id = s.link)"]

    /// Row ids have gaps, and some are far away.
    private static let changes = """
        PRAGMA foreign_keys = OFF;
        CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT);
        INSERT INTO words SELECT rowid, name FROM things WHERE rowid < 20;
        ALTER TABLE things ADD COLUMN link INTEGER REFERENCES words (id);
        UPDATE things SET link = rowid * 7 % 23 WHERE rowid % 13;
        DELETE FROM things WHERE rowid % 7 = 3;
        UPDATE things SET rowid = -rowid WHERE rowid % 11 = 5;
        UPDATE things SET rowid = 9223372036854775000 + rowid WHERE rowid IN (4, 40, 400);
        """

    private static let columns = [
        NewColumn("name", .text), NewColumn("kind", .text), NewColumn("count", .integer),
        NewColumn("size", .real), NewColumn("day", .date), NewColumn("at", .datetime),
        NewColumn("seen \"at\"", .datetime), NewColumn("ok", .boolean), NewColumn("Any", .any),
        NewColumn("few", .integer),
    ]
}

extension Statement {
    fileprivate func bind(_ cell: Cell, at place: Int) {
        switch cell {
        case .null: bindNull(at: place)
        case .integer(let number): bind(number, at: place)
        case .real(let real): bind(real, at: place)
        case .text(let text), .cutText(let text, _): bind(text, at: place)
        case .malformedText(let bytes, _):
            bytes.withUnsafeBytes { bind(text: $0, at: place) }
        case .blob(let bytes, _): bytes.withUnsafeBytes { bind(blob: $0, at: place) }
        }
    }
}

/// The values of a random table.
private struct RandomCells {
    private var numbers: SeededNumbers
    let rowCount: Int
    let isDescribed: Bool
    private let zone: String?
    /// Whether columns of dates hold other things, too; the catalog calls them dates.
    private let isUnclean: Bool
    /// Whether the list has only some rows of the table.
    private let isPart: Bool

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        let zones = ["Europe/Zurich", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]
        let zone = zones[numbers.below(zones.count)]
        self.zone = numbers.below(2) == 0 ? zone : nil
        // A chunk of a column has 4,096 rows.
        rowCount =
            [0, 1, 40, 40, 40, 150, 150, 150, 150, 400, 400, 400, 400, 900, 900, 5_000][
                numbers.below(16)]
        isDescribed = numbers.below(3) > 0
        let isUnclean = numbers.below(2) == 0
        self.isUnclean = isDescribed && isUnclean
        isPart = numbers.below(3) == 0
    }

    mutating func cell(of column: String) -> Cell {
        if numbers.below(12) == 0 { return numbers.below(2) == 0 ? .null : .text("") }
        switch column {
        case "name": return text()
        case "kind": return .text(Self.kinds[numbers.below(Self.kinds.count)])
        case "count": return .integer(integer())
        case "size": return .real(real())
        case "day":
            return isUnclean && numbers.below(6) == 0 ? oddity() : .text(day())
        case "at":
            return isUnclean && numbers.below(6) == 0 ? oddity() : .integer(second())
        case "ok": return .integer(Int64(numbers.below(2)))
        case "Any": return anything()
        case "few": return .integer(Int64(numbers.below(7)))
        default: return isUnclean && numbers.below(6) == 0 ? oddity() : .text(moment())
        }
    }

    private static let kinds = ["Auto", "auto", "Äuto", "Boot", "Zug", "zug ", "–", "#9"]
    private static let texts = [
        "Citroën", "citroen", "CITROËN", "Straße", "STRASSE", "O'Brien", "say \"hi\" twice", "ﬁn",
        "İstanbul", "Ǆ", "한글", "Ἀθῆναι", "αθηναι", "\u{301}", "  ", "1984", "1984-05-06", "3.0",
        "日本", "unknown", "UNKNOWN", "Z", "é", "e\u{301}", "-5", "a b c", "tab\tx", "zażółć", "😀",
        "ß", "ss", "100 %", "under_score", "[x]", "*", "?", "Ωmega", "ωMEGA", "2024-03-31 02:30",
    ]

    private mutating func text() -> Cell {
        switch numbers.below(8) {
        case 0..<4: return .text(Self.texts[numbers.below(Self.texts.count)])
        case 4:
            return .malformedText(
                bytes: [0x66, 0xFF, UInt8(0x61 + numbers.below(3))], byteCount: 3)
        case 5: return .text(HostileText.sql[numbers.below(HostileText.sql.count)])
        default:
            let letters = Array("abcABÄä 1-")
            return .text(
                String((0...numbers.below(6)).map { _ in letters[numbers.below(letters.count)] }))
        }
    }

    private mutating func integer() -> Int64 {
        let edges: [Int64] = [
            .min, .min + 1, .max, .max - 1, 0, -1, 1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1,
            1 << 31, 253_402_300_800, -62_167_219_201,
        ]
        return numbers.below(3) == 0
            ? edges[numbers.below(edges.count)] : Int64(numbers.below(2_000)) - 1_000
    }

    private mutating func real() -> Double {
        let edges: [Double] = [
            0.1, -0.1, 1e300, -1e300, .leastNonzeroMagnitude, 0x1p53, 0x1p63, -0x1p63, 1e20, 2.5,
            1e-7, .infinity,
            -.infinity, 1e16,
        ]
        return numbers.below(3) == 0
            ? edges[numbers.below(edges.count)] : Double(numbers.below(4_000) - 2_000) / 8
    }

    private mutating func two(_ first: Int, _ count: Int) -> String {
        CivilTime.padded(Int64(first + numbers.below(count)), to: 2)
    }

    private mutating func day() -> String {
        "\(1_950 + numbers.below(100))-\(two(1, 12))-\(two(1, 28))"
    }

    private mutating func second() -> Int64 {
        let edges: [Int64] = [0, -1, 86_399, 1_711_846_799, 1_711_846_800, 1_729_990_800]
        return numbers.below(4) == 0
            ? edges[numbers.below(edges.count)] + Int64(numbers.below(3_600))
            : Int64(numbers.below(3_000_000_000)) - 500_000_000
    }

    private mutating func moment() -> String {
        var text = day() + [" ", "T", "t"][numbers.below(3)] + two(0, 24) + ":" + two(0, 60)
        if numbers.below(2) == 0 {
            text += ":" + two(0, 61) + ["", ".5", ".123456789"][numbers.below(3)]
        }
        return text + ["", "", "Z", "z", "+05", "-0330", "+13:00"][numbers.below(7)]
    }

    /// What is no date, or hardly one.
    private mutating func oddity() -> Cell {
        switch numbers.below(9) {
        case 0: .text("2024-02-30")
        case 1: .text("2024-02-29")
        case 2: .text(day() + " 24:00")
        case 3: .text("yesterday")
        case 4: .text(day() + " 10:00:00.1234567890")
        case 5: .integer(253_402_300_800 + Int64(numbers.below(1_000_000_000)))
        case 6: .integer(-62_167_300_000 - Int64(numbers.below(1_000_000_000)))
        case 7: .real(Double(second()) + 0.75)
        default: .blob(bytes: [1, 2, 3], byteCount: 3)
        }
    }

    private mutating func anything() -> Cell {
        switch numbers.below(6) {
        case 0: return .integer(integer())
        case 1: return .real(real())
        case 2:
            let count = numbers.below(4)
            return .blob(bytes: Array(repeating: 7, count: count), byteCount: count)
        case 3: return .text(numbers.below(2) == 0 ? day() : moment())
        default: return text()
        }
    }

    var catalog: String {
        """
        lists:
          - name: things
        \(zone.map { "    timeZone: \($0)" } ?? "    title: Things")
            conditions: \(isPart ? "[few < 6, kind present]" : "[]")
            columns:
              name: {default: nobody}
              day: {type: date}
              at: {type: date}
              'seen "at"': {type: date}
            groupings:
              - {name: Letters, column: name, section: firstLetter, descending: true}
              - {name: Kinds, column: kind, section: wholeValue, title: "a {}!", order: [-count]}
              - {name: Down, column: Any, section: wholeValue, descending: true, order: [few]}
              - {name: Years, column: at, section: year, descending: true, order: [-at, name]}
              - {name: Months, column: day, section: month, descending: true}
              - {name: Hours, column: 'seen "at"', section: hourOfDay, hours: 12, order: [size]}
              - {name: Sizes, column: size, section: {ranges: [-10, 0, 2.5]}, descending: true}
              - {name: Links, column: link word, section: wholeValue, order: [few, name]}
              - {name: Flat, section: none, order: [few, -size]}
            scopes:
              - {name: Words, columns: [name, kind, count, size, day, at, link word], match: words}
              - {name: Part, columns: [name, kind, day, at, count], match: contains}
              - {name: Start, columns: [name, Any, size], match: beginsWith, flat: true}
              - {name: Short, columns: [name, kind, Any], match: contains, lengths: [1, 4]}
              - {name: Group, columns: grouping, match: contains}
              - {name: Some, columns: [kind, Any, 'seen "at"'], match: words, flat: true,
                 conditions: [kind != zug]}
        """
    }
}
