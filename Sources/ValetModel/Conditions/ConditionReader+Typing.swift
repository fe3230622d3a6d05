/// A value at the end of a text that is typed.
package struct TypedValue: Hashable, Sendable {
    /// The column's number.
    package let column: Int
    package let comparison: Comparison
    /// What is typed of it so far, without an opening quotation mark.
    package let text: String
    /// Where it stands: offsets in the text's `utf8`.
    package let place: Range<Int>
}

extension ConditionReader {
    /// The last value of a condition that may be unfinished; nil before its operator, and for one
    /// that has no values.
    package func typedValue(in text: String) -> TypedValue? {
        var rest = ConditionText(text)
        guard let (column, comparison) = try? beginning(&rest),
            comparison.valueCounts.upperBound > 0
        else { return nil }
        rest.skipBlanks()
        if comparison == .between {
            if let gap = gap(in: rest, columns[column]) {
                rest.position = gap.upperBound
                rest.skipBlanks()
            }
        } else if comparison.valueCounts.upperBound > 1 {
            skipValues(&rest)
        }
        let start = rest.position
        let end = rest.scalars.count
        let isQuoted = rest.next == "\""
        return TypedValue(
            column: column, comparison: comparison,
            text: rest.string(min(isQuoted ? start + 1 : start, end)..<end),
            place: rest.place(start..<end))
    }

    /// Moves past all values but the last. Only where a value begins, a quotation mark encloses it.
    private func skipValues(_ text: inout ConditionText) {
        var rest = text
        while rest.next != "\"" || rest.quoted() != nil {
            guard let comma = rest.scalars[rest.position...].firstIndex(of: ",") else { return }
            rest.position = comma + 1
            rest.skipBlanks()
            text = rest
        }
    }
}
