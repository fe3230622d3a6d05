/// A calendar day and a time of day, from seconds since 1970 in UTC or from ISO 8601 text, as a
/// clock shows it that may be in another zone.
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
    /// Months since January of the year 0.
    package var months: Int64 { Self.months(atDay: days) }
    package var hour: Int64 { minuteOfDay / 60 }
    package var minute: Int64 { minuteOfDay % 60 }

    /// Seconds since 1970 in the years 0 to 9999. A larger number is more likely in milliseconds.
    package static let usualSeconds: Range<Int64> = -62_167_219_200..<253_402_300_800

    package init(secondsSince1970 seconds: Int64, in zone: ZoneClock? = nil) {
        let seconds = zone?.wall(second: seconds) ?? seconds
        days = seconds.quotientFloor(86_400)
        // `seconds − days · 86,400` would overflow for days near the 64-bit minimum.
        let remainder = seconds % 86_400
        minuteOfDay = (remainder < 0 ? remainder + 86_400 : remainder) / 60
    }

    /// nil when whole seconds do not fit 64 bits.
    package init?(secondsSince1970 seconds: Double, in zone: ZoneClock? = nil) {
        guard let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
        self.init(secondsSince1970: whole, in: zone)
    }
}

// MARK: ISO 8601

extension CivilTime {
    /// What an ISO 8601 text says; nil for anything else, including impossible days.
    ///
    /// Without a clock, a zone in the text does not shift the day or the hour, so that a row stands
    /// in the section that its text names. With one, a text without a zone is in UTC, and a date
    /// without a time is not shifted.
    package init?(iso8601 text: UnsafeRawBufferPointer, in zone: ZoneClock? = nil) {
        guard let written = ISO8601Time(text) else { return nil }
        if let zone, let second = written.secondsSince1970 {
            self.init(secondsSince1970: second, in: zone)
        } else {
            self.init(days: written.days, minuteOfDay: written.minuteOfDay ?? 0)
        }
    }

    /// `2009-01-01`.
    package static func isoDay(_ days: Int64) -> String { text { append(day: days, to: &$0) } }

    /// `2009-01`.
    package static func isoMonth(_ months: Int64) -> String {
        let year = months.quotientFloor(12)
        return text { append(year: year, month: months - year * 12 + 1, to: &$0) }
    }

    /// `13:45`.
    package var isoMinute: String { Self.text { appendMinute(to: &$0) } }

    /// `2009-01-01 13:45`.
    package var isoText: String {
        Self.text { bytes in
            Self.append(day: days, to: &bytes)
            bytes.append(UInt8(ascii: " "))
            appendMinute(to: &bytes)
        }
    }

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

    /// Parses what `isoMonth` writes.
    package static func months(title: String) -> Int64? {
        day(title: title + "-01").map(months(atDay:))
    }

    package static func padded(_ number: Int64, to width: Int) -> String {
        text { append(number, to: width, in: &$0) }
    }

    // A list may have a date in each row, so they are written as bytes: strings take twice as long.

    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(day: Int64, to bytes: inout [UInt8]) {
        let (year, month, day) = civil(fromDays: day)
        append(year: year, month: month, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(day, to: 2, in: &bytes)
    }

    private static func append(year: Int64, month: Int64, to bytes: inout [UInt8]) {
        append(year, to: 4, in: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(month, to: 2, in: &bytes)
    }

    private func appendMinute(to bytes: inout [UInt8]) {
        Self.append(hour, to: 2, in: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(minute, to: 2, in: &bytes)
    }

    private static func append(_ number: Int64, to width: Int, in bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        append(digitsOf: number.magnitude, to: width, in: &bytes)
    }

    private static func append(digitsOf number: UInt64, to width: Int, in bytes: inout [UInt8]) {
        if number >= 10 || width > 1 {
            append(digitsOf: number / 10, to: width - 1, in: &bytes)
        }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
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

    /// Months from January of the year 0 to that of a day.
    private static func months(atDay day: Int64) -> Int64 {
        let (year, month, _) = civil(fromDays: day)
        return year * 12 + month - 1
    }

    /// `civil_from_days`.
    package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.quotientFloor(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
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
