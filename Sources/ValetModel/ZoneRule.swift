/// A rule as POSIX has it in `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule {
    private let standard: Int64
    private var summer: Summer?

    private struct Summer {
        var offset: Int64
        var begins: Day
        var ends: Day
    }

    /// A day of each year, and the second of that day.
    fileprivate struct Day {
        enum Kind {
            /// 1 to 365, without February 29.
            case julian(Int64)
            /// 0 to 365.
            case ofYear(Int64)
            case weekday(month: Int64, week: Int64, day: Int64)
        }

        var kind: Kind
        var second: Int64
    }

    init?(_ text: String) {
        var rest = Substring(text)
        guard Self.skipName(&rest), let west = Self.time(&rest) else { return nil }
        standard = -west
        if rest.isEmpty { return }
        guard Self.skipName(&rest) else { return nil }
        var offset = standard + 3_600
        if let next = rest.first, next != "," {
            guard let west = Self.time(&rest) else { return nil }
            offset = -west
        }
        guard let begins = Self.day(&rest), let ends = Self.day(&rest), rest.isEmpty else {
            return nil
        }
        summer = Summer(offset: offset, begins: begins, ends: ends)
    }

    /// In order of time.
    func changes(in year: Int64) -> [ZoneClock.Change] {
        guard let summer else { return [] }
        let changes = [
            ZoneClock.Change(
                second: summer.begins.moment(in: year) - standard, offset: summer.offset),
            ZoneClock.Change(
                second: summer.ends.moment(in: year) - summer.offset, offset: standard),
        ]
        return changes.sorted { $0.second < $1.second }
    }

    // MARK: Reading

    private static func skipName(_ rest: inout Substring) -> Bool {
        let before = rest.count
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
        } else {
            rest = rest.drop { $0.isASCII && $0.isLetter }
        }
        return before - rest.count >= 3
    }

    private static func number(_ rest: inout Substring) -> Int64? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest[digits.endIndex...]
        return digits.count <= 3 ? Int64(digits) : nil
    }

    private static func skip(_ character: Character, _ rest: inout Substring) -> Bool {
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Seconds of `[+-]h[:m[:s]]`.
    private static func time(_ rest: inout Substring) -> Int64? {
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        guard var seconds = number(&rest).map({ $0 * 3_600 }) else { return nil }
        for unit in [60, 1] as [Int64] where skip(":", &rest) {
            guard let part = number(&rest) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    private static func day(_ rest: inout Substring) -> Day? {
        guard skip(",", &rest) else { return nil }
        let kind: Day.Kind
        if skip("M", &rest) {
            guard let month = number(&rest), (1...12).contains(month), skip(".", &rest),
                let week = number(&rest), (1...5).contains(week), skip(".", &rest),
                let day = number(&rest), (0...6).contains(day)
            else { return nil }
            kind = .weekday(month: month, week: week, day: day)
        } else if skip("J", &rest) {
            guard let day = number(&rest), (1...365).contains(day) else { return nil }
            kind = .julian(day)
        } else {
            guard let day = number(&rest), (0...365).contains(day) else { return nil }
            kind = .ofYear(day)
        }
        guard skip("/", &rest) else { return Day(kind: kind, second: 7_200) }
        return time(&rest).map { Day(kind: kind, second: $0) }
    }
}

extension ZoneRule.Day {
    /// On the clock, as if it were seconds since 1970 in UTC.
    fileprivate func moment(in year: Int64) -> Int64 {
        func first(of month: Int64) -> Int64 {
            CivilTime.days(year: year, month: month, day: 1) ?? 0
        }
        let isLeap = CivilTime.length(ofMonth: 2, year: year) == 29
        let date: Int64
        switch kind {
        case .julian(let day): date = first(of: 1) + day - 1 + (isLeap && day >= 60 ? 1 : 0)
        case .ofYear(let day): date = first(of: 1) + day
        case .weekday(let month, let week, let day):
            let start = first(of: month)
            // 1970 began on a Thursday.
            let weekday = ((start + 4) % 7 + 7) % 7
            let nearest = start + (day - weekday + 7) % 7 + 7 * (week - 1)
            // Week 5 is the last.
            let isBehind = nearest - start >= CivilTime.length(ofMonth: month, year: year)
            date = isBehind ? nearest - 7 : nearest
        }
        return date * 86_400 + second
    }
}
