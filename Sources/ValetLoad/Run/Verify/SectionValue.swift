import Foundation
import ValetModel

/// What of a cell decides its section, and how a title words it. Written anew from the rules of the
/// catalog, so that a mistake in the server's own code can't hide in both.
struct SectionValue: Equatable, Sendable {
    /// Sections are equal when these are; nil when a cut text leaves that open.
    let key: OrderKey?
    /// Where the section stands among others: numbered ones, `#`, `Unknown`.
    private let group: Int
    /// As the row itself would write it; nil when that can't be known.
    let title: String?

    init(
        _ cell: Cell, of column: ColumnDescription, by expression: SectionExpression,
        usesTwelveHours: Bool = false
    ) {
        let key = OrderKey(cell, of: column)
        switch expression {
        case .none: self.init(key: .missing, group: 0, title: "")
        case .wholeValue:
            if case .text(_, isCut: true) = key {
                self.init(key: nil, group: 0, title: Self.wholeTitle(cell, of: column))
            } else {
                self.init(key: key, group: 0, title: Self.wholeTitle(cell, of: column))
            }
        case .firstLetter: self.init(firstLetterOf: key)
        case .year:
            let year = Self.moment(cell, in: column.zone).map { Self.month(ofDay: $0.day).year }
            self.init(number: year) { String($0) }
        case .month:
            let month = Self.moment(cell, in: column.zone).map { Self.month(ofDay: $0.day) }
            self.init(number: month.map { $0.year * 12 + $0.month }) { _ in nil }
        case .day:
            // Its title is a date, which the key says already.
            self.init(number: Self.moment(cell, in: column.zone)?.day) { _ in nil }
        case .hourOfDay:
            let hour = Self.moment(cell, in: column.zone).map { $0.second / 3_600 }
            self.init(number: hour) {
                usesTwelveHours ? Self.ofTwelve($0) : ($0 < 10 ? "0" : "") + "\($0):00"
            }
        case .ranges(let bounds): self.init(number: Self.range(of: key, in: bounds)) { _ in nil }
        }
    }

    private init(key: OrderKey?, group: Int, title: String?) {
        self.key = key
        self.group = group
        self.title = title
    }

    private init(number: Int64?, title: (Int64) -> String?) {
        if let number {
            self.init(key: .number(number), group: 0, title: title(number))
        } else {
            self.init(key: .missing, group: 2, title: ColumnDescription.unknown)
        }
    }

    private init(firstLetterOf key: OrderKey) {
        switch key {
        case .missing: self.init(key: .missing, group: 2, title: ColumnDescription.unknown)
        case .number, .real, .blob: self.init(key: .missing, group: 1, title: "#")
        case .text(let folded, _):
            guard let letter = TextFolding.firstLetter(ofFolded: folded) else {
                self.init(key: .missing, group: 1, title: "#")
                return
            }
            self.init(
                key: .number(Int64(letter)), group: 0,
                title: Unicode.Scalar(letter).map { String(Character($0)) })
        }
    }

    /// The order of sections; descending reverses only those with a value. nil if it is open.
    static func compare(_ left: Self, _ right: Self, isDescending: Bool) -> Int? {
        if left.group != right.group { return left.group < right.group ? -1 : 1 }
        guard let key = left.key, let other = right.key else { return nil }
        return OrderKey.compare(key, other, isDescending: isDescending)
    }

    private static func ofTwelve(_ hour: Int64) -> String {
        switch hour {
        case 0: "12 AM"
        case 1..<12: "\(hour) AM"
        case 12: "12 PM"
        default: "\(hour - 12) PM"
        }
    }

    private static func wholeTitle(_ cell: Cell, of column: ColumnDescription) -> String? {
        if cell.isMissing {
            return column.isText ? column.defaultText : ColumnDescription.unknown
        }
        switch cell {
        case .null: return ColumnDescription.unknown
        case .integer(1) where column.type == .boolean, .real(1) where column.type == .boolean:
            return "Yes"
        case .integer(0) where column.type == .boolean, .real(0) where column.type == .boolean:
            return "No"
        case .integer(let number): return String(number)
        case .real(let real): return String(real)
        case .text(let text), .cutText(let text, _): return text
        case .malformedText(let bytes, let byteCount):
            return bytes.count < byteCount ? nil : String(decoding: bytes, as: UTF8.self)
        case .blob(_, 1): return "1 byte"
        case .blob(_, let byteCount): return "\(byteCount) bytes"
        }
    }

