extension [ColumnDescription] {
    /// The columns of a table that name a row to a person who knows its key already: its title
    /// column, or else its first text. A half of a person's name comes with the other half.
    ///
    /// - Parameters:
    ///   - titleColumn: nil for the first that may be one.
    ///   - key: the name of the column that has the key; nil for the row id.
    /// - Returns: in the table's order; several only if all are texts.
    package func naming(titleColumn: Int?, beside key: String?) -> [Int] {
        let others = indices.filter { self[$0].keyColumn == nil && self[$0].name != key }
        let texts = others.filter { self[$0].isText }
        guard let first = titleColumn.flatMap({ others.contains($0) ? $0 : nil }) ?? texts.first
        else { return [] }
        let half = self[first].isText ? NameHalf(of: self[first]) : nil
        let other = half.flatMap { half in
            texts.first { NameHalf(of: self[$0]) == half.other }
        }
        return [first, other].compactMap(\.self).sorted()
    }
}

/// What a column has of a person's name, by what it is called.
private enum NameHalf {
    case given, family

    init?(of column: ColumnDescription) {
        switch column.name.lowercased().filter(\.isLetter) {
        case "firstname", "givenname", "forename", "vorname": self = .given
        case "lastname", "familyname", "surname", "nachname": self = .family
        default: return nil
        }
    }

    var other: NameHalf { self == .given ? .family : .given }
}
