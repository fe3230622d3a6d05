/// A time that a person names from now: `yesterday`, `last week`, `last 7 days`.
package enum RelativeDate: Hashable, Sendable {
    /// The day, week (from Monday), month or year that is as many after the present one.
    case day(Int64)
    case week(Int64)
    case month(Int64)
    case year(Int64)
    /// As many days, of which today is the last.
    case lastDays(Int64)
    /// As many hours, up to this second.
    case lastHours(Int64)

    /// What a person may type without a number.
    package static let words =
        ["today", "yesterday", "tomorrow"]
        + ["this", "last", "next"].flatMap { which in units.keys.sorted().map { "\(which) \($0)" } }

    private static let units: [String: @Sendable (Int64) -> RelativeDate] = [
        "week": { .week($0) }, "month": { .month($0) }, "year": { .year($0) },
    ]

    package init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.lowercased().split { $0.isWhitespace }.map(String.init)
        switch (words.first, words.count) {
        case ("today", 1): self = .day(0)
        case ("yesterday", 1): self = .day(-1)
        case ("tomorrow", 1): self = .day(1)
        case ("this", 2), ("last", 2), ("next", 2):
            guard let unit = Self.units[words[1]] else { return nil }
            self = unit(words[0] == "last" ? -1 : words[0] == "next" ? 1 : 0)
        case ("last", 3):
            guard let number = Int64(words[1]), (1...9_999).contains(number) else { return nil }
            switch words[2] {
            case "hour", "hours": self = .lastHours(number)
            case "day", "days": self = .lastDays(number)
            case "week", "weeks": self = .lastDays(7 * number)
            default: return nil
            }
        default: return nil
        }
    }

    /// The time as `WallTime.span` reads it; nil outside the years 0 to 9999.
    ///
    /// - Parameter second: now, in seconds since 1970.
    package func text(at second: Int64, in zone: ZoneClock?) -> String? {
        let today = CivilTime(secondsSince1970: second, in: zone).days
        let (year, month, _) = CivilTime.civil(fromDays: today)
        let text: String
        switch self {
        case .day(let offset): text = CivilTime.isoDay(today + offset)
        case .week(let offset):
            // The first day of 1970 was a Thursday.
            let monday = today - ((today + 3) % 7 + 7) % 7 + 7 * offset
            text = CivilTime.isoDay(monday) + "/" + CivilTime.isoDay(monday + 6)
        case .month(let offset): text = CivilTime.isoMonth(year * 12 + month - 1 + offset)
        case .year(let offset): text = CivilTime.padded(year + offset, to: 4)
        case .lastDays(let count):
            text = CivilTime.isoDay(today - count + 1) + "/" + CivilTime.isoDay(today)
        case .lastHours(let count):
            let first = WallTime.second(of: second.clamped(adding: -3_600 * count), in: zone)
            text = WallTime.text(first) + "/" + WallTime.text(WallTime.second(of: second, in: zone))
        }
        return WallTime.span(text) == nil ? nil : text
    }
}
