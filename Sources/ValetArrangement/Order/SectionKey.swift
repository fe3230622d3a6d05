import ValetModel

/// A value's section when a section covers several values: a number that sorts the sections, or one
/// of the two sections that come last in both directions.
enum SectionKey: Equatable {
    case number(Int64)
    /// The section `#`.
    case noLetter
    /// The section `–`.
    case missing

    /// - Parameter zone: where clocks show the year, the day and the hour; nil for UTC.
    init(
        _ value: KeyValue, _ expression: SectionExpression, zone: ZoneClock?,
        in dictionary: ValueDictionary
    ) {
        switch value {
        case .missing: self = .missing
        case .integer(let number): self.init(.integer(number), expression, zone: zone)
        case .real(let real): self.init(.real(real), expression, zone: zone)
        case .blob(let byteCount): self.init(.blob(byteCount: byteCount), expression, zone: zone)
        case .text(let code):
            self = dictionary.withEntry(code) { SectionKey($0, expression, zone: zone) }
        }
    }

    /// The key of a value that is present.
    init(_ entry: ValueDictionary.Entry, _ expression: SectionExpression, zone: ZoneClock?) {
        switch expression {
        case .none, .wholeValue: preconditionFailure("sections by the value itself")
        case .firstLetter: self = Self.firstLetter(of: entry)
        case .year: self = Self.time(of: entry, in: zone) { $0.year }
        case .month: self = Self.time(of: entry, in: zone) { $0.months }
        case .day: self = Self.time(of: entry, in: zone) { $0.days }
        case .hourOfDay: self = Self.time(of: entry, in: zone) { $0.hour }
        case .ranges(let bounds): self = Self.range(of: entry, bounds: bounds)
        }
    }

    private static func firstLetter(of entry: ValueDictionary.Entry) -> SectionKey {
        guard case .text(_, let folded) = entry else { return .noLetter }
        let letter = TextFolding.firstLetter(ofFolded: folded)
        return letter.map { .number(Int64($0)) } ?? .noLetter
    }

    private static func time(
        of entry: ValueDictionary.Entry, in zone: ZoneClock?, _ part: (CivilTime) -> Int64
    ) -> SectionKey {
        let time: CivilTime? =
            switch entry {
            case .blob: nil
            case .integer(let seconds): CivilTime(secondsSince1970: seconds, in: zone)
            case .real(let seconds): CivilTime(secondsSince1970: seconds, in: zone)
            case .text(let raw, _): CivilTime(iso8601: raw, in: zone)
            }
        return time.map { .number(part($0)) } ?? .missing
    }

    private static func range(of entry: ValueDictionary.Entry, bounds: [Double]) -> SectionKey {
        switch entry {
        case .text, .blob: .missing
        case .integer(let number):
            .number(Self.range(in: bounds) { NumberOrder.compare(number, $0) >= 0 })
        case .real(let real):
            .number(Self.range(in: bounds) { real >= $0 })
        }
    }

    /// How many bounds a value reaches, which ascend.
    private static func range(in bounds: [Double], _ reaches: (Double) -> Bool) -> Int64 {
        Int64((0..<bounds.count).firstNotBefore { reaches(bounds[$0]) })
    }

    /// Order of the sections; descending reverses numbers only.
    static func compare(_ left: SectionKey, _ right: SectionKey, isDescending: Bool) -> Int {
        if case .number(let a) = left, case .number(let b) = right {
            return isDescending ? NumberOrder.compare(b, a) : NumberOrder.compare(a, b)
        }
        return NumberOrder.compare(left.rank, right.rank)
    }

    private var rank: Int {
        switch self {
        case .number: 0
        case .noLetter: 1
        case .missing: 2
        }
    }

    func title(_ expression: SectionExpression, usesTwelveHours: Bool = false) -> String {
        switch self {
        case .noLetter: return "#"
        case .missing: return ColumnDescription.missing
        case .number(let number):
            switch expression {
            case .none, .wholeValue: preconditionFailure("sections by the value itself")
            case .firstLetter:
                return Unicode.Scalar(UInt32(number)).map { String(Character($0)) } ?? "#"
            case .year: return String(number)
            case .month: return CivilTime.isoMonth(number)
            case .day: return CivilTime.isoDay(number)
            case .hourOfDay:
                if !usesTwelveHours { return CivilTime.padded(number, to: 2) + ":00" }
                return "\((number + 11) % 12 + 1) \(number < 12 ? "AM" : "PM")"
            case .ranges(let bounds): return Self.rangeTitle(Int(number), bounds)
            }
        }
    }

    private static func rangeTitle(_ index: Int, _ bounds: [Double]) -> String {
        func text(_ bound: Double) -> String {
            Int64(exactly: bound).map(String.init) ?? String(bound)
        }
        if bounds.isEmpty { return "all" }
        if index == 0 { return "below \(text(bounds[0]))" }
        if index == bounds.count { return "\(text(bounds[index - 1])) and more" }
        return "\(text(bounds[index - 1])) – \(text(bounds[index]))"
    }
}
