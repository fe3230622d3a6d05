extension Comparison {
    /// How a comparison is written, the usual form first.
    package var spellings: [String] {
        switch self {
        case .isOneOf: ["=", "==", "is"]
        case .isNoneOf: ["≠", "!=", "<>", "is not"]
        case .below: ["<", "below"]
        case .atMost: ["≤", "<=", "at most"]
        case .above: [">", "above"]
        case .atLeast: ["≥", ">=", "at least"]
        case .contains: ["contains", "~"]
        case .beginsWith: ["begins with", "^"]
        case .isMissing: ["missing", "is missing"]
        case .isPresent: ["present", "not missing", "is not missing"]
        case .between: ["between"]
        case .doesNotContain: ["not contains", "!~", "does not contain"]
        }
    }

    package var spelling: String { spellings[0] }

    /// The comparisons that a column can have.
    package static func comparisons(of column: ColumnDescription) -> [Comparison] {
        allCases.filter { $0.refusal(in: column) == nil }
    }

    /// Why the column can't have this comparison.
    func refusal(in column: ColumnDescription) -> String? {
        let values = valueCounts.contains(0) ? [] : [Cell.text("")]
        return Condition(column: column.name, self, values).refusal(in: column)
    }

    /// Moves past an operator.
    ///
    /// - Parameter takesWords: false where words would go on with the name of the column.
    init?(reading text: inout ConditionText, takesWords: Bool) {
        for spelling in Self.all where takesWords || spelling.words.isEmpty {
            var rest = text
            guard
                spelling.words.isEmpty
                    ? rest.skip(spelling.symbol) : rest.skip(words: spelling.words)
            else { continue }
            // What goes on is a value: `is missing link`.
            let takesNone = spelling.comparison.valueCounts.contains(0)
            if takesNone, rest.position < rest.end { continue }
            text = rest
            self = spelling.comparison
            return
        }
        return nil
    }

    private struct Spelling {
        let comparison: Comparison
        let symbol: [Unicode.Scalar]
        /// Empty for a symbol.
        let words: [String]
    }

    /// The longest first.
    private static let all: [Spelling] = allCases.flatMap { comparison in
        comparison.spellings.map { text in
            let isWords = text.utf8.first.map { $0 >= 0x61 && $0 <= 0x7A } ?? false
            return Spelling(
                comparison: comparison, symbol: Array(text.unicodeScalars),
                words: isWords ? text.split(separator: " ").map(String.init) : [])
        }
    }.sorted { ($0.words.count, $0.symbol.count) > ($1.words.count, $1.symbol.count) }
}
