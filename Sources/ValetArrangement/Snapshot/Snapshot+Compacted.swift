import ValetModel

extension Snapshot {
    /// The same rows in the same leaves, with new slots and dictionaries: without the slots of
    /// deleted rows, and without the dictionary entries that no row uses. Takes about as long as
    /// reading the rows in.
    ///
    /// Leaves keep their numbers, so the names of pages hold. Search results become trees.
    package func compacted(
        isCancelled: () -> Bool = { false }
    ) throws(CancellationError) -> Snapshot {
        let slots = cache.slotsByRowID
        var places = try [UInt32](zeros: cache.slotCount, unless: isCancelled)
        try slots.indices.forEach(unless: isCancelled) { places[Int(slots[$0])] = UInt32($0) }
        var copy = Snapshot(
            revision: revision, cache: try cache.keeping(slots, isCancelled: isCancelled),
            numbers: numbers)
        for (specification, arrangement) in arrangements {
            var moved = arrangement
            moved.order = try arrangement.order.replacingSlots(isCancelled: isCancelled) {
                places[Int($0)]
            }
            if let matches = arrangement.matches {
                var words = Array(repeating: 0 as UInt64, count: (slots.count + 63) / 64)
                try slots.indices.forEach(unless: isCancelled) { place in
                    guard matches.contains(slots[place]) else { return }
                    words[place / 64] |= 1 << UInt64(place % 64)
                }
                moved.matches = SlotSet(words: words)
            }
            copy.arrangements[specification] = moved
        }
        return copy
    }
}

extension ColumnCache {
    /// True if a compacted cache would be smaller by a quarter, or would find rows faster.
    package var isWorthCompacting: Bool {
        let most = max(ColumnChunk.slots, slotCount / 4)
        return dead.count > most || laterSlots.count > most
            || columns.contains { ($0?.unusedCodes ?? 0) > most }
    }

    /// The slots of all rows.
    fileprivate var slotsByRowID: [UInt32] {
        var slots: [UInt32] = []
        slots.reserveCapacity(rowCount)
        // A binary search finds only the rows that stand in order, so merge the others in.
        var later = laterSlots.sorted { $0.key < $1.key }[...]
        for slot in 0..<UInt32(orderedSlots) where !dead.contains(slot) {
            while let first = later.first, first.key < rowID(of: slot) {
                slots.append(later.removeFirst().value)
            }
            slots.append(slot)
        }
        return slots + later.map(\.value)
    }

    /// A cache of just these rows, which ascend by row id.
    fileprivate func keeping(
        _ slots: [UInt32], isCancelled: () -> Bool
    ) throws(CancellationError) -> ColumnCache {
        let wanted = columns.indices.filter { columns[$0] != nil }
        var builder = ColumnCacheBuilder(
            descriptions: descriptions, wanted: wanted, expectedRows: slots.count)
        let known = wanted.map { column($0) }
        var check = CancellationCheck()
        for slot in slots {
            try check.step(isCancelled)
            builder.beginRow(rowID(of: slot))
            for (position, column) in known.enumerated() {
                column.withStored(slot) { builder.append($0, to: position) }
            }
        }
        return builder.finish()
    }
}

extension OrderTree {
    /// The same leaves with the same numbers, and with other slots. No node stays virtual.
    fileprivate func replacingSlots(
        isCancelled: () -> Bool, _ slot: (UInt32) -> UInt32
    ) throws(CancellationError) -> OrderTree {
        func replace(_ child: Child, _ level: Int) throws(CancellationError) -> Child {
            let made = child.node == nil ? restriction?.made(child, level: level) ?? child : child
            guard level > 0 else {
                let leaf = made.leaf
                return Child(
                    Leaf.make(
                        number: leaf.number, starts: leaf.starts, slots: leaf.slots.map(slot)))
            }
            if isCancelled() { throw CancellationError() }
            var children = made.branch.children
            for index in children.indices {
                children[index] = try replace(children[index], level - 1)
            }
            return Child(Branch.make(children))
        }
        guard let root else { return self }
        return OrderTree(root: try replace(root, height), height: height)
    }
}
