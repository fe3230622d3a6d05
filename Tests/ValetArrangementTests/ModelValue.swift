import Foundation
import ValetArrangement
import ValetModel

/// A value as the naive model sees it: the cell itself, with texts folded.
enum ModelValue {
    case number(Cell)
    case text(raw: [UInt8], folded: [UInt8])
    case blob(Int)
    case missing

    init(_ cell: Cell, in column: ColumnDescription) {
        switch cell {
        case .null: self = column.type == .text ? Self.text(column.defaultText) : .missing
        case .text(""): self = column.type == .text ? Self.text(column.defaultText) : .missing
        case .integer, .real: self = .number(cell)
        case .text(let text): self = Self.text(text)
        case .malformedText(let bytes, _): self = .text(raw: bytes, folded: Self.fold(bytes))
        case .cutText(let text, _): self = Self.text(text)
        case .blob(_, let byteCount): self = .blob(byteCount)
        }
    }

    private static func text(_ text: String) -> ModelValue {
        .text(raw: Array(text.utf8), folded: TextFolding.fold(text))
    }

    private static func fold(_ bytes: [UInt8]) -> [UInt8] {
        var folded: [UInt8] = []
        bytes.withUnsafeBytes { TextFolding.fold($0, into: &folded) }
        return folded
    }

    /// −1, 0 or 1; what is missing comes last in both directions.
    static func order(_ left: ModelValue, _ right: ModelValue, isDescending: Bool) -> Int {
        switch (left, right) {
        case (.missing, .missing): return 0
        case (.missing, _): return 1
        case (_, .missing): return -1
        case (.number, _), (.text, _), (.blob, _):
            let ascending = order(left, right)
            return isDescending ? -ascending : ascending
        }
    }

    private static func order(_ left: ModelValue, _ right: ModelValue) -> Int {
        switch (left, right) {
        case (.number(let a), .number(let b)): order(a, b)
        case (.text(_, let a), .text(_, let b)):
            a == b ? 0 : (a.lexicographicallyPrecedes(b) ? -1 : 1)
        case (.blob(let a), .blob(let b)): (a - b).signum()
        case (.number, _), (.missing, _), (.blob, _), (.text, _): (left.kind - right.kind).signum()
        }
    }

    private static func order(_ left: Cell, _ right: Cell) -> Int {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): return a < b ? -1 : (a > b ? 1 : 0)
        case (.real(let a), .real(let b)): return a < b ? -1 : (a > b ? 1 : 0)
        case (.integer(let a), .real(let b)):
            if abs(b) > 0x1p64 { return b > 0 ? -1 : 1 }
            if Int128(a) < Int128(b.rounded(.up)) { return -1 }
            return Int128(a) > Int128(b.rounded(.down)) ? 1 : 0
        case (.real, .integer): return -order(right, left)
        default: preconditionFailure("not numbers")
        }
    }

    private var kind: Int {
        switch self {
        case .number: 0
        case .text: 1
        case .blob: 2
        case .missing: 3
        }
    }

    /// What a search looks through, and how many characters it is; nil for what no search finds.
    var searched: (folded: [UInt8], length: Int)? {
        switch self {
        case .missing, .blob: return nil
        case .text(let raw, let folded):
            return (folded, String(decoding: raw, as: UTF8.self).count)
        case .number:
            let text = title
            return (TextFolding.fold(text), text.count)
        }
    }

    var title: String {
        switch self {
        case .missing: return "Unknown"
        case .number(.integer(let number)): return "\(number)"
        case .number(.real(let real)): return "\(real)"
        case .number: preconditionFailure("not a number")
        case .text(let raw, _): return String(decoding: raw, as: UTF8.self)
        case .blob(let byteCount): return byteCount == 1 ? "1 byte" : "\(byteCount) bytes"
        }
    }
}

/// A section's key in the model: the whole value, a number, `#`, `Unknown`, or the one section of
/// a list that has none.
enum ModelSection {
    case all
    case value(ModelValue)
    case number(Int64, title: String)
    case noLetter
    case unknown

    init(_ value: ModelValue, _ expression: SectionExpression, _ zone: ZoneClock?) {
        switch expression {
        case .none: self = .all
        case .wholeValue: self = .value(value)
        case .firstLetter: self = Self.letter(of: value)
        case .year, .month, .day, .hourOfDay: self = Self.time(of: value, expression, zone)
        case .ranges(let bounds): self = Self.range(of: value, bounds)
        }
    }

    static func letter(of value: ModelValue) -> ModelSection {
        guard case .text(_, let folded) = value else {
            if case .missing = value { return .unknown }
            return .noLetter
        }
        let first = String(decoding: folded, as: UTF8.self).unicodeScalars.first
        guard let first, first.properties.isAlphabetic else { return .noLetter }
        let upper = String(first).uppercased()
        return .number(Int64(upper.unicodeScalars.first!.value), title: upper)
    }

    private static func time(
        of value: ModelValue, _ expression: SectionExpression, _ zone: ZoneClock?
    ) -> Self {
        guard let time = ModelTime(value, in: zone.flatMap { TimeZone(identifier: $0.name) }) else {
            return .unknown
        }
        let (year, month, day) = time.civil
        func digits(_ number: Int64, _ count: Int) -> String {
            var text = String(number.magnitude)
            while text.count < count { text = "0" + text }
            return (number < 0 ? "-" : "") + text
        }
        switch expression {
        case .year: return .number(year, title: "\(year)")
        case .month:
            return .number(
                year * 12 + month, title: "\(digits(year, 4))-\(digits(month, 2))")
        case .hourOfDay:
            return .number(time.second / 3_600, title: digits(time.second / 3_600, 2) + ":00")
        default:
            return .number(
                time.day, title: "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))")
        }
    }

