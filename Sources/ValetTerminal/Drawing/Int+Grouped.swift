extension Int {
    /// `1204117` as `1,204,117`.
    package var grouped: String { (self < 0 ? "-" : "") + String(magnitude).groupedDigits }
}

extension StringProtocol {
    /// Digits with a comma between thousands.
    var groupedDigits: String {
        let count = count
        return enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (count - digit.offset).isMultiple(of: 3) { text.append(",") }
            text.append(digit.element)
        }
    }
}
