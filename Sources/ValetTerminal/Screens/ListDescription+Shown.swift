import ValetModel

/// What the screens ask about a list.
extension ListDescription {
    /// Columns in the order in which a person reads a row.
    var shownColumns: [Int] { detail.isEmpty ? orderedColumns : detail.flatMap(\.columns) }

    /// Columns that `detail:` leaves out, and a new row can't do without.
    var requiredBeyondDetail: [Int] {
        let shown = Set(shownColumns)
        return columns.indices.filter { columns[$0].isRequired && !shown.contains($0) }
    }

    static let readOnlyRow = "This row is read-only"

    /// Why the catalog forbids it to all rows; nil if it does not.
    func reasonNot(to act: RowAct) -> String? {
        switch act {
        case .delete where !rowRules.allowsDeleting: "Rows of \(title) can't be deleted"
        case .lift where !rowRules.allowsMoving: "Rows of \(title) can't be moved"
        case .open, .goToNamed, .edit, .delete, .check, .drawer, .lift, .drop, .select, .compare:
            nil
        }
    }

    /// The column of the rows' check.
    var checkColumn: Int? {
        if case .check(let column) = cell.accessory { return column }
        return columns.firstIndex { $0.type == .boolean && $0.isEditable }
    }

    /// The numbers that the columns have in a newer catalog, by their names.
    func columnNumbers(in newer: ListDescription) -> [Int: Int] {
        let names = Dictionary(
            newer.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: min)
        return Dictionary(
            uniqueKeysWithValues: columns.enumerated().compactMap { number, column in
                names[column.name].map { (number, $0) }
            })
    }

    /// Whether a screen of this list can show the other, which may be editable where this is not.
    func isSame(as other: ListDescription) -> Bool {
        var other = other
        (other.isEditable, other.readOnlyReason) = (isEditable, readOnlyReason)
        (other.epoch, other.rowIDs) = (epoch, rowIDs)
        return self == other
    }
}
