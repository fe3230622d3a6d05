/// A date, or a date and a time, as ISO 8601 writes it.
///
/// ```
/// date  YYYY-MM-DD
/// time  behind a space or T: HH:MM, HH:MM:SS, or HH:MM:SS. and 1 to 9 digits
/// zone  behind a time: Z, ±HH:MM, ±HHMM or ±HH
/// ```
///
/// T and Z may be lower case; second 60 is a leap second.
struct ISO8601Time {
    let days: Int64
    /// nil for a date alone.
    let minuteOfDay: Int64?
    /// nil if it is not written.
    let second: Int64?
    /// Minutes that the zone is ahead of UTC; nil if the text names none.
    let zoneMinutes: Int64?
    /// Bytes of the zone.
    let bytesOfZone: Int

    /// nil for anything else, including impossible days.
    init?(_ text: UnsafeRawBufferPointer) {
        var reader = ISO8601Reader(text)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2),
            let days = CivilTime.days(year: year, month: month, day: day)
        else { return nil }
        self.days = days
        if reader.isAtEnd {
            (minuteOfDay, second, zoneMinutes, bytesOfZone) = (nil, nil, nil, 0)
            return
        }
        guard reader.skip(" ") || reader.skip("T"), let minute = reader.minuteOfDay() else {
            return nil
        }
        minuteOfDay = minute
        if reader.skip(":") {
            guard let read = reader.second() else { return nil }
            second = read
        } else {
            second = nil
        }
        bytesOfZone = reader.bytesLeft
        if reader.isAtEnd {
            zoneMinutes = nil
        } else {
            guard let minutes = reader.zone(), reader.isAtEnd else { return nil }
            zoneMinutes = minutes
        }
    }

    init?(_ text: String) {
        var text = text
        guard let time = text.withUTF8({ ISO8601Time(UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = time
    }

    /// Of a text without a zone, as if it were in UTC; nil for a date alone. A leap second counts
    /// as the one before it.
    var secondsSince1970: Int64? {
        minuteOfDay.map { days * 86_400 + ($0 - (zoneMinutes ?? 0)) * 60 + min(second ?? 0, 59) }
    }
}

/// The unread rest of a text that may be a date.
struct ISO8601Reader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ text: UnsafeRawBufferPointer) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }
    var bytesLeft: Int { rest.count }

    mutating func number(digits: Int) -> Int64? {
        let taken = rest.prefix(digits)
        guard taken.count == digits, taken.allSatisfy({ $0.isDigit }) else { return nil }
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

    mutating func minuteOfDay() -> Int64? {
        guard let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Consumes seconds; their fraction is validated and dropped.
    mutating func second() -> Int64? {
        guard let second = number(digits: 2), second <= 60 else { return nil }
        if skip(".") {
            let fraction = rest.prefix { $0.isDigit }
            guard (1...9).contains(fraction.count) else { return nil }
            rest = rest.dropFirst(fraction.count)
        }
        return second
    }

    /// Minutes ahead of UTC.
    mutating func zone() -> Int64? {
        if skip("Z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = number(digits: 2), hours < 24 else { return nil }
        var minutes: Int64 = 0
        if !isAtEnd {
            _ = skip(":")
            guard let number = number(digits: 2), number < 60 else { return nil }
            minutes = number
        }
        return (isAhead ? 1 : -1) * (hours * 60 + minutes)
    }
}

extension UInt8 {
    /// Whether it is a digit in ASCII.
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
