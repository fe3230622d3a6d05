extension OrderTree {
    /// Inserts `slot` before row `ordinal`. The caller maintains the section bits.
    mutating func insert(
        _ slot: UInt32, at ordinal: Int, isStart: Bool, numbers: LeafNumbers
    ) {
        guard let root else {
            let leaf = Leaf.make(number: numbers.take(), starts: isStart ? 1 : 0, slots: [slot])
            self.root = Child(leaf)
            return
        }
        let edit = LeafEdit(numbers: numbers) { rows in
            rows.insert(slot, at: rows.index(ofOrdinal: ordinal), isStart: isStart)
        }
        replaceRoot(with: Self.edit(root, level: height, ordinal: ordinal, at: 0, edit))
    }

    mutating func remove(at ordinal: Int, numbers: LeafNumbers) {
        let edit = LeafEdit(numbers: numbers) { rows in
            rows.remove(at: rows.index(ofOrdinal: ordinal))
        }
        replaceRoot(with: Self.edit(root!, level: height, ordinal: ordinal, at: 0, edit))
    }

    /// Sets whether the row starts a section. The leaf keeps its number, since pages do not contain
    /// section bits.
    mutating func setStart(_ isStart: Bool, at ordinal: Int) {
        let edit = LeafEdit(numbers: nil) { rows in
            rows.setStart(isStart, at: rows.index(ofOrdinal: ordinal))
        }
        replaceRoot(with: Self.edit(root!, level: height, ordinal: ordinal, at: 0, edit))
    }

    /// Gives the leaf of an updated row a new number.
    mutating func renumberLeaf(at ordinal: Int, numbers: LeafNumbers) {
        let edit = LeafEdit(numbers: numbers) { _ in }
        replaceRoot(with: Self.edit(root!, level: height, ordinal: ordinal, at: 0, edit))
    }

    private mutating func replaceRoot(with children: [Child]) {
        var children = children
        while children.count > 1 {
            children = [Child(Branch.make(children))]
            height += 1
        }
        root = children.first
        while height > 0, let only = root, only.branch.count == 1 {
            root = only.branch[0]
            height -= 1
        }
        if root == nil { height = 0 }
    }

    /// The subtree after the edit: zero, one or two nodes of the same level.
    private static func edit(
        _ child: Child, level: Int, ordinal: Int, at start: Int, _ edit: LeafEdit
    ) -> [Child] {
        guard level > 0 else { return edit.apply(to: child.leaf, at: start) }
        var children = child.branch.children
        var index = 0
        var first = start
        // An insertion after the last row goes into the last child.
        while index < children.count - 1, ordinal - first >= Int(children[index].rows) {
            first += Int(children[index].rows)
            index += 1
        }
        let edited = Self.edit(
            children[index], level: level - 1, ordinal: ordinal, at: first, edit)
        children.replaceSubrange(index...index, with: edited)
        if edited.count == 1 {
            balance(&children, around: index, level: level - 1, numbers: edit.numbers)
        }
        return split(children, most: Branch.capacity).map { Child(Branch.make($0)) }
    }

    /// Merges an underfull node with its neighbour, or shares the children of both evenly.
    private static func balance(
        _ children: inout [Child], around index: Int, level: Int, numbers: LeafNumbers?
    ) {
        guard children.count > 1, let numbers else { return }
        let isSmall =
            level == 0
            ? children[index].leaf.count < Leaf.least : children[index].branch.count < Branch.least
        guard isSmall else { return }
        let left = index > 0 ? index - 1 : index
        let pair = children[left...left + 1]
        let merged: [Child]
        if level == 0 {
            let rows = LeafRows(joining: pair.map(\.leaf))
            merged = rows.leaves(numbers: numbers)
        } else {
            let all = pair.flatMap(\.branch.children)
            merged = split(all, most: Branch.capacity).map { Child(Branch.make($0)) }
        }
        children.replaceSubrange(left...left + 1, with: merged)
    }

    private static func split(_ children: [Child], most: Int) -> [ArraySlice<Child>] {
        if children.isEmpty { return [] }
        if children.count <= most { return [children[...]] }
        let half = children.count / 2
        return [children[..<half], children[half...]]
    }
}

/// A change of one leaf, applied at the end of the descent.
private struct LeafEdit {
    /// nil if the leaf keeps its number.
    let numbers: LeafNumbers?
    let change: (inout LeafRows) -> Void

    func apply(to leaf: Leaf, at first: Int) -> [Child] {
        var rows = LeafRows(joining: [leaf])
        rows.first = first
        change(&rows)
        if let numbers { return rows.leaves(numbers: numbers) }
        let starts = rows.bits(rows.slots.indices)
        return [Child(Leaf.make(number: leaf.number, starts: starts, slots: rows.slots))]
    }
}

/// The rows of one leaf, or of two neighbours, during an edit.
private struct LeafRows {
    var first = 0
    private(set) var slots: [UInt32] = []
    private var starts: [Bool] = []

    init(joining leaves: [Leaf]) {
        slots.reserveCapacity(2 * Leaf.capacity)
        starts.reserveCapacity(2 * Leaf.capacity)
        for leaf in leaves {
            slots += leaf.slots
            for bit in 0..<leaf.count { starts.append(leaf.starts >> UInt64(bit) & 1 == 1) }
        }
    }

    func index(ofOrdinal ordinal: Int) -> Int { ordinal - first }

    mutating func insert(_ slot: UInt32, at index: Int, isStart: Bool) {
        slots.insert(slot, at: index)
        starts.insert(isStart, at: index)
    }

    mutating func remove(at index: Int) {
        slots.remove(at: index)
        starts.remove(at: index)
    }

    mutating func setStart(_ isStart: Bool, at index: Int) {
        starts[index] = isStart
    }

    func bits(_ range: Range<Int>) -> UInt64 {
        var bits: UInt64 = 0
        for index in range where starts[index] { bits |= 1 << UInt64(index - range.lowerBound) }
        return bits
    }

    /// The resulting leaves: one, two halves on overflow, or none.
    func leaves(numbers: LeafNumbers) -> [Child] {
        let half = slots.count <= Leaf.capacity ? slots.count : slots.count / 2
        return [0..<half, half..<slots.count].filter { !$0.isEmpty }.map { range in
            Child(Leaf.make(number: numbers.take(), starts: bits(range), slots: slots[range]))
        }
    }
}