    private static func range(of key: OrderKey, in bounds: [Double]) -> Int64? {
        switch key {
        case .missing, .text, .blob: return nil
        case .number, .real:
            let reached = bounds.filter {
                OrderKey.compare(key, .real($0), isDescending: false).map { $0 >= 0 } ?? false
            }
            return Int64(reached.count)
        }
    }
}

// MARK: - Moments

extension SectionValue {
    static func moment(
        _ cell: Cell, in clock: ZoneClock?
    ) -> (day: Int64, second: Int64)? {
        switch cell {
        case .null, .blob: return nil
        case .integer(let seconds): return moment(seconds, in: clock)
        case .real(let seconds):
            return Int64(exactly: seconds.rounded(.down)).map { moment($0, in: clock) }
        case .text(let text), .cutText(let text, _): return moment(iso: Array(text.utf8), in: clock)
        case .malformedText(let bytes, _): return moment(iso: bytes, in: clock)
        }
    }

    private static func moment(
        _ seconds: Int64, in clock: ZoneClock?
    ) -> (day: Int64, second: Int64) {
        let wall = clock?.wall(second: seconds) ?? seconds
        let (day, rest) = wall.quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? (day - 1, rest + 86_400) : (day, rest)
    }

    /// A date, alone or with a time: by its shape, in which every digit is 0, and then by the
    /// numbers that stand at the places that the shape gives them.
    private static func moment(
        iso text: [UInt8], in clock: ZoneClock?
    ) -> (day: Int64, second: Int64)? {
        // The longest: `2009-01-01T13:45:00.123456789+01:00`.
        guard (10...35).contains(text.count) else { return nil }
        let digits = text.map { (0x30...0x39).contains($0) ? 0x30 : $0 }
        var shape = String(decoding: digits, as: UTF8.self).uppercased()[...]
        guard shape.hasPrefix("0000-00-00"), let day = day(text) else { return nil }
        shape = shape.dropFirst(10)
        if shape.isEmpty { return (day, 0) }
        guard shape.hasPrefix(" 00:00") || shape.hasPrefix("T00:00") else { return nil }
        shape = shape.dropFirst(6)
        let (hour, minute) = (number(text[11..<13]), number(text[14..<16]))
        var second: Int64 = 0
        if shape.hasPrefix(":00") {
            guard number(text[17..<19]) <= 60 else { return nil }
            second = min(number(text[17..<19]), 59)
            shape = shape.dropFirst(3)
            let fraction = shape.hasPrefix(".0") ? shape.dropFirst().prefix { $0 == "0" } : ""
            guard fraction.count <= 9 else { return nil }
            if !fraction.isEmpty { shape = shape.dropFirst(1 + fraction.count) }
        }
        let named = text.suffix(shape.utf8.count)
        let zones = ["", "Z", "+00", "-00", "+0000", "-0000", "+00:00", "-00:00"]
        guard hour < 24, minute < 60, zones.contains(String(shape)),
            named.count < 3 || number(named.dropFirst().prefix(2)) < 24,
            named.count < 5 || number(named.suffix(2)) < 60
        else { return nil }
        let time = hour * 3_600 + minute * 60
        guard let clock else { return (day, time + second) }
        var ahead: Int64 = 0
        if named.count >= 3 {
            ahead = number(named.dropFirst().prefix(2)) * 3_600
            if named.count >= 5 { ahead += number(named.suffix(2)) * 60 }
            if named.first == UInt8(ascii: "-") { ahead = -ahead }
        }
        return moment(day * 86_400 + time + second - ahead, in: clock)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64 {
        digits.reduce(0) { $0 * 10 + Int64($1) - 0x30 }
    }

    /// The day of `2009-01-01`, if there is such a day. The C library turns others into their
    /// successors: February 30 into a day of March.
    private static func day(_ text: [UInt8]) -> Int64? {
        let (year, month, day) = (number(text[0..<4]), number(text[5..<7]), number(text[8..<10]))
        var parts = tm()
        parts.tm_year = Int32(year - 1_900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        let seconds = timegm(&parts)
        guard parts.tm_mon == month - 1, parts.tm_mday == day else { return nil }
        return Int64(seconds) / 86_400
    }

    /// The calendar repeats every 400 years; the C library does not reach the year of every number.
    /// The month of a day, from 0.
    private static func month(ofDay day: Int64) -> (year: Int64, month: Int64) {
        let (cycles, rest) = day.quotientAndRemainder(dividingBy: 146_097)
        var seconds = time_t(rest * 86_400)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return (cycles * 400 + Int64(parts.tm_year) + 1_900, Int64(parts.tm_mon))
    }
}
