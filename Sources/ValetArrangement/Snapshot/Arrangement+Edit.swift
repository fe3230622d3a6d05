import ValetModel

extension Arrangement {
    /// Adds a row of `cache`; under a search, only if it matches.
    mutating func insert(_ slot: UInt32, cache: ColumnCache, numbers: LeafNumbers) {
        if let predicate = specification.predicate {
            let isMatch = predicate.matches(slot, in: cache)
            matches!.set(slot, to: isMatch)
            guard isMatch else { return }
        }
        let comparator = RowComparator(cache: cache, specification: specification)
        let place = comparator.place(of: slot)
        edit(numbers: numbers) { tree in
            let ordinal = tree.partition { comparator.compare($0, place) < 0 }
            let joinsPrevious =
                ordinal > 0 && comparator.isSameSection(tree.slot(at: ordinal - 1), slot)
            tree.insert(slot, at: ordinal, isStart: !joinsPrevious, numbers: numbers)
            // The next row no longer starts a section if the new row starts the same one.
            if ordinal + 1 < tree.rowCount, tree.isStart(ordinal + 1),
                comparator.isSameSection(slot, tree.slot(at: ordinal + 1))
            {
                tree.setStart(false, at: ordinal + 1)
            }
        }
    }

    /// Removes a row whose keys `cache` still has.
    mutating func remove(_ slot: UInt32, cache: ColumnCache, numbers: LeafNumbers) {
        if matches != nil {
            guard matches!.contains(slot) else { return }
            matches!.set(slot, to: false)
        }
        let ordinal = ordinal(of: slot, in: cache)
        edit(numbers: numbers) { tree in
            let wasStart = tree.isStart(ordinal)
            tree.remove(at: ordinal, numbers: numbers)
            // The next row of the same section now starts it.
            if wasStart, ordinal < tree.rowCount, !tree.isStart(ordinal) {
                tree.setStart(true, at: ordinal)
            }
        }
    }

    mutating func update(
        _ slot: UInt32, columns: Set<Int>, from old: ColumnCache, to new: ColumnCache,
        numbers: LeafNumbers
    ) {
        if specification.columns.isDisjoint(with: columns) {
            guard matches?.contains(slot) ?? true else { return }
            let ordinal = ordinal(of: slot, in: new)
            edit(numbers: numbers) { $0.renumberLeaf(at: ordinal, numbers: numbers) }
        } else {
            remove(slot, cache: old, numbers: numbers)
            insert(slot, cache: new, numbers: numbers)
        }
    }

    /// The ordinal of a row that the arrangement contains.
    func ordinal(of slot: UInt32, in cache: ColumnCache) -> Int {
        let comparator = RowComparator(cache: cache, specification: specification)
        let place = comparator.place(of: slot)
        let ordinal = order.partition { comparator.compare($0, place) < 0 }
        precondition(ordinal < rowCount && order.slot(at: ordinal) == slot)
        return ordinal
    }

    /// Edits the tree. A search result is converted to a tree, with new leaf numbers, at its first
    /// change: most results are short-lived and never change.
    private mutating func edit(numbers: LeafNumbers, _ body: (inout OrderTree) -> Void) {
        var tree =
            switch order {
            case .tree(let tree): tree
            case .restricted(let restricted): restricted.tree(numbers: numbers)
            }
        body(&tree)
        order = .tree(tree)
    }
}
