import ValetModel

/// One total order of slots, cut into sections: a counted B+tree whose nodes are never changed.
///
/// Inner nodes count rows and sections, so ordinal → slot, slot → ordinal, row → section and
/// section → rows are all one descent. A change copies the path from the root to a leaf; a copy of
/// the tree keeps its nodes, and shares all others. A section is a bit at the row that begins it: a
/// million sections of one row cost a million bits.
///
/// Sendable although its nodes are classes: a node is filled before anyone else can see it, and
/// never written again.
package struct OrderTree: @unchecked Sendable {
    var root: Child?
    /// Inner levels above the leaves.
    var height = 0

    init() {}

    /// True for a tree and its copies, as long as none of them is changed.
    func isIdentical(to other: OrderTree) -> Bool {
        root?.node === other.root?.node
    }

    package var rowCount: Int { Int(root?.rows ?? 0) }
    package var sectionCount: Int { Int(root?.sections ?? 0) }
}
