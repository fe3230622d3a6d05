import ValetArrangement
import ValetModel
import ValetProtocol

/// The columns that a view's pages carry, and the number that stands for them in page names.
struct Projection: Hashable, Sendable {
    static let numberBits = 16
    /// Stands for all columns when a list has given out all its numbers.
    static let wholeRowNumber: UInt16 = 0

    var number: UInt16
    var columns: [Int]
}

/// A page that a client shall get: how it is called, and what to read for it.
struct PageOrder: Equatable {
    let name: PageName
    let leaf: OrderTree.LeafPlace
    /// Where the leaf's slots live.
    let source: ShownRows

    init(_ leaf: OrderTree.LeafPlace, from source: ShownRows) {
        name = Self.name(leaf, source.projection)
        self.leaf = leaf
        self.source = source
    }

    /// A leaf's number is never used again for other rows or cells, so neither is this.
    static func name(_ leaf: OrderTree.LeafPlace, _ projection: Projection) -> PageName {
        PageName(rawValue: leaf.number << UInt64(Projection.numberBits) | UInt64(projection.number))
    }

    var rowIDs: [Int64] { leaf.slots.map(source.rows.cache.rowID) }

    static func == (left: PageOrder, right: PageOrder) -> Bool {
        left.name == right.name && left.source.list == right.source.list
    }
}
