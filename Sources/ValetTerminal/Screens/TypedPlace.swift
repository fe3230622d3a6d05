import ValetModel

/// A place in a list as it is typed: a row number, or a percentage.
enum TypedPlace: Hashable, Sendable {
    /// From 0 to 1.
    case part(Double)
    /// From 1.
    case row(Int)

    /// nil if the text is neither: `20000`, `1,204`, `50%`.
    init?(_ text: String) {
        let digits = String(text.filter { $0 != "," && $0 != " " })
        if digits.hasSuffix("%") {
            guard let percent = Double(digits.dropLast()), (0...100).contains(percent)
            else { return nil }
            self = .part(percent / 100)
        } else {
            guard let number = Int(digits), number >= 0 else { return nil }
            self = .row(number)
        }
    }

    func ordinal(of total: Int) -> Int {
        switch self {
        case .part(let part): Int((part * Double(max(total - 1, 0))).rounded())
        case .row(let number): min(max(number, 1), max(total, 1)) - 1
        }
    }

    /// For a list that nobody has counted yet.
    var anchor: Anchor {
        switch self {
        case .part(let part):
            .fraction(UInt32(min((part * 0x1p32).rounded(), Double(UInt32.max))))
        case .row(let number): .ordinal(min(max(number, 1), Limits.rowsPerList) - 1)
        }
    }
}
