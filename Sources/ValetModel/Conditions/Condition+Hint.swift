extension Condition {
    /// What a person may have meant otherwise, who finds nothing; nil if nothing is odd.
    ///
    /// In a column of texts, `today` is a text like others: songs are called so.
    package func hint(in columns: [ColumnDescription]) -> String? {
        guard let number = NameLookup.index(of: column, in: columns, by: \.name),
            columns[number].type == .text
        else { return nil }
        for case .text(let text) in values where RelativeDate(text) != nil {
            return "\(ConditionReader.shown(text)) is a text here: “\(column)” is no column of "
                + "dates (a catalog can make it one: type: date)"
        }
        return nil
    }
}
