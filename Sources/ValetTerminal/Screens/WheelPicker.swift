import ValetModel

/// Wheels side by side over a form: the choices of several columns, or the parts of a moment.
struct WheelPicker: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The column of each wheel, with its choices.
        case columns([ColumnChoices])
        /// Within bounds, at multiples of the interval, all in minutes.
        case moment(Moment, bounds: ClosedRange<Int64>, interval: Int64)
    }

    struct ColumnChoices: Hashable, Sendable {
        var column: Int
        var choices: [Cell]
    }

    enum Answer: Hashable, Sendable {
        case stay
        case cancel
        case pick([ColumnValue])
        /// As a person would type it.
        case type(String)
    }

    let title: String
    let kind: Kind
    private(set) var wheels: [Wheel]
    private(set) var focus: Int

    /// - Parameter focus: the wheel that turns first.
    init(title: String, columns: [ColumnChoices], wheels: [Wheel], focus: Int) {
        self.title = title
        kind = .columns(columns)
        self.wheels = wheels
        self.focus = focus
    }

    /// - Parameters:
    ///   - start: minutes of what stands there, or of now.
    init(title: String, _ moment: Moment, rules: ColumnRules, start: Int64) {
        self.title = title
        let interval = Int64(rules.interval.flatMap { ColumnRules.isInterval($0) ? $0 : nil } ?? 1)
        let widest = moment.hasDate ? Self.days : 0...(Moment.minutesPerDay - 1)
        let lower = Self.minutes(rules.minimum, in: widest) ?? widest.lowerBound
        let upper = Self.minutes(rules.maximum, in: widest) ?? widest.upperBound
        let bounds = min(lower, upper)...max(lower, upper)
        kind = .moment(moment, bounds: bounds, interval: interval)
        focus = 0
        wheels = Self.wheels(of: moment, bounds, interval)
        show(minutes: start)
    }

    /// The years 1 to 9999.
    private static let days: ClosedRange<Int64> = {
        let first = CivilTime.days(year: 1, month: 1, day: 1) ?? 0
        let last = CivilTime.days(year: 9_999, month: 12, day: 31) ?? 0
        return first * Moment.minutesPerDay...(last + 1) * Moment.minutesPerDay - 1
    }()

    private static func minutes(_ bound: Double?, in widest: ClosedRange<Int64>) -> Int64? {
        guard let bound, let minutes = Int64(exactly: bound.rounded()) else { return nil }
        return min(max(minutes, widest.lowerBound), widest.upperBound)
    }

    private static func wheels(
        of moment: Moment, _ bounds: ClosedRange<Int64>, _ interval: Int64
    ) -> [Wheel] {
        let (low, high) = (
            CivilTime(minutesSince1970: bounds.lowerBound),
            CivilTime(minutesSince1970: bounds.upperBound)
        )
        let date = [
            Wheel("Year", from: low.year, through: high.year, digits: 4),
            Wheel("Month", from: 1, through: 12, digits: 2),
            Wheel("Day", from: 1, through: 31, digits: 2),
        ]
        let isOneDay = !moment.hasDate
        let hours = isOneDay ? low.hour...high.hour : 0...23
        let time = [
            Wheel(
                moment == .duration ? "Hours" : "Hour", from: hours.lowerBound,
                through: hours.upperBound, digits: moment == .duration ? 1 : 2),
            Wheel(
                moment == .duration ? "Minutes" : "Minute", from: 0, through: 59, step: interval,
                digits: 2),
        ]
        return switch moment {
        case .date: date
        case .dateAndTime: date + time
        case .time, .duration: time
        }
    }

    // MARK: Moments

    /// What the wheels show, in minutes.
    private var minutes: Int64 {
        guard case .moment(let moment, _, _) = kind else { return 0 }
        var numbers = wheels.map(\.number)[...]
        var days: Int64 = 0
        if moment.hasDate, let year = numbers.popFirst(), let month = numbers.popFirst(),
            let day = numbers.popFirst()
        {
            let last = CivilTime.length(ofMonth: month, year: year)
            days = CivilTime.days(year: year, month: month, day: min(day, last)) ?? 0
        }
        let time = (numbers.popFirst() ?? 0) * 60 + (numbers.popFirst() ?? 0)
        return days * Moment.minutesPerDay + time
    }

    /// Turns the wheels to a moment, or to the nearest one that may be.
    private mutating func show(minutes wanted: Int64) {
        guard case .moment(let moment, let bounds, let interval) = kind else { return }
        var minutes = min(max(wanted, bounds.lowerBound), bounds.upperBound)
        let above = ((minutes % interval) + interval) % interval
        if above > 0 { minutes += minutes - above < bounds.lowerBound ? interval - above : -above }
        let time = CivilTime(minutesSince1970: minutes)
        var numbers: [Int64] = []
        if moment.hasDate {
            let (year, month, day) = CivilTime.civil(fromDays: time.days)
            numbers = [year, month, day]
            let last = CivilTime.length(ofMonth: month, year: year)
            wheels[2].values = .numbers(first: 1, step: 1, count: Int(last), digits: 2)
        }
        if moment != .date { numbers += [time.hour, time.minute] }
        for (place, number) in zip(wheels.indices, numbers) { wheels[place].select(number: number) }
    }

    // MARK: Keys

    mutating func handle(_ key: Key) -> Answer {
        guard let command = KeyTable.wheels[key] else {
            if case .character(let character) = key, wheels.indices.contains(focus) {
                wheels[focus].type(character)
                show(minutes: minutes)
            }
            return .stay
        }
        switch command {
        case .cancel: return .cancel
        case .choose: return answer
        case .turn(let motion): turn(motion)
        case .nextWheel: focus = min(focus + 1, wheels.count - 1)
        case .previousWheel: focus = max(focus - 1, 0)
        }
        return .stay
    }

    private mutating func turn(_ motion: Motion) {
        guard wheels.indices.contains(focus) else { return }
        switch motion {
        case .first: wheels[focus].select(0)
        case .last: wheels[focus].select(wheels[focus].count - 1)
        case .down, .up, .pageDown, .pageUp, .halfPageDown, .halfPageUp:
            wheels[focus].turn(by: motion.distance(page: 5))
        }
        show(minutes: minutes)
    }

    private var answer: Answer {
        switch kind {
        case .moment(let moment, _, _): return .type(moment.text(minutes: minutes))
        case .columns(let columns):
            return .pick(
                zip(columns, wheels).compactMap { column, wheel in
                    guard column.choices.indices.contains(wheel.selected) else { return nil }
                    return ColumnValue(
                        column: column.column, value: column.choices[wheel.selected])
                })
        }
    }

    // MARK: Drawing

    private static let lines = 5
    private static let widest = 24

    func draw(on screen: inout Screen, glyphs: Glyphs) {
        let sanitizer = screen.sanitizer
        let widths = wheels.map { wheel -> Int in
            let middle = Self.around(wheel).map { sanitizer.width(of: $0, limit: Self.widest) }
            let texts: [Int] =
                switch wheel.values {
                case .texts(let texts): texts.map { sanitizer.width(of: $0, limit: Self.widest) }
                case .numbers: middle
                }
            let label = sanitizer.width(of: wheel.label, limit: Self.widest)
            return min(max(texts.max() ?? 1, label, 4), Self.widest) + 2
        }
        let (turn, other) = glyphs.isASCII ? ("Up Down", "Left Right") : ("↑↓", "←→")
        let more = wheels.count > 1 ? "\(other) wheel   " : ""
        let keys = "\(turn) turn   \(more)Enter pick   Esc back"
        let inner = max(widths.reduce(0, +) + widths.count, sanitizer.width(of: keys), 20)
        let width = min(inner + 4, screen.size.columns)
        let height = min(Self.lines + 4, screen.size.rows)
        let top = (screen.size.rows - height) / 2
        let left = (screen.size.columns - width) / 2
        let box = Box(rows: top..<top + height, columns: left..<left + width)
        box.draw(on: &screen, title: title, glyphs)
        var column = left + 2
        for (place, wheel) in wheels.enumerated() {
            let room = min(widths[place], left + width - 1 - column)
            guard room > 0 else { break }
            draw(wheel, place, on: &screen, row: top + 1, column: column, width: room, height - 3)
            column += widths[place] + 1
        }
        screen.write(
            keys, row: top + height - 2, column: left + 2, width: max(width - 4, 0), style: .dim)
    }

    private func draw(
        _ wheel: Wheel, _ place: Int, on screen: inout Screen, row: Int, column: Int, width: Int,
        _ height: Int
    ) {
        let isFocused = place == focus
        screen.write(
            wheel.label, row: row, column: column + 1, width: width - 1,
            style: isFocused ? .bold : .dim)
        for (line, text) in Self.around(wheel).enumerated() where line + 1 < height {
            let isSelected = line == Self.lines / 2
            let style: Style =
                !isSelected ? .dim : isFocused ? .reverse.with(.bold) : Style(.standard, .bold)
            if isSelected {
                screen.fill(
                    " ", row: row + 1 + line, columns: column..<column + width, style: style)
            }
            screen.write(
                text, row: row + 1 + line, column: column + 1, width: width - 1, style: style)
            if isSelected, isFocused {
                screen.cursor = Position(row: row + 1 + line, column: column + 1)
            }
        }
    }

    /// The selected value in the middle of its neighbours, each shown once.
    private static func around(_ wheel: Wheel) -> [String] {
        let half = lines / 2
        return (-half...half).map { distance in
            guard wheel.count > 0, isNear(distance, wheel.count) else { return "" }
            let place = wheel.selected + distance
            return wheel.text((place % wheel.count + wheel.count) % wheel.count)
        }
    }

    /// A wheel of few values shows none of them twice.
    private static func isNear(_ distance: Int, _ count: Int) -> Bool {
        distance > 0 ? distance <= count / 2 : -distance <= (count - 1) / 2
    }
}
