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
            leaf.starts.forEachSetBit { index in
                if range.contains(first + index) { body(first + index, leaf[index]) }
            }
        }
    }

    /// The leaf that contains row `ordinal`.
    package func leaf(at ordinal: Int) -> LeafPlace {
        let (end, place) = descend(toRow: ordinal)
        switch end {
        case .leaf(let leaf):
            return LeafPlace(leaf: leaf, first: place.first, sectionsBefore: place.sections)
        case .virtual(let restriction, let rows):
            let (leaf, first) = restriction.leaf(at: rows.lowerBound + ordinal - place.first)
            return LeafPlace(
                leaf: leaf, first: place.first + first - rows.lowerBound,
                sectionsBefore: place.sections
                    + restriction.sections(in: rows.lowerBound..<first))
        }
    }

    package func slot(at ordinal: Int) -> UInt32 {
        let (end, place) = descend(toRow: ordinal)
        return switch end {
        case .leaf(let leaf): leaf[ordinal - place.first]
        case .virtual(let restriction, let rows):
            restriction.slot(at: rows.lowerBound + ordinal - place.first)
        }
    }

    /// The section that contains row `ordinal`.
    package func section(ofRow ordinal: Int) -> Int {
        let (end, place) = descend(toRow: ordinal)
        let index = ordinal - place.first
        let begun =
            switch end {
            case .leaf(let leaf): (leaf.starts & Self.bits(through: index)).nonzeroBitCount
            case .virtual(let restriction, let rows):
                restriction.sections(in: rows.lowerBound..<rows.lowerBound + index + 1)
            }
        return place.sections + begun - 1
    }

    private static func bits(through bit: Int) -> UInt64 {
        bit >= 63 ? .max : (1 << UInt64(bit + 1)) - 1
    }

    func isStart(_ ordinal: Int) -> Bool {
        let (end, place) = descend(toRow: ordinal)
        let index = ordinal - place.first
        return switch end {
        case .leaf(let leaf): leaf.starts >> UInt64(index) & 1 == 1
        case .virtual(let restriction, let rows): restriction.isStart(rows.lowerBound + index)
        }
    }

    /// The flat ordinal of a section's first row; the row count for the section past the last.
    package func firstRow(ofSection section: Int) -> Int {
        section == sectionCount ? rowCount : start(ofSection: section).ordinal
    }

    /// A section's first row.
    func start(ofSection section: Int) -> (ordinal: Int, slot: UInt32) {
        precondition(section >= 0 && section < sectionCount)
        let (end, place) = descend { children, place in
            var index = 0
            while section - place.sections >= Int(children[index].sections) {
                place.pass(children[index])
                index += 1
            }
            return index
        }
        let rest = section - place.sections
        switch end {
        case .leaf(let leaf):
            var starts = leaf.starts
            for _ in 0..<rest { starts &= starts - 1 }
            let index = starts.trailingZeroBitCount
            return (place.first + index, leaf[index])
        case .virtual(let restriction, let rows):
            let before = restriction.sections(in: 0..<rows.lowerBound)
            let row = restriction.firstRow(ofSection: before + rest)
            return (place.first + row - rows.lowerBound, restriction.slot(at: row))
        }
    }

    /// The first ordinal whose slot is not before the target of `isBefore`. Slots that are before
    /// it must come first.
    func partition(_ isBefore: (UInt32) -> Bool) -> Int {
        guard root != nil else { return 0 }
        let (end, place) = descend { children, place in
            let next = (1..<children.count).firstNotBefore { isBefore(children[$0].first) }
            for index in 0..<next - 1 { place.pass(children[index]) }
            return next - 1
        }
        return switch end {
        case .leaf(let leaf):
            place.first + (0..<leaf.count).firstNotBefore { isBefore(leaf[$0]) }
        case .virtual(let restriction, let rows):
            // Searches these rows and not the base, where others may have changed keys.
            place.first - rows.lowerBound
                + rows.firstNotBefore { isBefore(restriction.slot(at: $0)) }
        }
    }

    /// Calls `body` with the content of every leaf in order, in one walk.
    func forEachLeaf<Failure>(_ body: (Leaf.Content) throws(Failure) -> Void) throws(Failure) {
        func walk(_ child: Child, _ level: Int) throws(Failure) {
            guard child.node != nil else { return try walkVirtual(child, level) }
            if level == 0 { return try child.leaf.withContent(body) }
            try child.branch.withUnsafeMutablePointers {
                (count, children) throws(Failure) in
                for index in 0..<count.pointee { try walk(children[index], level - 1) }
            }
        }
        func walkVirtual(_ child: Child, _ level: Int) throws(Failure) {
            guard let restriction else { return }
            let rows = restriction.rows(ofNode: Int(child.index), level: level)
            var ordinal = rows.lowerBound
            while ordinal < rows.upperBound {
                let leaf = restriction.leaf(at: ordinal).leaf
                try leaf.withContent(body)
                ordinal += leaf.count
            }
        }
        if let root { try walk(root, height) }
    }

    /// Calls `body` with the ordinal of every row that starts a section, in one walk over the bits.
    func forEachStart(
        unless isCancelled: () -> Bool, _ body: (Int) -> Void
    ) throws(CancellationError) {
        var check = CancellationCheck()
        func walk(_ child: Child, _ level: Int, _ first: Int) throws(CancellationError) {
            guard child.node != nil else {
                guard let restriction else { return }
                let rows = restriction.rows(ofNode: Int(child.index), level: level)
                return try restriction.forEachStart(in: rows, unless: isCancelled) {
                    body(first + $0)
                }
            }
            guard level > 0 else {
                try check.step(isCancelled)
                return child.leaf.starts.forEachSetBit { body(first + $0) }
            }
            let branch = child.branch
            var next = first
            for index in 0..<branch.count {
                try walk(branch[index], level - 1, next)
                next += Int(branch[index].rows)
            }
        }
        if let root { try walk(root, height, 0) }
    }

    /// Calls `body` with every leaf that intersects `range`, in order.
    package func forEachLeaf(in range: Range<Int>, _ body: (LeafPlace) -> Void) {
        var ordinal = range.lowerBound
        while ordinal < range.upperBound {
            let place = leaf(at: ordinal)
            body(place)
            ordinal = place.first + place.rows
        }
    }
}

