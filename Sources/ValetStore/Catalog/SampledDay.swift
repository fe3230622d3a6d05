import ValetModel

/// The day of a value in a date column, as far as inference needs it.
enum SampledDay {
    /// Days from 1970-01-01 to the day of a text such as `2024-02-29` or
    /// `2024-02-29T18:30:00.5+01:00`; nil when it is not of that form. The zone's shift is left
    /// out: it moves a day at most.
    static func day(iso8601 text: UnsafeRawBufferPointer) -> Int? {
        var rest = text[...]
        guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest),
            skip("-", &rest), let day = number(2, &rest),
            (1...12).contains(month), (1...31).contains(day), isTime(rest)
        else { return nil }
        return self.day(year: year, month: month, day: day)
    }

    /// Days from 1970-01-01 to the day of a number of seconds; nil outside the years 0 to 9999,
    /// where a number is rather something else, or counts milliseconds.
    static func day(seconds: Double) -> Int? {
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
        return Int((seconds / 86_400).rounded(.down))
    }

    /// http://howardhinnant.github.io/date_algorithms.html, `days_from_civil`.
    private static func day(year: Int, month: Int, day: Int) -> Int {
        // Years begin in March, so that the leap day is the last.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Nothing, or ` hh:mm[:ss[.f…]][zone]` with a blank or `T` in front.
    private static func isTime(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = text
        if rest.isEmpty { return true }
        guard skip(" ", &rest) || skip("T", &rest), let hour = number(2, &rest), hour < 25,
            skip(":", &rest), let minute = number(2, &rest), minute < 60
        else { return false }
        if skip(":", &rest) {
            guard let second = number(2, &rest), second < 61 else { return false }
            if skip(".", &rest) { rest = rest.drop { isDigit($0) } }
        }
        return isZone(rest)
    }

    private static func isZone(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = text
        if rest.isEmpty { return true }
        if skip("Z", &rest) { return rest.isEmpty }
        guard skip("+", &rest) || skip("-", &rest), number(2, &rest) != nil else { return false }
        if rest.isEmpty { return true }
        _ = skip(":", &rest)
        return number(2, &rest) != nil && rest.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func number(_ digits: Int, _ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        let taken = rest.prefix(digits)
        guard taken.count == digits, taken.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return taken.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func skip(
        _ scalar: Unicode.Scalar, _ rest: inout Slice<UnsafeRawBufferPointer>
    ) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
