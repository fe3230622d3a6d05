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
        return replacingCache(edit.finish(), revision: revision)
    }

    /// - Returns: nil if an arrangement is not one of these rows.
    func replacingCache(_ edited: (ColumnCache, RowEdits), revision: UInt64) -> Snapshot? {
        let (newCache, edits) = edited
        var copy = Snapshot(
            revision: revision, cache: newCache, arrangements: arrangements, numbers: numbers)
        // In an order that does not depend on hashes, so that leaves get the same numbers: no two
        // have the same version.
        for arrangement in arrangements.values.sorted(by: { $0.version < $1.version }) {
            guard
                let changed = arrangement.applying(
                    edits, from: cache, to: newCache, numbers: numbers)
            else { return nil }
            copy.arrangements[changed.specification] = changed
        }
        return copy
    }
}

extension Snapshot {
    /// Arrangements of an older snapshot's rows, made into those of this one's.
    ///
    /// - Parameter rowIDs: all rows that changed in between.
    /// - Returns: nil if an arrangement is not one of `old`'s.
    package func catchingUp(
        _ arrangements: [Arrangement], with rowIDs: some Collection<Int64>, from old: Snapshot
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
