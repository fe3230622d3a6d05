import ValetModel

extension Arrangement {
    /// Adds a row that `cache` has. Under a search only if it matches.
    mutating func insert(_ slot: UInt32, cache: ColumnCache, numbers: LeafNumbers) {
        if let predicate = specification.predicate {
            let isMatch = predicate.matches(slot, in: cache)
            matches!.set(slot, to: isMatch)
            guard isMatch else { return }
        }
        let order = RowComparator(cache: cache, specification: specification)
        let place = order.place(of: slot)
        let ordinal = tree.partition { order.compare($0, place) < 0 }
        let joinsPrevious =
            ordinal > 0 && order.isSameSection(tree.slot(at: ordinal - 1), slot)
        tree.insert(slot, at: ordinal, isStart: !joinsPrevious, numbers: numbers)
        // The row behind begins a section no longer if the new one does so for it.
        if ordinal + 1 < rowCount, tree.isStart(ordinal + 1),
            order.isSameSection(slot, tree.slot(at: ordinal + 1))
        {
            tree.setStart(false, at: ordinal + 1)
        }
    }

    /// Takes out a row, whose keys `cache` still has.
    mutating func remove(_ slot: UInt32, cache: ColumnCache, numbers: LeafNumbers) {
        if matches != nil {
            guard matches!.contains(slot) else { return }
            matches!.set(slot, to: false)
        }
        let ordinal = ordinal(of: slot, in: cache)
        let wasStart = tree.isStart(ordinal)
        tree.remove(at: ordinal, numbers: numbers)
        // The row behind, if it was of the same section, begins it now.
        if wasStart, ordinal < rowCount, !tree.isStart(ordinal) {
            tree.setStart(true, at: ordinal)
        }
    }

    mutating func update(
        _ slot: UInt32, columns: Set<Int>, from old: ColumnCache, to new: ColumnCache,
        numbers: LeafNumbers
    ) {
        if specification.columns.isDisjoint(with: columns) {
            guard matches?.contains(slot) ?? true else { return }
            tree.renumberLeaf(at: ordinal(of: slot, in: new), numbers: numbers)
        } else {
            remove(slot, cache: old, numbers: numbers)
            insert(slot, cache: new, numbers: numbers)
        }
    }

    /// Where a row that the arrangement has stands.
    func ordinal(of slot: UInt32, in cache: ColumnCache) -> Int {
        let order = RowComparator(cache: cache, specification: specification)
        let place = order.place(of: slot)
        let ordinal = tree.partition { order.compare($0, place) < 0 }
        precondition(ordinal < rowCount && tree.slot(at: ordinal) == slot)
        return ordinal
    }
}
