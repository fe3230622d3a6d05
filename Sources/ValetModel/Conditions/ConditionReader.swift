/// Reads conditions as people write them: `year >= 2015`, `make = BMW, Audi`, `owner missing`.
///
/// A column's name or label comes first, then an operator (see `Comparison.spellings`), then
/// values. Names are found as everywhere, and need double quotes only where something else is meant
/// without: the longest name is taken that has an operator behind it. The beginning of a name does
/// where only one column's name begins so. Before a number or a date, `=` may be left out.
///
/// With `=` and `≠`, commas separate values; `between` has `and` between its two, and `= 2005/2010`
/// or `= 2005..2010` mean the same of numbers. A value is read as the column's type says; in double
/// quotes it is a text, in which two quotation marks stand for one.
package struct ConditionReader: Hashable, Sendable {
    package let columns: [ColumnDescription]
    /// In seconds since 1970; nil refuses words such as `today`.
    let now: Int64?
    /// Where `today` is, for columns of dates without a zone of their own.
    let zone: ZoneClock?

    package init(columns: [ColumnDescription], now: Int64? = nil, zone: ZoneClock? = nil) {
        self.columns = columns
        self.now = now
        self.zone = zone
    }

    package func condition(_ text: String) throws(ConditionError) -> Condition {
        var rest = ConditionText(text)
        let (column, comparison) = try beginning(&rest)
        if let span = span(rest, comparison, columns[column]) { return span }
        let values = try values(&rest, comparison, columns[column])
        return Condition(column: columns[column].name, comparison, values)
    }

    /// Reads up to the values.
    func beginning(
        _ text: inout ConditionText
    ) throws(ConditionError) -> (column: Int, Comparison) {
        text.skipBlanks()
        if text.next == "\"" { return try quotedBeginning(&text) }
        let matches = matches(in: text)
        for match in matches {
            if let comparison = try comparison(behind: match.end, of: match.column, &text) {
                return (match.column, comparison)
            }
        }
        if let (column, end) = shortened(in: text),
            let comparison = try comparison(behind: end, of: column, &text)
        {
            return (column, comparison)
        }
        throw unfinished(text, matches)
    }

    /// Reads what stands behind a name; nil if it is no operator, and no number that goes without.
    private func comparison(
        behind end: Int, of column: Int, _ text: inout ConditionText
    ) throws(ConditionError) -> Comparison? {
        var rest = text
        rest.position = end
        let hasBlank = rest.isAtBlank || rest.scalars[end - 1].properties.isWhitespace
        rest.skipBlanks()
        let start = rest.position
        if let comparison = Comparison(reading: &rest, takesWords: hasBlank) {
            try check(comparison, start, rest, of: columns[column])
            text = rest
            return comparison
        }
        guard hasBlank, rest.next?.beginsNumber == true, columns[column].isCounted else {
            return nil
        }
        text = rest
        return .isOneOf
    }

    /// The column whose name, and no other's, begins as the text up to the operator, or up to a
    /// number: `pop > 1000000`.
    private func shortened(in text: ConditionText) -> (column: Int, end: Int)? {
        let start = text.position
        let number = text.scalars.indices.first { place in
            place > start && text.scalars[place].beginsNumber
                && text.scalars[place - 1].properties.isWhitespace
        }
        let nameEnd = text.scalars[..<(number ?? start)].lastIndex {
            !$0.properties.isWhitespace
        }
        let end = min(operatorStart(in: text), nameEnd.map { $0 + 1 } ?? text.end)
        guard start < end, end < text.end else { return nil }
        let typed = TextFolding.fold(text.string(start..<end))
        let fitting = columns.indices.filter { column in
            [columns[column].name, columns[column].label].contains {
                TextFolding.fold($0).starts(with: typed)
            }
        }
        guard !typed.isEmpty, fitting.count == 1 else { return nil }
        return (fitting[0], end)
    }

    private func quotedBeginning(
        _ text: inout ConditionText
    ) throws(ConditionError) -> (column: Int, Comparison) {
        let start = text.position
        guard let name = text.quoted() else {
            throw unclosedQuote(text, from: start, expected: .column)
        }
        let names = names
        guard let index = NameLookup.index(of: name, in: names, by: \.self) else {
            throw unknownColumn(text, start..<text.position, name, isIncomplete: false)
        }
        let column = index % columns.count
        text.skipBlanks()
        let operatorStart = text.position
        guard let comparison = Comparison(reading: &text, takesWords: true) else {
            throw unknownComparison(text, of: columns[column])
        }
        try check(comparison, operatorStart, text, of: columns[column])
        return (column, comparison)
    }

    // MARK: Columns

    private struct Match {
        let column: Int
        /// Behind the name, in scalars; at least 1.
        let end: Int
        let isExact: Bool
    }

    /// Names, then labels: a place in it is a column's number, or that and their count.
    private var names: [String] { columns.map(\.name) + columns.map(\.label) }

    /// The columns that the text may begin with, the longest name first.
    private func matches(in text: ConditionText) -> [Match] {
        let (folded, lengths) = foldedBeginning(of: text)
        var matches: [Match] = []
        for (index, name) in names.enumerated() where !name.isEmpty {
            if text.scalars[text.position...].starts(with: name.unicodeScalars) {
                matches.append(
                    Match(
                        column: index % columns.count,
                        end: text.position + name.unicodeScalars.count, isExact: true))
            }
            let foldedName = TextFolding.fold(name)
            guard !foldedName.isEmpty, folded.starts(with: foldedName),
                // With the marks behind it, which fold to nothing.
                let last = lengths.lastIndex(of: foldedName.count)
            else { continue }
            matches.append(
                Match(column: index % columns.count, end: text.position + last + 1, isExact: false))
        }
        // Of equal ends, exact ones first, then in their order.
        return matches.enumerated().sorted { one, other in
            (one.element.end, one.element.isExact ? 1 : 0, -one.offset)
                > (other.element.end, other.element.isExact ? 1 : 0, -other.offset)
        }.map(\.element)
    }

    /// The folded form of as much as a name can have, and its length after each scalar.
    private func foldedBeginning(of text: ConditionText) -> (bytes: [UInt8], lengths: [Int]) {
        var folded: [UInt8] = []
        var lengths: [Int] = []
        for scalar in text.scalars[text.position...].prefix(Limits.bytesPerName) {
            folded += TextFolding.fold(String(scalar))
            lengths.append(folded.count)
        }
        return (folded, lengths)
    }
}

