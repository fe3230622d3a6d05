import ValetModel

/// A total order of slots, divided into sections: a counted B+tree with immutable nodes.
///
/// Inner nodes count rows and sections, so ordinal → slot, slot → ordinal, row → section and
/// section → rows each take one descent. A change copies the path from the root to a leaf; copies
/// of the tree share all other nodes. A section is a bit at its first row: a million sections of
/// one row cost a million bits.
///
/// Sendable although its nodes are classes: a node is filled before it is shared, and never written
/// again.
package struct OrderTree: @unchecked Sendable {
    var root: Child?
    /// Levels of inner nodes above the leaves.
    var height = 0

    init() {}

    /// True for unmodified copies of the same tree.
    func isIdentical(to other: OrderTree) -> Bool {
        root?.node === other.root?.node
    }

    package var rowCount: Int { Int(root?.rows ?? 0) }
    package var sectionCount: Int { Int(root?.sections ?? 0) }
}