    private static func range(of value: ModelValue, _ bounds: [Double]) -> ModelSection {
        guard case .number(let cell) = value else { return .unknown }
        // The tests' bounds are whole, so an order of cells is an order of values.
        let below = bounds.filter {
            ModelValue.order(.number(.real($0)), .number(cell), isDescending: false) <= 0
        }
        let whole = bounds.map { "\(Int($0))" }
        let index = below.count
        let title =
            bounds.isEmpty
            ? "all"
            : index == 0
                ? "below " + whole[0]
                : index == bounds.count
                    ? whole[index - 1] + " and more" : whole[index - 1] + " – " + whole[index]
        return .number(Int64(index), title: title)
    }

    static func order(_ left: ModelSection, _ right: ModelSection, isDescending: Bool) -> Int {
        switch (left, right) {
        case (.all, _), (_, .all): return 0
        case (.value(let a), .value(let b)):
            return ModelValue.order(a, b, isDescending: isDescending)
        case (.number(let a, _), .number(let b, _)):
            let ascending = a < b ? -1 : (a > b ? 1 : 0)
            return isDescending ? -ascending : ascending
        case (.number, _), (.noLetter, _), (.unknown, _), (.value, _):
            return (left.kind - right.kind).signum()
        }
    }

    private var kind: Int {
        switch self {
        case .all, .value, .number: 0
        case .noLetter: 1
        case .unknown: 2
        }
    }

    var title: String {
        switch self {
        case .all: ""
        case .value(let value): value.title
        case .number(_, let title): title
        case .noLetter: "#"
        case .unknown: "Unknown"
        }
    }
}

/// A moment by counting years one by one, which is slow and plain.
struct ModelTime {
    var day: Int64
    var second: Int64

    init?(_ value: ModelValue, in zone: TimeZone?) {
        switch value {
        case .number(.integer(let seconds)): self.init(seconds: Int128(seconds), in: zone)
        case .number(.real(let seconds)):
            guard seconds >= -0x1p63 && seconds < 0x1p63 else { return nil }
            self.init(seconds: Int128(seconds.rounded(.down)), in: zone)
        case .text(let raw, _): self.init(text: String(decoding: raw, as: UTF8.self), in: zone)
        case .number, .blob, .missing: return nil
        }
    }

    /// The calendar repeats after 400 years, and Foundation does not reach all seconds.
    init(seconds utc: Int128, in zone: TimeZone?) {
        let years: Int128 = 12_622_780_800
        let near = utc < 10 * years ? max(utc, -years) : 9 * years + utc % years
        let date = Date(timeIntervalSince1970: Double(near))
        let local = utc + Int128(zone?.secondsFromGMT(for: date) ?? 0)
        let seconds = min(max(local, Int128(Int64.min)), Int128(Int64.max))
        var days = seconds / 86_400
        if days * 86_400 > seconds { days -= 1 }
        day = Int64(days)
        second = Int64(seconds - days * 86_400)
    }

    private init?(text: String, in zone: TimeZone?) {
        let form =
            /(\d{4})-(\d\d)-(\d\d)(?:[ Tt](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(.*))?/
            .asciiOnlyDigits().matchingSemantics(.unicodeScalar)
        let named = /(?:[Zz]|([+\-])(\d\d)(?::?(\d\d))?)?/.asciiOnlyDigits()
        guard let match = text.wholeMatch(of: form)?.output, let year = Int64(match.1),
            let month = Int64(match.2), let dayOfMonth = Int64(match.3), (1...12).contains(month),
            (1...Self.days(of: month, in: year)).contains(dayOfMonth)
        else { return nil }
        day = dayOfMonth - 1
        for earlier in 1..<month { day += Self.days(of: earlier, in: year) }
        if year >= 1970 {
            for past in 1970..<year { day += Self.days(in: past) }
        } else {
            for coming in year..<1970 { day -= Self.days(in: coming) }
        }
        second = 0
        guard let hour = match.4.flatMap({ Int64($0) }), let minute = match.5.flatMap({ Int64($0) })
        else { return }
        guard hour < 24, minute < 60, Int64(match.6 ?? "0")! <= 60,
            let shift = match.7?.wholeMatch(of: named)?.output,
            case let hoursAhead = Int64(shift.2 ?? "0")!, hoursAhead < 24,
            case let minutesAhead = Int64((shift.3 ?? nil) ?? "0")!, minutesAhead < 60
        else { return nil }
        second = hour * 3_600 + minute * 60
        guard let zone else { return }
        let ahead = (hoursAhead * 60 + minutesAhead) * (shift.1 == "-" ? -60 : 60)
        let utc = day * 86_400 + second + min(Int64(match.6 ?? "0")!, 59) - ahead
        let local = ModelTime(seconds: Int128(utc), in: zone)
        (day, second) = (local.day, local.second)
    }

    var civil: (year: Int64, month: Int64, day: Int64) {
        // Four hundred years are always as many days.
        var cycles = day / 146_097
        if cycles * 146_097 > day { cycles -= 1 }
        var rest = day - cycles * 146_097
        var year: Int64 = 1970
        while rest >= Self.days(in: year) {
            rest -= Self.days(in: year)
            year += 1
        }
        var month: Int64 = 1
        while rest >= Self.days(of: month, in: year) {
            rest -= Self.days(of: month, in: year)
            month += 1
        }
        return (year + 400 * cycles, month, rest + 1)
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(in year: Int64) -> Int64 { isLeap(year) ? 366 : 365 }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
