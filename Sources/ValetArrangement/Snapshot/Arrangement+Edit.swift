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
        edit(numbers: numbers) { [specification] tree in
            let ordinal = tree.partition { comparator.compare($0, place) < 0 }
            let joinsPrevious =
                ordinal > 0 && comparator.isSameSection(tree.slot(at: ordinal - 1), slot)
            tree.insert(slot, at: ordinal, isStart: !joinsPrevious, numbers: numbers)
            guard !joinsPrevious else { return false }
            // The next row no longer starts a section if the new row starts the same one.
            guard ordinal + 1 < tree.rowCount, tree.isStart(ordinal + 1) else { return true }
            let next = tree.slot(at: ordinal + 1)
            guard comparator.isSameSection(slot, next) else { return true }
            tree.setStart(false, at: ordinal + 1)
            return !specification.titlesAlike(slot, next, in: cache)
        }
    }

    /// Removes a row whose keys `cache` still has.
    mutating func remove(_ slot: UInt32, cache: ColumnCache, numbers: LeafNumbers) {
        if matches != nil {
            guard matches!.contains(slot) else { return }
            matches!.set(slot, to: false)
        }
        let ordinal = ordinal(of: slot, in: cache)
        edit(numbers: numbers) { [specification] tree in
            let wasStart = tree.isStart(ordinal)
            tree.remove(at: ordinal, numbers: numbers)
            guard wasStart else { return false }
            // The next row of the same section now starts it.
            guard ordinal < tree.rowCount, !tree.isStart(ordinal) else { return true }
            tree.setStart(true, at: ordinal)
            return !specification.titlesAlike(slot, tree.slot(at: ordinal), in: cache)
        }
    }

    mutating func update(
        _ slot: UInt32, columns: Set<Int>, from old: ColumnCache, to new: ColumnCache,
        numbers: LeafNumbers
    ) {
        if specification.columns.isDisjoint(with: columns) {
            guard matches?.contains(slot) ?? true else { return }
            let ordinal = ordinal(of: slot, in: new)
            edit(numbers: numbers) { tree in
                tree.renumberLeaf(at: ordinal, numbers: numbers)
                return false
            }
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
    ///
    /// - Parameter body: returns true if a section came, went or got another title.
    private mutating func edit(numbers: LeafNumbers, _ body: (inout OrderTree) -> Bool) {
        var tree =
            switch order {
            case .tree(let tree): tree
            case .restricted(let restricted): restricted.tree(numbers: numbers)
            }
        version = numbers.take()
        if body(&tree) { sectionsVersion = version }
        order = .tree(tree)
    }
}

extension ArrangementSpecification {
    /// True if either of two rows of one section gives it the same title. A section by whole value
    /// has the spelling of its first row.
    fileprivate func titlesAlike(_ one: UInt32, _ other: UInt32, in cache: ColumnCache) -> Bool {
        guard expression == .wholeValue, !isFlat, let sectionColumn else { return true }
        return cache.column(sectionColumn)[one] == cache.column(sectionColumn)[other]
    }
}