// MARK: - Errors

extension Unicode.Scalar {
    fileprivate var beginsNumber: Bool {
        ("0"..."9").contains(self) || "+-.".unicodeScalars.contains(self)
    }
}

extension ColumnDescription {
    /// Whether a number alone says what is looked for.
    fileprivate var isCounted: Bool { isNumber || type == .date }
}

extension ConditionReader {
    /// Why the text has no column with an operator.
    private func unfinished(_ text: ConditionText, _ matches: [Match]) -> ConditionError {
        let all = text.position..<text.end
        let isBegun = beginsName(text, all)
        let match = matches.first { match in
            match.end >= text.end || text.scalars[match.end].properties.isWhitespace
        }
        guard let match, match.end >= text.end || !isBegun else {
            let range = text.position..<operatorStart(in: text)
            return unknownColumn(text, range, text.string(range), isIncomplete: isBegun)
        }
        var rest = text
        rest.position = match.end
        rest.skipBlanks()
        return unknownComparison(rest, of: columns[match.column])
    }

    /// Whether a longer name begins so.
    private func beginsName(_ text: ConditionText, _ range: Range<Int>) -> Bool {
        guard range.count <= Limits.bytesPerName else { return false }
        let typed = TextFolding.fold(text.string(range))
        return names.contains { name in
            let name = TextFolding.fold(name)
            return name.count > typed.count && name.starts(with: typed)
        }
    }

    /// Where the first operator is, without the blanks before it; else the end.
    private func operatorStart(in text: ConditionText) -> Int {
        var (rest, end) = (text, text.position)
        let last = text.end
        while rest.position < last, rest.position - text.position < Limits.bytesPerName {
            let isBehindBlank = rest.position > end
            var read = rest
            if Comparison(reading: &read, takesWords: isBehindBlank) != nil { return end }
            if !rest.isAtBlank { end = rest.position + 1 }
            rest.position += 1
        }
        return last
    }

    private func unknownColumn(
        _ text: ConditionText, _ range: Range<Int>, _ name: String, isIncomplete: Bool
    ) -> ConditionError {
        ConditionError(
            code: .unknownColumn,
            message: name.isEmpty
                ? "a condition begins with a column, such as year ≥ 2015"
                : "there is no column \(Self.shown(name))",
            alternatives: Array(columns.prefix(Limits.alternativesPerError).map(\.name)),
            place: text.place(range), expected: .column, typed: text.string(range),
            isIncomplete: isIncomplete)
    }

    private func unknownComparison(
        _ text: ConditionText, of column: ColumnDescription
    ) -> ConditionError {
        let range = text.word
        let typed = text.string(range)
        let rest = text.string(text.position..<text.end).lowercased()
        let spellings = Comparison.comparisons(of: column).flatMap(\.spellings)
        return ConditionError(
            code: .invalidCondition,
            message: typed.isEmpty
                ? "an operator must follow “\(column.name)”"
                : "\(Self.shown(typed)) is not an operator",
            alternatives: Comparison.comparisons(of: column).map(\.spelling),
            place: text.place(range), expected: .comparison, typed: typed,
            isIncomplete: spellings.contains { $0.hasPrefix(rest) })
    }

    private func check(
        _ comparison: Comparison, _ start: Int, _ text: ConditionText, of column: ColumnDescription
    ) throws(ConditionError) {
        guard let reason = comparison.refusal(in: column) else { return }
        let range = start..<text.position
        throw ConditionError(
            code: .invalidCondition, message: reason,
            alternatives: Comparison.comparisons(of: column).map(\.spelling),
            place: text.place(range), expected: .comparison, typed: text.string(range),
            isIncomplete: false)
    }

    func unclosedQuote(
        _ text: ConditionText, from start: Int, expected: ConditionError.Part
    ) -> ConditionError {
        let range = start..<text.scalars.count
        return ConditionError(
            code: .invalidCondition,
            message: "the quotation mark is not closed: end the text with another",
            alternatives: [], place: text.place(range), expected: expected,
            typed: text.string(range), isIncomplete: true)
    }

    /// A piece of the text for a message.
    static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count > 60
            ? "“" + String(String.UnicodeScalarView(scalars.prefix(60))) + "…”" : "“\(text)”"
    }
}
