import ValetModel

/// Wheels side by side over a form: the choices of several columns, or the parts of a moment.
struct WheelPicker: Layer, Hashable {
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
    /// Minutes of what stands in the field.
    private let stored: Int64?

    /// - Parameter focus: the wheel that turns first.
    init(title: String, columns: [ColumnChoices], wheels: [Wheel], focus: Int) {
        self.title = title
        kind = .columns(columns)
        stored = nil
        self.wheels = wheels
        self.focus = focus
    }

    /// - Parameters:
    ///   - stored: minutes of what stands there.
    ///   - start: where the wheels begin if nothing stands there.
    init(title: String, _ moment: Moment, rules: ColumnRules, stored: Int64? = nil, start: Int64) {
        self.title = title
        self.stored = stored
        let interval = Int64(rules.interval.flatMap { ColumnRules.isInterval($0) ? $0 : nil } ?? 1)
        let widest = moment.hasDate ? Self.days : 0...(Moment.minutesPerDay - 1)
        let lower = Self.minutes(rules.minimum, in: widest) ?? widest.lowerBound
        let upper = Self.minutes(rules.maximum, in: widest) ?? widest.upperBound
        let bounds = min(lower, upper)...max(lower, upper)
        kind = .moment(moment, bounds: bounds, interval: interval)
        focus = 0
        wheels = Self.wheels(of: moment, bounds, interval)
        show(minutes: stored ?? start)
        if stored != nil {
            for place in wheels.indices { wheels[place].original = wheels[place].selected }
        }
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
        let low = CivilTime(minutesSince1970: bounds.lowerBound)
        let high = CivilTime(minutesSince1970: bounds.upperBound)
        let date = [
            Wheel("Year", from: low.year, through: high.year, digits: 4),
            Wheel("Month", from: 1, through: 12, digits: 2),
            Wheel("Day", from: 1, through: 31, digits: 2),
        ]
        let hours = moment.hasDate ? 0...23 : low.hour...high.hour
        let (hour, minute) = moment == .duration ? ("Hours", "Minutes") : ("Hour", "Minute")
        let time = [
            Wheel(
                hour, from: hours.lowerBound, through: hours.upperBound,
                digits: moment == .duration ? 1 : 2),
            Wheel(minute, from: 0, through: 59, step: interval, digits: 2),
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
        return perform(command)
    }

    private mutating func perform(_ command: WheelCommand) -> Answer {
        switch command {
        case .cancel: return .cancel
        case .choose: return answer
        case .turn(let motion): turn(motion)
        case .nextWheel: focus = min(focus + 1, wheels.count - 1)
        case .previousWheel: focus = max(focus - 1, 0)
        }
        return .stay
    }

    // MARK: A layer

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        outcomes(handle(key))
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        outcomes(handle(mouse, on: context.size, glyphs: context.glyphs))
    }

    private func outcomes(_ answer: Answer) -> [ScreenOutcome] {
        switch answer {
        case .stay: []
        case .cancel: [.close]
        case .pick(let values): [.close, .fill(.columns(values))]
        case .type(let text): [.close, .fill(.typed(text))]
        }
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        draw(on: &screen, glyphs: context.glyphs)
    }

    // MARK: The mouse

    /// The mouse's wheel turns the one under it. A click turns a wheel to the value that stands
    /// there, one on the value that is selected takes it, and one beside the box cancels.
    private mutating func handle(_ mouse: MouseEvent, on size: Size, glyphs: Glyphs) -> Answer {
        let target = target(at: mouse.position, size, glyphs)
        if let motion = mouse.motion {
            if case .value(let wheel, _)? = target { focus = wheel }
            turn(motion)
        }
        guard mouse.kind == .press(.left) else { return .stay }
        switch target {
        case .value(let wheel, 0) where wheel == focus: return answer
        case .value(let wheel, let distance):
            focus = wheel
            wheels[focus].turn(by: distance)
            show(minutes: minutes)
            return .stay
        case .command(let command): return perform(command)
        case .box: return .stay
        case nil: return .cancel
        }
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
        // What stands there may have seconds, or a zone, that the wheels don't show.
        case .moment where minutes == stored: return .cancel
        case .moment(let moment, _, _): return .type(moment.text(minutes: minutes))
        case .columns(let columns):
            return .pick(
                zip(columns, wheels).compactMap { column, wheel in
                    column.choices[checked: wheel.selected].map {
                        ColumnValue(column: column.column, value: $0)
                    }
                })
        }
    }
}
