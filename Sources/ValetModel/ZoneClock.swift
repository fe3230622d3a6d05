/// What clocks show in a time zone.
///
/// All changes of the zone's offset up to the year 2500 are read once, so that a conversion is a
/// binary search. By then they follow rules, and the calendar repeats after 400 years.
public struct ZoneClock: Hashable, Sendable {
    /// The IANA name: `Europe/Zurich`.
    public let name: String
    private let first: Int64
    /// In order of time.
    private let changes: [Change]
    /// The least and the greatest offset.
    package let offsets: ClosedRange<Int64>

    /// Seconds that clocks are ahead of UTC, from a second since 1970 on.
    struct Change: Sendable {
        let second: Int64
        let offset: Int64
    }

    /// - Parameter first: the offset before all changes.
    init(name: String, first: Int64, changes: [Change]) {
        self.name = name
        self.first = first
        self.changes = changes
        let all = changes.map(\.offset)
        offsets = min(all.min() ?? first, first)...max(all.max() ?? first, first)
    }

    /// A name stands for one zone.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The end of the changes that are read.
    static let end: Int64 = 16_725_225_600
    private static let fourHundredYears: Int64 = 146_097 * 86_400

    // MARK: Conversion

    /// What a clock shows, as if it were seconds since 1970 in UTC.
    package func wall(second: Int64) -> Int64 { second.clamped(adding: offset(at: second)) }

    /// The second at which a clock shows `wall`. Of two such seconds it is the first. A clock that
    /// is put forward skips some: they are as far behind the change as they would be without it.
    package func second(wall: Int64) -> Int64 {
        // A day is more than any zone is ahead or behind, so one change lies between, or none.
        let before = offset(at: wall.clamped(adding: -86_400))
        let after = offset(at: wall.clamped(adding: 86_400))
        for offset in [before, after] {
            let second = wall.clamped(adding: -offset)
            if self.offset(at: second) == offset { return second }
        }
        return wall.clamped(adding: -before)
    }

    private func offset(at second: Int64) -> Int64 {
        let beyond = second < Self.end ? 0 : (second - Self.end) / Self.fourHundredYears + 1
        let second = second - beyond * Self.fourHundredYears
        let count = (0..<changes.count).firstNotBefore { changes[$0].second <= second }
        return count == 0 ? first : changes[count - 1].offset
    }
}

extension Int64 {
    package func clamped(adding other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
