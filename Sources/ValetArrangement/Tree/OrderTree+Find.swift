extension OrderTree {
    /// A leaf and the position of its first row.
    package struct LeafPlace {
        let leaf: Leaf
        package let first: Int
        /// Sections that start before the leaf.
        let sectionsBefore: Int

        package var rows: Int { leaf.count }
        package var number: UInt64 { leaf.number }
        package var slots: [UInt32] { leaf.slots }

        /// Calls `body` with the ordinal and slot of each row in `range` that starts a section.
        func forEachStart(in range: Range<Int>, _ body: (Int, UInt32) -> Void) {
            var starts = leaf.starts
            while starts != 0 {
                let index = starts.trailingZeroBitCount
                if range.contains(first + index) { body(first + index, leaf[index]) }
                starts &= starts - 1
            }
        }
    }

    /// The leaf that contains row `ordinal`.
    package func leaf(at ordinal: Int) -> LeafPlace {
        precondition(ordinal >= 0 && ordinal < rowCount)
        var first = 0
        var sections = 0
        let leaf = descend { children in
            var index = 0
            while ordinal - first >= Int(children[index].rows) {
                first += Int(children[index].rows)
                sections += Int(children[index].sections)
                index += 1
            }
            return index
        }
        return LeafPlace(leaf: leaf, first: first, sectionsBefore: sections)
    }

    /// The leaf reached by choosing a child at each branch. The root keeps all nodes alive, so the
    /// descent takes no reference counts, which all readers would contend for.
    @inline(__always)
    private func descend(_ choose: (UnsafeBufferPointer<Child>) -> Int) -> Leaf {
        withExtendedLifetime(root) {
            var node = Unmanaged.passUnretained(root!.node)
            for _ in 0..<height {
                node = node._withUnsafeGuaranteedRef { node in
                    unsafeDowncast(node, to: Branch.self).withUnsafeMutablePointers {
                        let children = UnsafeBufferPointer(start: $1, count: $0.pointee)
                        return Unmanaged.passUnretained(children[choose(children)].node)
                    }
                }
            }
            return unsafeDowncast(node.takeUnretainedValue(), to: Leaf.self)
        }
    }

    package func slot(at ordinal: Int) -> UInt32 {
        let place = leaf(at: ordinal)
        return place.leaf[ordinal - place.first]
    }

    /// The section that contains row `ordinal`.
    package func section(ofRow ordinal: Int) -> Int {
        let place = leaf(at: ordinal)
        let before = place.leaf.starts & Self.bits(through: ordinal - place.first)
        return place.sectionsBefore + before.nonzeroBitCount - 1
    }

    private static func bits(through bit: Int) -> UInt64 {
        bit >= 63 ? .max : (1 << UInt64(bit + 1)) - 1
    }

    func isStart(_ ordinal: Int) -> Bool {
        let place = leaf(at: ordinal)
        return place.leaf.starts >> UInt64(ordinal - place.first) & 1 == 1
    }

    /// The flat ordinal of a section's first row; the row count for the section past the last.
    package func firstRow(ofSection section: Int) -> Int {
        precondition(section >= 0 && section <= sectionCount)
        guard section < sectionCount else { return rowCount }
        var first = 0
        var rest = section
        let leaf = descend { children in
            var index = 0
            while rest >= Int(children[index].sections) {
                rest -= Int(children[index].sections)
                first += Int(children[index].rows)
                index += 1
            }
            return index
        }
        var starts = leaf.starts
        for _ in 0..<rest { starts &= starts - 1 }
        return first + starts.trailingZeroBitCount
    }

    /// The first ordinal whose slot is not before the target of `isBefore`. Slots that are before
    /// it must come first.
    func partition(_ isBefore: (UInt32) -> Bool) -> Int {
        guard root != nil else { return 0 }
        var first = 0
        let leaf = descend { children in
            let next = (1..<children.count).firstNotBefore { isBefore(children[$0].first) }
            for index in 0..<next - 1 { first += Int(children[index].rows) }
            return next - 1
        }
        return first + (0..<leaf.count).firstNotBefore { isBefore(leaf[$0]) }
    }

    /// Calls `body` with every leaf in order, in one walk.
    func forEachLeaf<Failure>(
        _ body: (Leaf) throws(Failure) -> Void
    ) throws(Failure) {
        func walk(_ child: Child, _ level: Int) throws(Failure) {
            if level == 0 { return try body(child.leaf) }
            let branch = child.branch
            for index in 0..<branch.count { try walk(branch[index], level - 1) }
        }
        if let root { try walk(root, height) }
    }
}
