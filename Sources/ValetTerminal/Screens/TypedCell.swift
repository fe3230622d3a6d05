import ValetModel

/// Why a typed text can't be stored, as a sentence for a person.
struct TypingError: Error, Hashable, Sendable {
    var message: String
}

extension ColumnDescription {
    /// The cell that a typed text stands for.
    /// - Parameter example: a cell of the column. Dates are stored in its form, and so are values
    ///   of columns that hold several kinds.
    func cell(typed text: String, like example: Cell?) throws(TypingError) -> Cell {
        if type == .text, text.isEmpty || editor.takesAnyText {
            // An empty text and no text are two things, and only one of them is allowed here.
            return text.isEmpty && !isRequired ? .null : .text(text)
        }
        let typed = text.trimmed
        if typed.isEmpty {
            guard !isRequired else { throw TypingError(message: "a value is required") }
            return .null
        }
        if case .moment(let moment) = editor, type != .date {
            return try cell(moment, typed: typed, like: example)
        }
        switch type {
        case .text, .real:
            guard let number = Double(decimal: typed) else {
                throw TypingError(message: "a number, such as 12.5")
            }
            return type == .text ? .text(typed) : .number(number, typedAs: typed)
        case .integer:
            guard let number = Int64(typed) else {
                throw TypingError(message: "a whole number, such as 2019")
            }
            return .integer(number)
        case .date: return try date(typed, like: example)
        case .boolean:
            switch typed.lowercased() {
            case "yes", "1": return .integer(1)
            case "no", "0": return .integer(0)
            default: throw TypingError(message: "yes or no")
            }
        case .blob:
            if case .text = example { return .text(text) }
            // A text of digits that a number would not keep, such as 007, stays a text.
            if let number = Int64(typed), "\(number)" == typed { return .integer(number) }
            if let number = Double(decimal: typed), "\(number)" == typed { return .real(number) }
            return .text(text)
        }
    }

    /// The day or time that a word or a short form means, in a column that takes one: `tomorrow`,
    /// `now`, `2025-06-01 9:05`.
    /// - Parameter example: a cell of the column, whose form the date has.
    func date(named typed: String, at clock: PersonClock, like example: Cell? = nil) -> String? {
        guard moment?.hasDate == true else { return nil }
        // Numbers are shown, and typed, in UTC where the list has no zone.
        let zone = zone ?? (Self.storesNumbers(example) ? nil : clock.zone)
        let text = typed.trimmed
        var date: String?
        switch RelativeDate(text) {
        case .day?: date = RelativeDate(text)?.text(at: clock.seconds, in: zone)
        case nil where text.lowercased() == "now":
            let now = CivilTime(secondsSince1970: clock.seconds, in: zone).isoText
            date = Self.isDay(example) ? String(now.prefix(10)) : now
        case nil: date = WallTime.padded(text)
        case .week, .month, .year, .lastDays, .lastHours: break
        }
        return date == text ? nil : date
    }

    /// Yes or no as the column stores it.
    func cell(switched isOn: Bool, like example: Cell?) -> Cell {
        let isText = if case .text = example { true } else { false }
        guard type == .text || type == .blob && isText else { return .integer(isOn ? 1 : 0) }
        return .text(isOn ? "yes" : "no")
    }

    /// A time or duration, or a date in a column that is no date's.
    private func cell(
        _ moment: Moment, typed: String, like example: Cell?
    ) throws(TypingError) -> Cell {
        guard let minutes = moment.minutes(of: .text(typed)) else {
            throw TypingError(message: moment.example)
        }
        if moment.hasDate { return .text(typed) }
        guard type == .integer || type == .real || type == .blob && Self.storesNumbers(example)
        else { return .text(moment.text(minutes: minutes)) }
        return type == .real ? .real(Double(minutes * 60)) : .integer(minutes * 60)
    }

    /// `2026-03-09` alone.
    private static func isDay(_ example: Cell?) -> Bool {
        if case .text(let text) = example { text.utf8.count == 10 } else { false }
    }

    private static func storesNumbers(_ example: Cell?) -> Bool {
        switch example {
        case .integer, .real: true
        case .null, .text, .malformedText, .cutText, .blob, nil: false
        }
    }

    /// Seconds of a time or duration as people read them.
    func timeText(of cell: Cell) -> String? {
        guard case .moment(let moment) = editor, !moment.hasDate else { return nil }
        switch cell {
        case .integer, .real: return moment.minutes(of: cell).map(moment.text)
        case .null, .text, .malformedText, .cutText, .blob: return nil
        }
    }

    private func date(_ typed: String, like example: Cell?) throws(TypingError) -> Cell {
        if Self.storesNumbers(example) {
            if let number = Int64(typed) { return .integer(number) }
            if let wall = CivilTime.seconds(typed: typed) {
                return .integer(zone?.second(wall: wall) ?? wall)
            }
        } else if let zone {
            if let text = zone.stored(typed: typed, like: example) { return .text(text) }
        } else if Moment.dateAndTime.minutes(of: .text(typed)) != nil {
            return .text(typed)
        }
        throw TypingError(message: "a date, such as 2026-01-31, 2026-01-31 8:00 or tomorrow")
    }
}

extension CivilTime {
    /// Seconds since 1970 of a date that a person has typed: `2026-01-31`, with `08:00` or
    /// `08:00:30` behind it.
    fileprivate static func seconds(typed: String) -> Int64? {
        var minutes = typed
        var seconds: Int64 = 0
        // The calendar drops seconds, and a zone would be lost.
        if typed.utf8.count == 19 {
            guard typed.dropLast(2).last == ":", let last = Int64(typed.suffix(2)),
                (0..<60).contains(last)
            else { return nil }
            seconds = last
            minutes = String(typed.dropLast(3))
        }
        guard [10, 16].contains(minutes.utf8.count),
            let time = minutes.withUTF8({ CivilTime(iso8601: UnsafeRawBufferPointer($0)) })
        else { return nil }
        return time.days * 86_400 + time.minuteOfDay * 60 + seconds
    }
}

extension ColumnEditor {
    fileprivate var takesAnyText: Bool {
        switch self {
        case .automatic, .text, .choices, .list, .wheels, .perRow, .toggle: true
        case .number, .range, .moment: false
        }
    }
}

extension Double {
    /// Digits with a point and an exponent; no hexadecimal, no infinity.
    fileprivate init?(decimal text: String) {
        guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        self = number
    }
}

extension StringProtocol {
    /// Without the blanks at both ends.
    var trimmed: String {
        let rest = drop(while: \.isWhitespace)
        let end = rest.lastIndex { !$0.isWhitespace }.map { rest.index(after: $0) }
        return String(rest[..<(end ?? rest.startIndex)])
    }
}
