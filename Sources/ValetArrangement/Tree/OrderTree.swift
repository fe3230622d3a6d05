import ValetModel

/// A total order of slots, divided into sections: a counted B+tree with immutable nodes.
///
/// Inner nodes count rows and sections, so ordinal → slot, slot → ordinal, row → section and
/// section → rows each take one descent. A change copies the path from the root to a leaf, unless
/// no other tree has those nodes yet; copies of the tree share all other nodes. A section is a bit
/// at its first row: a million sections of one row cost a million bits.
///
/// A search result begins without nodes: they are virtual, bits over the tree that was searched.
/// Those that an edit needs are made then, so the first edit costs no more than later ones.
///
/// Sendable although its nodes are classes: no node is written while a second tree has it.
package struct OrderTree: @unchecked Sendable {
    var root: Child?
    /// Levels of inner nodes above the leaves.
    var height: Int
    /// What virtual nodes stand for; nil in a tree that never had any.
    let restriction: Restriction?
    /// Rows of nodes that edits made of virtual ones.
    var madeRows = 0

    init(root: Child? = nil, height: Int = 0) {
        self.root = root
        self.height = height
        restriction = nil
    }

    init(_ restriction: Restriction) {
        root = restriction.root
        height = restriction.height
        self.restriction = restriction
    }

    /// What all rows are bits of, while no edit has made a node.
    var unedited: Restriction? { root != nil && root?.node == nil ? restriction : nil }

    /// True for unmodified copies of the same tree.
    func isIdentical(to other: OrderTree) -> Bool {
        root?.node === other.root?.node
    }

    package var rowCount: Int { Int(root?.rows ?? 0) }
    package var sectionCount: Int { Int(root?.sections ?? 0) }

    /// Approximate memory use: five bytes and a bit per row, unless it is virtual.
    var byteCount: Int {
        guard let restriction else { return rowCount * 41 / 8 }
        return restriction.byteCount + madeRows * 41 / 8
    }
}
