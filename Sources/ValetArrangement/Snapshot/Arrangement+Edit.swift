import ValetModel

extension Arrangement {
    /// The arrangement of `new`'s rows, made from that of `old`'s; nil if it is not one of `old`'s.
    /// Costs O(log n) for each row.
    ///
    /// Rows that move are first all removed by their old keys, then inserted by their new ones, so
    /// that each comparison uses the keys of one cache.
    func applying(
        _ edits: RowEdits, from old: ColumnCache, to new: ColumnCache, numbers: LeafNumbers
    ) -> Arrangement? {
        var copy = self
        let keys = specification.columns
        let moved = edits.updated.filter { !keys.isDisjoint(with: $0.columns) }.map(\.slot)
        let before = RowComparator(cache: old, specification: specification)
        // Pages have the cells of all columns.
        for (slot, columns) in edits.updated where keys.isDisjoint(with: columns) {
            guard copy.renumber(slot, by: before, numbers: numbers) else { return nil }
        }
        for slot in edits.removed + moved {
            guard copy.remove(slot, by: before, numbers: numbers) else { return nil }
        }
        let after = RowComparator(cache: new, specification: specification)
        for slot in moved + edits.inserted { copy.insert(slot, by: after, numbers: numbers) }
        return copy
    }

    /// Adds a row; under a filter, only if it passes.
    private mutating func insert(
        _ slot: UInt32, by comparator: RowComparator, numbers: LeafNumbers
    ) {
        if let filter = specification.filter {
            let isMatch = filter.matches(slot, in: comparator.cache)
            matches!.set(slot, to: isMatch)
            guard isMatch else { return }
        }
        let place = comparator.place(of: slot)
        let ordinal = order.partition { comparator.compare($0, place) < 0 }
        let joinsPrevious =
            ordinal > 0 && comparator.isSameSection(order.slot(at: ordinal - 1), slot)
        order.insert(slot, at: ordinal, isStart: !joinsPrevious, numbers: numbers)
        version = numbers.take()
        guard !joinsPrevious else { return }
        // The next row no longer starts a section if the new row starts the same one.
        if ordinal + 1 < order.rowCount, order.isStart(ordinal + 1),
            case let next = order.slot(at: ordinal + 1), comparator.isSameSection(slot, next)
        {
            order.setStart(false, at: ordinal + 1)
            if titlesAlike(slot, next, in: comparator.cache) { return }
        }
        sectionsVersion = version
    }

    /// - Returns: false if the row is missing.
    private mutating func remove(
        _ slot: UInt32, by comparator: RowComparator, numbers: LeafNumbers
    ) -> Bool {
        guard contains(slot) else { return true }
        guard let ordinal = ordinal(of: slot, by: comparator) else { return false }
        matches?.set(slot, to: false)
        let wasStart = order.isStart(ordinal)
        order.remove(at: ordinal, numbers: numbers)
        version = numbers.take()
        guard wasStart else { return true }
        // The next row of the same section now starts it.
        if ordinal < order.rowCount, !order.isStart(ordinal) {
            order.setStart(true, at: ordinal)
            if titlesAlike(slot, order.slot(at: ordinal), in: comparator.cache) { return true }
        }
        sectionsVersion = version
        return true
    }

    /// - Returns: false if the row is missing.
    private mutating func renumber(
        _ slot: UInt32, by comparator: RowComparator, numbers: LeafNumbers
    ) -> Bool {
        guard contains(slot) else { return true }
        guard let ordinal = ordinal(of: slot, by: comparator) else { return false }
        order.renumberLeaf(at: ordinal, numbers: numbers)
        version = numbers.take()
        return true
    }

    /// Whether a row of the list is here: under a filter, if it passes.
    private func contains(_ slot: UInt32) -> Bool { matches?.contains(slot) ?? true }

    /// A row's ordinal; nil if the list or the filter does not contain it.
    func ordinal(of slot: UInt32, in cache: ColumnCache) -> Int? {
        guard contains(slot) else { return nil }
        return ordinal(of: slot, by: RowComparator(cache: cache, specification: specification))
    }

    private func ordinal(of slot: UInt32, by comparator: RowComparator) -> Int? {
        let place = comparator.place(of: slot)
        let ordinal = order.partition { comparator.compare($0, place) < 0 }
        guard ordinal < rowCount, order.slot(at: ordinal) == slot else { return nil }
        return ordinal
    }

    /// True if either of two rows of one section gives it the same title. A section by whole value
    /// has the spelling of its first row.
    private func titlesAlike(_ one: UInt32, _ other: UInt32, in cache: ColumnCache) -> Bool {
        guard specification.expression == .wholeValue, !specification.isFlat,
            let column = specification.sectionColumn.map(cache.column)
        else { return true }
        return column[one] == column[other]
    }
}
