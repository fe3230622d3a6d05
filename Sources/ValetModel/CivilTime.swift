/// A calendar day and a time of day, from seconds since 1970 in UTC or from ISO 8601 text.
///
/// Days are counted from 1970-01-01 by the proleptic Gregorian calendar; the arithmetic is Howard
/// Hinnant's (https://howardhinnant.github.io/date_algorithms.html).
package struct CivilTime: Equatable, Sendable {
    package let days: Int64
    package let minuteOfDay: Int64

    package init(days: Int64, minuteOfDay: Int64) {
        self.days = days
        self.minuteOfDay = minuteOfDay
    }

    package var year: Int64 { Self.civil(fromDays: days).year }
    package var hour: Int64 { minuteOfDay / 60 }
    package var minute: Int64 { minuteOfDay % 60 }

    /// Seconds since 1970 in the years 0 to 9999. A larger number is more likely in milliseconds.
    package static let usualSeconds: Range<Int64> = -62_167_219_200..<253_402_300_800

    package init(secondsSince1970 seconds: Int64) {
        days = seconds.quotientFloor(86_400)
        // `seconds − days · 86,400` would overflow for days near the 64-bit minimum.
        let remainder = seconds % 86_400
        minuteOfDay = (remainder < 0 ? remainder + 86_400 : remainder) / 60
    }

    /// nil when whole seconds do not fit 64 bits.
    package init?(secondsSince1970 seconds: Double) {
        guard let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
        self.init(secondsSince1970: whole)
    }
}

// MARK: ISO 8601

extension CivilTime {
    /// Parses a date, or a date and a time; nil for anything else, including impossible days.
    ///
    /// ```
    /// date  YYYY-MM-DD
    /// time  behind a space or T: HH:MM, HH:MM:SS, or HH:MM:SS. and 1 to 9 digits
    /// zone  behind a time: Z, ±HH:MM, ±HHMM or ±HH
    /// ```
    ///
    /// T and Z may be lower case; second 60 is a leap second. A zone does not shift the day or the
    /// hour, so that a row stands in the section that its text names.
    package init?(iso8601 text: UnsafeRawBufferPointer) {
        var reader = ISO8601Reader(text)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2),
            let days = Self.days(year: year, month: month, day: day)
        else { return nil }
        self.days = days
        if reader.isAtEnd {
            minuteOfDay = 0
            return
        }
        guard reader.skip(" ") || reader.skip("T"), let minute = reader.minuteOfDay(),
            reader.skipZone(), reader.isAtEnd
        else { return nil }
        minuteOfDay = minute
    }

    /// `2009-01-01`.
    package static func isoDay(_ days: Int64) -> String {
        let (year, month, day) = civil(fromDays: days)
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    /// `13:45`.
    package var isoMinute: String { "\(Self.padded(hour, to: 2)):\(Self.padded(minute, to: 2))" }

    /// Parses what `isoDay` writes, including years that are negative or longer than four digits.
    package static func day(title: String) -> Int64? {
        let parts = title.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[parts.count - 2].count == 2,
            parts[parts.count - 1].count == 2,
            let year = Int64(title.dropLast(6)), year.magnitude < 1 << 40,
            let month = Int64(parts[parts.count - 2]), let day = Int64(parts[parts.count - 1])
        else { return nil }
        return days(year: year, month: month, day: day)
    }

    package static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}

/// The unread rest of a text that may be a date.
private struct ISO8601Reader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ text: UnsafeRawBufferPointer) {
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number(digits: Int) -> Int64? {
        let taken = rest.prefix(digits)
        guard taken.count == digits, taken.allSatisfy(Self.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return taken.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Consumes the character if it comes next, in either case.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        let byte = UInt8(ascii: character)
        let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        guard let next = rest.first, next == byte || isLetter && next == byte | 0x20 else {
            return false
        }
        rest = rest.dropFirst()
        return true
    }

    /// Consumes a time of day. Seconds are validated and dropped.
    mutating func minuteOfDay() -> Int64? {
        guard let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60
        else { return nil }
        if skip(":") {
            guard let second = number(digits: 2), second <= 60 else { return nil }
            if skip(".") {
                let fraction = rest.prefix(while: Self.isDigit)
                guard (1...9).contains(fraction.count) else { return nil }
                rest = rest.dropFirst(fraction.count)
            }
        }
        return hour * 60 + minute
    }

    /// Also true when there is no zone.
    mutating func skipZone() -> Bool {
        if isAtEnd || skip("Z") { return true }
        guard skip("+") || skip("-"), let hours = number(digits: 2), hours < 24 else {
            return false
        }
        if isAtEnd { return true }
        _ = skip(":")
        return number(digits: 2).map { $0 < 60 } ?? false
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

// MARK: The calendar

extension CivilTime {
    /// `days_from_civil`; nil for a day that the month does not have.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (1...12).contains(month), (1...length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        // Years begin in March, so that the leap day is the last.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.quotientFloor(400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// `civil_from_days`.
    package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.quotientFloor(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int64 {
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
