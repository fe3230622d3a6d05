import ValetModel

/// What commits did to rows while work went on with an older state of a list: for each row, all
/// that became of it. So it takes memory by rows, however many commits there are.
package struct MissedChanges: Sendable {
    private var changes: [Int64: RowChange] = [:]
    /// About what the changes take in memory.
    package private(set) var byteCount = 0

    package init() {}

    package var isEmpty: Bool { changes.isEmpty }
    /// Of rows.
    package var count: Int { changes.count }
    package var rowIDs: Dictionary<Int64, RowChange>.Keys { changes.keys }

    package subscript(rowID: Int64) -> RowChange? { changes[rowID] }

    /// One for each row, in an order that does not depend on hashes, so that leaves get the same
    /// numbers.
    package var inOrder: [RowChange] { changes.sorted { $0.key < $1.key }.map(\.value) }

    package mutating func add(_ later: [RowChange]) {
        for change in later {
            byteCount += change.byteCount
            add(change)
        }
    }

    private mutating func add(_ later: RowChange) {
        guard case .update(let rowID, let cells) = later else {
            return changes[later.rowID] = later
        }
        switch changes[rowID] {
        case nil: changes[rowID] = later
        case .insert(_, let earlier):
            changes[rowID] = .insert(rowID: rowID, cells: earlier.merging(cells) { $1 })
        case .update(_, let earlier):
            changes[rowID] = .update(rowID: rowID, cells: earlier.merging(cells) { $1 })
        case .delete: break
        }
    }
}

extension Snapshot {
    /// The rows as they are after what they have missed. They may have been read after some of it:
    /// each row only becomes what it is now. Costs as much as `applying`.
    ///
    /// - Returns: nil if there are more rows than the limit: the list must then be reloaded.
    package func catchingUp(with missed: MissedChanges, revision: UInt64) -> Snapshot? {
        var edit = ColumnCacheEdit(of: cache)
        guard missed.inOrder.allSatisfy({ edit.overtake($0) }) else { return nil }
        return replacingCache(edit.finish(), revision: revision)
    }

    /// The snapshot with columns that were read for the rows of an earlier one, which had
    /// `slotCount` slots. They may be of any revision from that one's to this one's.
    package func adding(
        _ columns: [Int: Column], readWith slotCount: Int, missing missed: MissedChanges
    ) -> Snapshot {
        var edits = columns.mapValues(ColumnEdit.init)
        // Slots of rows that were inserted and deleted again have no values, but are there.
        for slot in UInt32(slotCount)..<UInt32(max(slotCount, cache.slotCount)) {
            for index in columns.keys { edits[index]?.set(slot, to: .null) }
        }
        for change in missed.inOrder {
            guard let slot = cache.slot(of: change.rowID) else { continue }
            switch change {
            case .insert(_, let cells):
                for index in columns.keys { edits[index]?.set(slot, to: cells[index] ?? .null) }
            case .update(_, let cells):
                for (index, cell) in cells { edits[index]?.set(slot, to: cell) }
            case .delete: break
            }
        }
        var copy = self
        copy.cache = cache.adding(edits.mapValues(\.column))
        return copy
    }
}
