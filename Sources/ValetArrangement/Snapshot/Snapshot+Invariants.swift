extension Snapshot {
    /// Traps if an arrangement's order, sections or rows are wrong. O(n): for tests and simulation.
    package func checkInvariants() {
        for arrangement in arrangements.values {
            arrangement.order.checkInvariants()
            let order = RowComparator(cache: cache, specification: arrangement.specification)
            precondition(arrangement.rowCount == 0 || arrangement.order.isStart(0))
            var previous: UInt32?
            var ordinal = 0
            arrangement.order.forEachLeaf(in: 0..<arrangement.rowCount) { place in
                let leaf = place.leaf
                precondition(place.first == ordinal)
                for index in 0..<leaf.count {
                    let slot = leaf[index]
                    precondition(!cache.dead.contains(slot))
                    let isStart = leaf.starts >> UInt64(index) & 1 == 1
                    if let previous {
                        precondition(
                            order.compare(previous, order.place(of: slot)) < 0,
                            "order at \(ordinal)")
                        precondition(isStart != order.isSameSection(previous, slot))
                    }
                    if let filter = arrangement.specification.filter {
                        precondition(filter.matches(slot, in: cache))
                        precondition(arrangement.matches!.contains(slot))
                    }
                    previous = slot
                    ordinal += 1
                }
            }
            precondition(ordinal == arrangement.matches?.count ?? cache.rowCount)
        }
    }
}
