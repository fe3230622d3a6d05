/// What clocks show, in seconds as if they were seconds since 1970 in UTC, and texts that name a
/// span of it.
package enum WallTime {
    /// The second that a stored number is shown as.
    package static func second(of seconds: Int64, in zone: ZoneClock?) -> Int64 {
        zone?.wall(second: seconds) ?? seconds
    }

    /// The same of a real; nil when whole seconds don't fit 64 bits.
    package static func second(of seconds: Double, in zone: ZoneClock?) -> Int64? {
        Int64(exactly: seconds.rounded(.down)).map { second(of: $0, in: zone) }
    }

    /// The second that a stored ISO 8601 text is shown as; nil for what is no date. A date without
    /// a time is its midnight. Without a zone to show it in, a text is taken as it is written.
    package static func second(
        ofISO8601 text: UnsafeRawBufferPointer, in zone: ZoneClock?
    ) -> Int64? {
        guard let written = ISO8601Time(text) else { return nil }
        guard let minute = written.minuteOfDay else { return written.days * 86_400 }
        if let zone, let second = written.secondsSince1970 { return zone.wall(second: second) }
        return written.days * 86_400 + minute * 60 + min(written.second ?? 0, 59)
    }

    /// The seconds that a text names: `2026`, `2026-03`, `2026-03-09`, and that followed by a space
    /// or T and `14`, `14:02` or `14:02:30`; or two of these with a slash between, from the
    /// beginning of the first to the end of the second. nil for any other text, and for a span that
    /// ends before it begins.
    package static func span(_ text: String) -> Range<Int64>? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let first = simpleSpan(parts[0]),
            let last = simpleSpan(parts[parts.count - 1]), first.lowerBound < last.upperBound
        else { return nil }
        return first.lowerBound..<last.upperBound
    }

    private static func simpleSpan(_ text: Substring) -> Range<Int64>? {
        var text = text
        return text.withUTF8 { simpleSpan(UnsafeRawBufferPointer($0)) }
    }

    private static func simpleSpan(_ text: UnsafeRawBufferPointer) -> Range<Int64>? {
        var reader = ISO8601Reader(text)
        guard let year = reader.number(digits: 4) else { return nil }
        if reader.isAtEnd { return days(year, 1, 1, until: (year + 1, 1)) }
        guard reader.skip("-"), let month = reader.number(digits: 2) else { return nil }
        if reader.isAtEnd {
            return days(
                year, month, 1, until: month == 12 ? (year + 1, 1) : (year, month + 1))
        }
        guard reader.skip("-"), let day = reader.number(digits: 2),
            let days = CivilTime.days(year: year, month: month, day: day)
        else { return nil }
        let midnight = days * 86_400
        if reader.isAtEnd { return midnight..<midnight + 86_400 }
        guard reader.skip(" ") || reader.skip("T"), let hour = reader.number(digits: 2), hour < 24
        else { return nil }
        let first = midnight + hour * 3_600
        if reader.isAtEnd { return first..<first + 3_600 }
        guard reader.skip(":"), let minute = reader.number(digits: 2), minute < 60 else {
            return nil
        }
        if reader.isAtEnd { return first + minute * 60..<first + minute * 60 + 60 }
        guard reader.skip(":"), let second = reader.number(digits: 2), second < 60,
            reader.isAtEnd
        else { return nil }
        let exact = first + minute * 60 + second
        return exact..<exact + 1
    }

    private static func days(
        _ year: Int64, _ month: Int64, _ day: Int64, until next: (year: Int64, month: Int64)
    ) -> Range<Int64>? {
        guard let first = CivilTime.days(year: year, month: month, day: day),
            let end = CivilTime.days(year: next.year, month: next.month, day: 1)
        else { return nil }
        return first * 86_400..<end * 86_400
    }

    /// The seconds whose writing as `2026-03-09 14:02:30` begins with `prefix`, which may end
    /// anywhere: `2026-1` is from October to December. nil if there are none.
    package static func seconds(writtenFrom prefix: String) -> Range<Int64>? {
        var rest = WrittenPrefix(prefix)
        guard let years = rest.field(digits: 4, in: 0...9_999) else { return nil }
        let year = years.lowerBound
        if rest.isAtEnd { return days(year, 1, 1, until: (years.upperBound + 1, 1)) }
        guard rest.skip("-"), let months = rest.field(digits: 2, in: 1...12) else { return nil }
        let month = months.lowerBound
        if rest.isAtEnd {
            let last = months.upperBound
            return days(year, month, 1, until: last == 12 ? (year + 1, 1) : (year, last + 1))
        }
        let length = CivilTime.length(ofMonth: month, year: year)
        guard rest.skip("-"), let written = rest.field(digits: 2, in: 1...length),
            var start = CivilTime.days(year: year, month: month, day: written.lowerBound)
        else { return nil }
        start *= 86_400
        if rest.isAtEnd { return start..<start + Int64(written.count) * 86_400 }
        for (separator, most, unit) in [(" ", 23, 3_600), (":", 59, 60), (":", 59, 1)]
            as [(Unicode.Scalar, Int64, Int64)]
        {
            guard rest.skip(separator), let values = rest.field(digits: 2, in: 0...most) else {
                return nil
            }
            start += values.lowerBound * unit
            if rest.isAtEnd { return start..<start + Int64(values.count) * unit }
        }
        return nil
    }

    /// `2026-03-09 14:02:30`.
    static func text(_ second: Int64) -> String {
        let time = CivilTime(secondsSince1970: second)
        let part = (second % 60 + 60) % 60
        return CivilTime.isoDay(time.days) + " " + time.isoMinute + ":"
            + CivilTime.padded(part, to: 2)
    }
}

/// The beginning of a time that is written, field by field.
private struct WrittenPrefix {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ separator: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: separator) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The values that a field may have, of which the last digits may be missing at the end of the
    /// text; nil for none.
    mutating func field(digits: Int, in all: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        let taken = rest.prefix(digits).prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(taken.count)
        guard taken.count == digits || rest.isEmpty else { return nil }
        let span = (taken.count..<digits).reduce(Int64(1)) { span, _ in span * 10 }
        let first = taken.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } * span
        let (low, high) = (max(first, all.lowerBound), min(first + span - 1, all.upperBound))
        return low <= high ? low...high : nil
    }
}
