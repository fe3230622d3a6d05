/// What a column with an editor of time keeps.
///
/// Dates are ISO 8601 text or seconds since 1970. Times and durations are text such as `08:30`, or
/// seconds, since midnight or in all; both are less than a day.
public enum Moment: UInt8, Sendable, CaseIterable {
    case date = 0
    case time = 1
    case dateAndTime = 2
    case duration = 3

    /// The word that a catalog uses.
    public var name: String { "\(self)" }

    package var hasDate: Bool { self == .date || self == .dateAndTime }

    package static let minutesPerDay: Int64 = 1_440

    /// Minutes since 1970, since midnight, or in all; seconds are dropped. nil for what is no
    /// moment of this kind.
    ///
    /// - Parameter zone: where clocks show the minutes of a stored date; nil for UTC.
    package func minutes(of cell: Cell, in zone: ZoneClock? = nil) -> Int64? {
        if hasDate {
            return CivilTime(cell, in: zone).map { $0.days * Self.minutesPerDay + $0.minuteOfDay }
        }
        switch cell {
        case .integer(let seconds): return Self.minutesOfDay(seconds: seconds)
        case .real(let seconds):
            return Int64(exactly: seconds.rounded(.down)).flatMap(Self.minutesOfDay)
        case .text(let text): return Self.minutesOfDay(text)
        case .null, .malformedText, .cutText, .blob: return nil
        }
    }

    private static func minutesOfDay(seconds: Int64) -> Int64? {
        (0..<86_400).contains(seconds) ? seconds / 60 : nil
    }

    /// `8:30`, `08:30` or `08:30:15`.
    private static func minutesOfDay(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        var numbers: [Int64] = []
        for (place, part) in parts.enumerated() {
            let digits = place == 0 ? 1...2 : 2...2
            guard digits.contains(part.utf8.count), part.utf8.allSatisfy(\.isDigit),
                let number = Int64(part), number < (place == 0 ? 24 : 60)
            else { return nil }
            numbers.append(number)
        }
        return numbers[0] * 60 + numbers[1]
    }

    /// `2026-01-31`, `08:30`, `2026-01-31 08:30` or, for a duration, `8:30`.
    package func text(minutes: Int64) -> String {
        let time = CivilTime(minutesSince1970: minutes)
        return switch self {
        case .date: CivilTime.isoDay(time.days)
        case .time: time.isoMinute
        case .dateAndTime: time.isoText
        case .duration: "\(time.hour):\(CivilTime.padded(time.minute, to: 2))"
        }
    }

    /// What a person may type.
    package var example: String {
        switch self {
        case .date: "a date, such as 2026-01-31"
        case .time: "a time, such as 08:30"
        case .dateAndTime: "a date, such as 2026-01-31 or 2026-01-31 08:00"
        case .duration: "hours and minutes, such as 1:30"
        }
    }
}

extension CivilTime {
    /// A stored date; nil for what is none.
    package init?(_ cell: Cell, in zone: ZoneClock?) {
        switch cell {
        case .integer(let seconds): self.init(secondsSince1970: seconds, in: zone)
        case .real(let seconds): self.init(secondsSince1970: seconds, in: zone)
        case .text(var text):
            let read = text.withUTF8 { CivilTime(iso8601: UnsafeRawBufferPointer($0), in: zone) }
            guard let read else { return nil }
            self = read
        case .null, .malformedText, .cutText, .blob: return nil
        }
    }

    package init(minutesSince1970 minutes: Int64) {
        let day = minutes / Moment.minutesPerDay - (minutes % Moment.minutesPerDay < 0 ? 1 : 0)
        self.init(days: day, minuteOfDay: minutes - day * Moment.minutesPerDay)
    }
}
