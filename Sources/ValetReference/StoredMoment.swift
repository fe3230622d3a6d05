import Foundation
import ValetModel

/// A date as clocks show it. The calendar is the C library's, so that a mistake in ValetModel's
/// can't hide in both.
struct StoredMoment {
    /// Since 1970.
    let day: Int64
    /// Of the day.
    let second: Int64

    /// nil for what is no date.
    init?(_ cell: Cell, in clock: ZoneClock?) {
        switch cell {
        case .null, .blob: return nil
        case .integer(let seconds): self.init(seconds, in: clock)
        case .real(let seconds):
            guard let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
            self.init(whole, in: clock)
        case .text(let text), .cutText(let text, _):
            self.init(iso: Array(text.utf8), in: clock)
        case .malformedText(let bytes, _): self.init(iso: bytes, in: clock)
        }
    }

    private init(day: Int64, second: Int64) {
        self.day = day
        self.second = second
    }

    private init(_ seconds: Int64, in clock: ZoneClock?) {
        let wall = clock?.wall(second: seconds) ?? seconds
        let (day, rest) = wall.quotientAndRemainder(dividingBy: 86_400)
        self.init(day: rest < 0 ? day - 1 : day, second: rest < 0 ? rest + 86_400 : rest)
    }

    /// A date, alone or with a time: by its shape, in which every digit is 0, and then by the
    /// numbers that stand at the places that the shape gives them.
    private init?(iso text: [UInt8], in clock: ZoneClock?) {
        // The longest: `2009-01-01T13:45:00.123456789+01:00`.
        guard (10...35).contains(text.count) else { return nil }
        let digits = text.map { (0x30...0x39).contains($0) ? 0x30 : $0 }
        var shape = String(decoding: digits, as: UTF8.self).uppercased()[...]
        guard shape.hasPrefix("0000-00-00"), let day = Self.day(text) else { return nil }
        shape = shape.dropFirst(10)
        if shape.isEmpty {
            self.init(day: day, second: 0)
            return
        }
        guard shape.hasPrefix(" 00:00") || shape.hasPrefix("T00:00") else { return nil }
        shape = shape.dropFirst(6)
        let (hour, minute) = (Self.number(text[11..<13]), Self.number(text[14..<16]))
        var second: Int64 = 0
        if shape.hasPrefix(":00") {
            guard Self.number(text[17..<19]) <= 60 else { return nil }
            second = min(Self.number(text[17..<19]), 59)
            shape = shape.dropFirst(3)
            let fraction = shape.hasPrefix(".0") ? shape.dropFirst().prefix { $0 == "0" } : ""
            guard fraction.count <= 9 else { return nil }
            if !fraction.isEmpty { shape = shape.dropFirst(1 + fraction.count) }
        }
        let named = text.suffix(shape.utf8.count)
        let zones = ["", "Z", "+00", "-00", "+0000", "-0000", "+00:00", "-00:00"]
        guard hour < 24, minute < 60, zones.contains(String(shape)),
            named.count < 3 || Self.number(named.dropFirst().prefix(2)) < 24,
            named.count < 5 || Self.number(named.suffix(2)) < 60
        else { return nil }
        let time = hour * 3_600 + minute * 60
        guard let clock else {
            self.init(day: day, second: time + second)
            return
        }
        var ahead: Int64 = 0
        if named.count >= 3 {
            ahead = Self.number(named.dropFirst().prefix(2)) * 3_600
            if named.count >= 5 { ahead += Self.number(named.suffix(2)) * 60 }
            if named.first == UInt8(ascii: "-") { ahead = -ahead }
        }
        self.init(day * 86_400 + time + second - ahead, in: clock)
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
}

// MARK: - What it is called

extension StoredMoment {
    /// Of a day since 1970: its year, its month from 1, and its day in that. The calendar repeats
    /// every 400 years; the C library does not reach the year of every number.
    private var civil: (year: Int64, month: Int64, day: Int64) {
        let (cycles, rest) = day.quotientAndRemainder(dividingBy: 146_097)
        var seconds = time_t(rest * 86_400)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return (
            cycles * 400 + Int64(parts.tm_year) + 1_900, Int64(parts.tm_mon) + 1,
            Int64(parts.tm_mday)
        )
    }

    var year: Int64 { civil.year }
    /// Months since January of the year 0.
    var months: Int64 { civil.year * 12 + civil.month - 1 }
    var hour: Int64 { second / 3_600 }

    /// `2009-01`.
    var isoMonth: String {
        (civil.year < 0 ? "-" : "") + Self.digits(Int64(civil.year.magnitude), 4) + "-"
            + Self.digits(civil.month, 2)
    }

    /// `2009-01-01`.
    var isoDay: String { isoMonth + "-" + Self.digits(civil.day, 2) }

    /// `2024-03-09 14:02:30`; nil outside the years that have four digits.
    var shown: String? {
        guard (0..<10_000).contains(year) else { return nil }
        let time = [hour, second / 60 % 60, second % 60].map { Self.digits($0, 2) }
        return isoDay + " " + time.joined(separator: ":")
    }

    static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
