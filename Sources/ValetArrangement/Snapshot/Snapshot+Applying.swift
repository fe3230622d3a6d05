import ValetModel

extension Snapshot {
    /// The snapshot after `changes`, in order. Costs O(log n) for each changed row and arrangement;
    /// a chunk or node that several changes touch is copied once.
    ///
    /// - Returns: nil if a change does not apply: it names a missing row, inserts an existing one,
    ///   or exceeds the row limit. The list must then be reloaded.
    package func applying(_ changes: [RowChange], revision: UInt64) -> Snapshot? {
        guard revision >= self.revision else { return nil }
        var edit = ColumnCacheEdit(of: cache)
        guard changes.allSatisfy({ edit.apply($0) }) else { return nil }
        let (newCache, edits) = edit.finish()
        var copy = Snapshot(
            revision: revision, cache: newCache, arrangements: arrangements, numbers: numbers)
        for (specification, arrangement) in arrangements {
            guard
                let changed = arrangement.applying(
                    edits, from: cache, to: newCache, numbers: numbers)
            else { return nil }
            copy.arrangements[specification] = changed
        }
        return copy
    }

    /// The snapshot with columns that were read at an earlier revision, when the list had
    /// `slotCount` slots; `changes` are the commits since then.
    package func adding(
        _ columns: [Int: Column], readWith slotCount: Int, changedSince changes: [RowChange]
    ) -> Snapshot {
        var edits = columns.mapValues(ColumnEdit.init)
        var later: [Int64: UInt32] = [:]
        var next = UInt32(slotCount)
        for change in changes {
            switch change {
            case .insert(let rowID, let cells):
                for index in columns.keys { edits[index]?.set(next, to: cells[index] ?? .null) }
                later[rowID] = next
                next += 1
            case .update(let rowID, let cells):
                // The row has been deleted again and needs no value.
                guard let slot = later[rowID] ?? cache.slot(of: rowID) else { continue }
                for (index, cell) in cells { edits[index]?.set(slot, to: cell) }
            case .delete(let rowID): later[rowID] = nil
            }
        }
        var copy = self
        copy.cache = cache.adding(edits.mapValues(\.column))
        return copy
    }
}

extension Snapshot {
    /// Arrangements of an older snapshot's rows, made into those of this one's.
    ///
    /// - Parameter rowIDs: all rows that changed in between.
    /// - Returns: nil if an arrangement is not one of `old`'s.
    package func catchingUp(
        _ arrangements: [Arrangement], with rowIDs: Set<Int64>, from old: Snapshot
    ) -> [Arrangement]? {
        // In an order that does not depend on hashes, so that leaves get the same numbers.
        let rowIDs = rowIDs.sorted()
        let edits = RowEdits(
            removed: rowIDs.compactMap(old.cache.slot), inserted: rowIDs.compactMap(cache.slot))
        let changed = arrangements.compactMap {
            $0.applying(edits, from: old.cache, to: cache, numbers: numbers)
        }
        return changed.count == arrangements.count ? changed : nil
    }
}
