import ValetArrangement
import ValetModel
import ValetStore

/// Titles of other rows that a list shows. The rows that refer to one are found by their keys, so
/// columns of keys are in memory wherever the list is, and their orders from the first change of a
/// title on.
extension ListKeeper {
    /// What becomes of rows when titles change; nil if there are too many of them, or if the rows
    /// are not known: they are being read, or another program has changed them.
    func retitled(by changes: [Int: TitleChanges]) -> [RowChange]? {
        if changes.isEmpty { return [] }
        guard !isReading else { return nil }
        guard let snapshot else { return [] }
        guard !isOutdated else { return nil }
        var updates: [Int64: [Int: Cell]] = [:]
        for (column, change) in changes {
            let found = snapshot.rows(
                having: Set(change.titles.keys), in: change.keyColumn,
                most: Limits.rowsPerCommand - updates.count)
            guard let found else { return nil }
            for (rowID, key) in found { updates[rowID, default: [:]][column] = change.titles[key] }
        }
        return updates.sorted { $0.key < $1.key }.map { .update(rowID: $0, cells: $1) }
    }

    /// Titles have changed and will again: the orders of their keys are made, or kept.
    mutating func orderKeys(of changes: [Int: TitleChanges]) -> [KeeperAction] {
        Set(changes.values.map(\.keyColumn)).sorted().compactMap { column in
            let order = Snapshot.order(byKeys: column)
            if snapshot?.arrangements[order] != nil {
                arranged.keepIdle(order)
                return nil
            }
            return buildNumbers[order] == nil && has(order.columns) ? build(order) : nil
        }
    }

    /// The columns with those of keys that are always needed with them.
    func withKeys(of columns: Set<Int>) -> Set<Int> {
        columns.union(description.columns.compactMap(\.keyColumn))
    }
}
