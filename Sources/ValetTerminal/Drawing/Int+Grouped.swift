extension Int {
    /// `1204117` as `1,204,117`.
    package var grouped: String {
        let digits = String(magnitude)
        let text = digits.enumerated().reduce(into: "") { text, digit in
            let left = digits.count - digit.offset
            if digit.offset > 0, left.isMultiple(of: 3) { text.append(",") }
            text.append(digit.element)
        }
        return self < 0 ? "-" + text : text
    }
}
