extension OrderTree {
    /// A leaf, and where its first row stands.
    package struct LeafPlace {
        let leaf: Leaf
        package let first: Int
        /// Sections that begin before the leaf.
        let sectionsBefore: Int

        package var rows: Int { leaf.count }
        package var number: UInt64 { leaf.number }
        package var slots: [UInt32] { leaf.slots }

        /// Calls `body` with the ordinal and slot of each row of `range` that begins a section.
        func forEachStart(in range: Range<Int>, _ body: (Int, UInt32) -> Void) {
            var starts = leaf.starts
            while starts != 0 {
                let index = starts.trailingZeroBitCount
                if range.contains(first + index) { body(first + index, leaf[index]) }
                starts &= starts - 1
            }
        }
    }

    /// The leaf that holds row `ordinal`.
    package func leaf(at ordinal: Int) -> LeafPlace {
        precondition(ordinal >= 0 && ordinal < rowCount)
        var child = root!
        var first = 0
        var sections = 0
        for _ in 0..<height {
            let branch = child.branch
            var index = 0
            while ordinal - first >= Int(branch[index].rows) {
                first += Int(branch[index].rows)
                sections += Int(branch[index].sections)
                index += 1
            }
            child = branch[index]
        }
        return LeafPlace(leaf: child.leaf, first: first, sectionsBefore: sections)
    }

    package func slot(at ordinal: Int) -> UInt32 {
        let place = leaf(at: ordinal)
        return place.leaf[ordinal - place.first]
    }

    /// The section that row `ordinal` belongs to.
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

    /// The flat ordinal of a section's first row; the row count for the section behind the last.
    package func firstRow(ofSection section: Int) -> Int {
        precondition(section >= 0 && section <= sectionCount)
        guard section < sectionCount else { return rowCount }
        var child = root!
        var first = 0
        var rest = section
        for _ in 0..<height {
            let branch = child.branch
            var index = 0
            while rest >= Int(branch[index].sections) {
                rest -= Int(branch[index].sections)
                first += Int(branch[index].rows)
                index += 1
            }
            child = branch[index]
        }
        var starts = child.leaf.starts
        for _ in 0..<rest { starts &= starts - 1 }
        return first + starts.trailingZeroBitCount
    }

    /// The first ordinal whose slot is not before what `isBefore` compares with. Slots that are
    /// before stand in front of all others.
    func partition(_ isBefore: (UInt32) -> Bool) -> Int {
        guard var child = root else { return 0 }
        var first = 0
        for _ in 0..<height {
            let branch = child.branch
            var (low, high) = (1, branch.count)
            while low < high {
                let middle = (low + high) / 2
                if isBefore(branch[middle].first) { low = middle + 1 } else { high = middle }
            }
            for index in 0..<low - 1 { first += Int(branch[index].rows) }
            child = branch[low - 1]
        }
        var (low, high) = (0, child.leaf.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(child.leaf[middle]) { low = middle + 1 } else { high = middle }
        }
        return first + low
    }

    /// Calls `body` with every leaf that has rows of `range`, in order.
    package func forEachLeaf(in range: Range<Int>, _ body: (LeafPlace) -> Void) {
        var ordinal = range.lowerBound
        while ordinal < range.upperBound {
            let place = leaf(at: ordinal)
            body(place)
            ordinal = place.first + place.rows
        }
    }

    /// Calls `body` with every leaf in order, in one walk.
    func forEachLeaf(_ body: (Leaf) -> Void) {
        func walk(_ child: Child, _ level: Int) {
            if level == 0 { return body(child.leaf) }
            let branch = child.branch
            for index in 0..<branch.count { walk(branch[index], level - 1) }
        }
        if let root { walk(root, height) }
    }
}
