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
        let spans = parts.compactMap { seconds(WrittenTime($0, isWhole: true)) }
        guard (1...2).contains(parts.count), spans.count == parts.count, let first = spans.first,
            let last = spans.last, first.lowerBound < last.upperBound
        else { return nil }
        return first.lowerBound..<last.upperBound
    }

    /// With two digits for the hour, where one is written: `2026-03-09 9:05`.
    package static func padded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= 13, bytes[11].isDigit, bytes[12] == UInt8(ascii: ":"),
            bytes[10] == UInt8(ascii: " ") || bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[..<10].allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") })
        else { return text }
        let padded = bytes[..<11] + [UInt8(ascii: "0")] + bytes[11...]
        return String(decoding: padded, as: UTF8.self)
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
        seconds(WrittenTime(prefix[...], isWhole: false))
    }

    private static func seconds(_ time: WrittenTime) -> Range<Int64>? {
        var rest = time
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
        return time.isoText + ":" + CivilTime.padded(part, to: 2)
    }
}

/// A time that is written, or its beginning, field by field.
private struct WrittenTime {
    private var rest: Substring.UTF8View
    /// Whether its last field has all its digits. Then T may stand in place of the space.
    private let isWhole: Bool

    init(_ text: Substring, isWhole: Bool) {
        rest = text.utf8
        self.isWhole = isWhole
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ separator: Unicode.Scalar) -> Bool {
        let separators = separator == " " && isWhole ? " Tt".utf8 : String(separator).utf8
        guard let next = rest.first, separators.contains(next) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The values that a field may have; of a beginning the last digits may be missing. nil for
    /// none.
    mutating func field(digits: Int, in all: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        let taken = rest.prefix(digits).prefix { $0.isDigit }
        rest = rest.dropFirst(taken.count)
        guard taken.count == digits || rest.isEmpty && !isWhole else { return nil }
        let span = (taken.count..<digits).reduce(Int64(1)) { span, _ in span * 10 }
        let first = taken.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } * span
        let (low, high) = (max(first, all.lowerBound), min(first + span - 1, all.upperBound))
        return low <= high ? low...high : nil
    }
}
