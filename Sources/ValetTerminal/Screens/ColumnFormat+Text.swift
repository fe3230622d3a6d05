import ValetModel

extension ColumnFormat {
    /// The value as the format shows it; nil for one that it is not of, which is shown as it is.
    ///
    /// - Parameter zone: the column's; nil for UTC.
    func text(of cell: Cell, in zone: ZoneClock?) -> String? {
        switch self {
        case .plain: nil
        case .day: Self.time(cell, zone).map { Self.day($0) }
        case .time: Self.time(cell, zone)?.isoMinute
        case .dayAndTime: Self.time(cell, zone).map { "\(Self.day($0)) \($0.isoMinute)" }
        case .monthYear: Self.time(cell, zone).map { Self.monthYear($0) }
        case .number(let decimals, let isGrouped):
            Self.digits(cell, decimals: decimals).map { isGrouped ? Self.grouped($0) : $0 }
        }
    }

    // MARK: Dates

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// nil outside the usual years, where the number alone says more.
    private static func time(_ cell: Cell, _ zone: ZoneClock?) -> CivilTime? {
        CivilTime(cell, in: zone).flatMap { 0...9_999 ~= $0.year ? $0 : nil }
    }

    /// `9 Mar 2024`.
    private static func day(_ time: CivilTime) -> String {
        "\(CivilTime.civil(fromDays: time.days).day) \(monthYear(time))"
    }

    /// `Mar 2024`.
    private static func monthYear(_ time: CivilTime) -> String {
        let (year, month, _) = CivilTime.civil(fromDays: time.days)
        return "\(months[Int(month) - 1]) \(year)"
    }

    // MARK: Numbers

    private static func digits(_ cell: Cell, decimals: Int?) -> String? {
        switch cell {
        case .integer(let number):
            guard let decimals, decimals > 0 else { return "\(number)" }
            return "\(number)." + String(repeating: "0", count: decimals)
        case .real(let number):
            guard let decimals else { return "\(number)" }
            return rounded(number, decimals: decimals)
        case .null, .text, .malformedText, .cutText, .blob: return nil
        }
    }

    /// nil for numbers whose whole part does not fit 64 bits.
    private static func rounded(_ number: Double, decimals: Int) -> String? {
        guard Decimals.powers.indices.contains(decimals),
            var whole = UInt64(exactly: number.magnitude.rounded(.towardZero))
        else { return nil }
        let power = Decimals.powers[decimals]
        var fraction = UInt64(((number.magnitude - Double(whole)) * power).rounded())
        if fraction >= UInt64(power) {
            // Only numbers below 2⁵³ have a fraction.
            whole += 1
            fraction = 0
        }
        let sign = number < 0 && (whole > 0 || fraction > 0) ? "-" : ""
        if decimals == 0 { return "\(sign)\(whole)" }
        let digits = String(fraction)
        let zeros = String(repeating: "0", count: decimals - digits.count)
        return "\(sign)\(whole).\(zeros)\(digits)"
    }

    /// `1,234,567.5`; a number with an exponent stays as it is.
    private static func grouped(_ number: String) -> String {
        guard !number.utf8.contains(UInt8(ascii: "e")) else { return number }
        let start = number.firstIndex { $0 != "-" } ?? number.endIndex
        let end = number.firstIndex(of: ".") ?? number.endIndex
        let whole = number[start..<end]
        guard whole.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return number }
        return "\(number[..<start])\(whole.groupedDigits)\(number[end...])"
    }

    // MARK: Aggregates

    /// A sum or a number of values, with a comma between thousands.
    static func quantity(_ number: Int128, _ format: ColumnFormat) -> String {
        guard case .number(let decimals?, _) = format, decimals > 0 else {
            return grouped("\(number)")
        }
        return grouped("\(number).") + String(repeating: "0", count: decimals)
    }

    /// Without the last digits of a sum of reals, which only say how binary fractions add up.
    static func quantity(_ number: Double, _ format: ColumnFormat) -> String {
        if case .number(let decimals?, _) = format {
            return rounded(number, decimals: decimals).map(grouped) ?? "\(number)"
        }
        let decimals = Decimals.powers.firstIndex { power in
            abs((number * power).rounded() / power - number) <= abs(number) * 1e-12
        }
        return decimals.flatMap { rounded(number, decimals: $0) }.map(grouped) ?? "\(number)"
    }

    /// Without a number of decimals in the format: three digits, one of them behind the point.
    static func mean(_ number: Double, _ format: ColumnFormat) -> String {
        var (decimals, isGrouped) = (1, false)
        var magnitude = number.magnitude
        while magnitude > 0, magnitude < 10, decimals < Decimals.largestScale {
            decimals += 1
            magnitude *= 10
        }
        if case .number(let own, let groups) = format {
            decimals = own ?? decimals
            isGrouped = groups
        }
        guard let text = rounded(number, decimals: decimals) else { return "\(number)" }
        return isGrouped ? grouped(text) : text
    }
}
