extension Condition {
    /// What a person may have meant otherwise, who finds nothing; nil if nothing is odd.
    ///
    /// In a column of texts, each of these is a text like others: songs are called `Yesterday`.
    package func hint(in columns: [ColumnDescription]) -> String? {
        guard let number = NameLookup.index(of: column, in: columns, by: \.name) else { return nil }
        if areBoundsReversed {
            let turned = Condition(column: column, .between, values.reversed())
            return "between takes the lower value first: \(turned.text(in: columns))"
        }
        guard columns[number].type == .text else { return nil }
        let reader = ConditionReader(columns: columns)
        for case .text(let text) in values.prefix(Self.mostHinted) {
            if let slip = reader.slip(in: text, columns[number]) { return slip }
            let shown = ConditionReader.shown(text)
            if RelativeDate(text) != nil {
                return "\(shown) is compared as text: “\(column)” is not a date column "
                    + "(a catalog can make it one: type: date)"
            }
            if text.utf8.count > 2, text.utf8.first == 0x27, text.utf8.last == 0x27 {
                return "\(shown) is searched for with its quotes: use double quotes"
            }
        }
        return nil
    }

    private var areBoundsReversed: Bool {
        guard comparison == .between, values.count == 2 else { return false }
        switch (values[0], values[1]) {
        case (.integer(let one), .integer(let other)): return one > other
        case (.integer(let one), .real(let other)): return Double(one) > other
        case (.real(let one), .integer(let other)): return one > Double(other)
        case (.real(let one), .real(let other)): return one > other
        default: return false
        }
    }

    /// Who gives more values knows how they are written.
    private static let mostHinted = 16
}

extension ConditionReader {
    /// What other languages write otherwise than here, in a value of a column that is no date.
    func slip(in typed: String, _ column: ColumnDescription) -> String? {
        if typed.utf8.count == 4, typed.lowercased() == "null" {
            return "use “\(column.name) missing” to find NULL"
        }
        let words = typed.lowercased()
        for word in [" and ", " or ", " && ", " || "] {
            for range in words.ranges(of: word) {
                var rest = ConditionText(String(words[range.upperBound...]))
                guard (try? beginning(&rest)) != nil else { continue }
                return "\(Self.shown(typed)) is read as one value: write each condition by itself"
            }
        }
        return nil
    }
}
