/// A moment as a calendar shows it, in UTC: from seconds since 1970 or ISO 8601 text.
///
/// Days are counted from 1970-01-01 by the proleptic Gregorian calendar; the arithmetic is Howard
/// Hinnant's `days_from_civil`.
struct CivilTime: Equatable {
    var days: Int64
    var secondOfDay: Int64

    var year: Int64 { Self.civil(fromDays: days).year }
    var hour: Int64 { secondOfDay / 3_600 }

    init(secondsSince1970 seconds: Int64) {
        days = seconds.quotientFloor(86_400)
        // Not seconds − days · 86,400: before the first whole day of 64 bits that has no room.
        let remainder = seconds % 86_400
        secondOfDay = remainder < 0 ? remainder + 86_400 : remainder
    }

    /// `2009-01-01`, and a time behind a space or `T`: `2009-01-01 13:45:00`. What follows the
    /// minutes (seconds, fractions, a zone) does not move the hour.
    init?(iso text: UnsafeRawBufferPointer) {
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= text.count else { return nil }
            var value: Int64 = 0
            for byte in text[range] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        guard text.count >= 10, text[4] == 0x2D, text[7] == 0x2D, let year = number(0..<4),
            let month = number(5..<7), let day = number(8..<10), (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        days = Self.days(year: year, month: month, day: day)
        secondOfDay = 0
        guard text.count > 10 else { return }
        guard text[10] == 0x20 || text[10] == 0x54 || text[10] == 0x74, text.count >= 16,
            text[13] == 0x3A, let hour = number(11..<13), let minute = number(14..<16),
            hour < 24, minute < 60
        else { return nil }
        secondOfDay = hour * 3_600 + minute * 60
    }

    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.quotientFloor(400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
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

    /// `2009-01-01`.
    static func isoDay(_ days: Int64) -> String {
        let (year, month, day) = civil(fromDays: days)
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    /// The day that `isoDay` writes so; years may be of more than four digits, or negative.
    static func day(title: String) -> Int64? {
        let parts = title.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[parts.count - 2].count == 2,
            parts[parts.count - 1].count == 2,
            let year = Int64(title.dropLast(6)), year.magnitude < 1 << 40,
            let month = Int64(parts[parts.count - 2]), (1...12).contains(month),
            let day = Int64(parts[parts.count - 1]), (1...31).contains(day)
        else { return nil }
        return days(year: year, month: month, day: day)
    }

    static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}

extension Int64 {
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
