/// The order of an arrangement's rows: a tree, or a subset of another tree's rows.
package enum RowOrder: Sendable {
    case tree(OrderTree)
    case restricted(RestrictedOrder)

    package var rowCount: Int {
        switch self {
        case .tree(let tree): tree.rowCount
        case .restricted(let order): order.rowCount
        }
    }

    package var sectionCount: Int {
        switch self {
        case .tree(let tree): tree.sectionCount
        case .restricted(let order): order.sectionCount
        }
    }

    /// The leaf that contains row `ordinal`.
    package func leaf(at ordinal: Int) -> OrderTree.LeafPlace {
        switch self {
        case .tree(let tree): tree.leaf(at: ordinal)
        case .restricted(let order): order.leaf(at: ordinal)
        }
    }

    package func slot(at ordinal: Int) -> UInt32 {
        switch self {
        case .tree(let tree): tree.slot(at: ordinal)
        case .restricted(let order): order.slot(at: ordinal)
        }
    }

    /// The section that contains row `ordinal`.
    package func section(ofRow ordinal: Int) -> Int {
        switch self {
        case .tree(let tree): tree.section(ofRow: ordinal)
        case .restricted(let order): order.section(ofRow: ordinal)
        }
    }

    func isStart(_ ordinal: Int) -> Bool {
        switch self {
        case .tree(let tree): tree.isStart(ordinal)
        case .restricted(let order): order.isStart(ordinal)
        }
    }

    /// The flat ordinal of a section's first row; the row count for the section past the last.
    package func firstRow(ofSection section: Int) -> Int {
        switch self {
        case .tree(let tree): tree.firstRow(ofSection: section)
        case .restricted(let order): order.firstRow(ofSection: section)
        }
    }

    /// The first ordinal whose slot is not before the target of `isBefore`. Slots that are before
    /// it must come first.
    func partition(_ isBefore: (UInt32) -> Bool) -> Int {
        switch self {
        case .tree(let tree): tree.partition(isBefore)
        case .restricted(let order):
            // Searches this order and not the base, where rows outside of it may have changed keys.
            (0..<order.rowCount).firstNotBefore { isBefore(order.slot(at: $0)) }
        }
    }

    /// Approximate memory use: five bytes and a bit per row of a tree.
    var byteCount: Int {
        switch self {
        case .tree(let tree): tree.rowCount * 41 / 8
        case .restricted(let order): order.byteCount
        }
    }

    /// Calls `body` with every leaf that intersects `range`, in order.
    package func forEachLeaf(in range: Range<Int>, _ body: (OrderTree.LeafPlace) -> Void) {
        var ordinal = range.lowerBound
        while ordinal < range.upperBound {
            let place = leaf(at: ordinal)
            body(place)
            ordinal = place.first + place.rows
        }
    }
}