// MARK: - Descents

extension OrderTree {
    /// Where a descent ends.
    private enum End {
        case leaf(Leaf)
        /// At a virtual node: those rows of a search result.
        case virtual(Restriction, Range<Int>)
    }

    /// What a descent has left behind: rows, and sections that start among them.
    private struct Passed {
        var first = 0
        var sections = 0

        @inline(__always)
        mutating func pass(_ child: Child) {
            first += Int(child.rows)
            sections += Int(child.sections)
        }
    }

    @inline(__always)
    private func descend(toRow ordinal: Int) -> (End, Passed) {
        precondition(ordinal >= 0 && ordinal < rowCount)
        return descend { children, place in
            var index = 0
            while ordinal - place.first >= Int(children[index].rows) {
                place.pass(children[index])
                index += 1
            }
            return index
        }
    }

    /// The node reached by choosing a child at each branch. The root keeps all nodes alive, so the
    /// descent takes no reference counts, which all readers would contend for.
    @inline(__always)
    private func descend(
        _ choose: (UnsafeBufferPointer<Child>, inout Passed) -> Int
    ) -> (End, Passed) {
        withExtendedLifetime(root) {
            var passed = Passed()
            guard let top = root!.node else { return (virtual(Int(root!.index), height), passed) }
            var node = Unmanaged.passUnretained(top)
            for level in stride(from: height, to: 0, by: -1) {
                let child = node._withUnsafeGuaranteedRef { node in
                    unsafeDowncast(node, to: Branch.self).withUnsafeMutablePointers {
                        let children = UnsafeBufferPointer(start: $1, count: $0.pointee)
                        let child = choose(children, &passed)
                        return UnsafePointer(children.baseAddress! + child)
                    }
                }
                guard let next = child.pointee.node else {
                    return (virtual(Int(child.pointee.index), level - 1), passed)
                }
                node = Unmanaged.passUnretained(next)
            }
            return (.leaf(unsafeDowncast(node.takeUnretainedValue(), to: Leaf.self)), passed)
        }
    }

    private func virtual(_ index: Int, _ level: Int) -> End {
        guard let restriction else { preconditionFailure("only search results are virtual") }
        return .virtual(restriction, restriction.rows(ofNode: index, level: level))
    }
}
