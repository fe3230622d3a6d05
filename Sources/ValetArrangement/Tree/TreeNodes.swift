import ValetModel

/// A leaf: up to 64 slots in order, a section-start bit for each, and the leaf's number.
///
/// `ManagedBuffer` allocates header and slots together: five bytes per row in all, where an array
/// per node takes six. Leaves are filled once and never changed: an edit makes another.
final class Leaf: ManagedBuffer<Leaf.Header, UInt32> {
    struct Header {
        var count: Int
        var number: UInt64
        var starts: UInt64
    }

    static let capacity = Limits.rowsPerLeaf
    static let least = capacity / 2

    static func make(number: UInt64, starts: UInt64, slots: some Collection<UInt32>) -> Leaf {
        let buffer = Leaf.create(minimumCapacity: slots.count) { _ in
            Header(count: slots.count, number: number, starts: starts)
        }
        buffer.withUnsafeMutablePointerToElements { elements in
            _ = UnsafeMutableBufferPointer(start: elements, count: slots.count)
                .initialize(from: slots)
        }
        return unsafeDowncast(buffer, to: Leaf.self)
    }

    var count: Int { header.count }
    var number: UInt64 { header.number }
    var starts: UInt64 { header.starts }

    subscript(index: Int) -> UInt32 {
        precondition(index < header.count)
        return withUnsafeMutablePointerToElements { $0[index] }
    }

    var slots: [UInt32] {
        withUnsafeMutablePointerToElements {
            Array(UnsafeBufferPointer(start: $0, count: header.count))
        }
    }

    /// The rows of a leaf, for a walk over all of them: no object is retained for a look at one.
    struct Content {
        let starts: UInt64
        let slots: UnsafeBufferPointer<UInt32>
    }

    @inline(__always)
    func withContent<Failure>(_ body: (Content) throws(Failure) -> Void) throws(Failure) {
        try withUnsafeMutablePointers { (header, slots) throws(Failure) in
            let slots = UnsafeBufferPointer(start: slots, count: header.pointee.count)
            try body(Content(starts: header.pointee.starts, slots: slots))
        }
    }
}

/// An inner node: up to 16 children with their counts. Only its sole owner changes it.
final class Branch: ManagedBuffer<Int, Child> {
    static let capacity = 16
    static let least = capacity / 2

    static func make(_ children: some Collection<Child>) -> Branch {
        let buffer = Branch.create(minimumCapacity: children.count) { _ in children.count }
        buffer.withUnsafeMutablePointerToElements { elements in
            _ = UnsafeMutableBufferPointer(start: elements, count: children.count)
                .initialize(from: children)
        }
        return unsafeDowncast(buffer, to: Branch.self)
    }

    deinit {
        _ = withUnsafeMutablePointers { header, elements in
            elements.deinitialize(count: header.pointee)
        }
    }

    var count: Int { header }

    subscript(index: Int) -> Child {
        precondition(index < header)
        return withUnsafeMutablePointerToElements { $0[index] }
    }

    var children: [Child] {
        withUnsafeMutablePointerToElements { Array(UnsafeBufferPointer(start: $0, count: header)) }
    }
}

/// A subtree: its node, its row and section counts, and its first slot, by which searches compare.
struct Child {
    /// nil for a virtual node of the tree's restriction.
    private(set) var node: AnyObject?
    private(set) var rows: UInt32
    private(set) var sections: UInt32
    private(set) var first: UInt32
    /// A virtual node's index in its level.
    let index: UInt32

    init(_ leaf: Leaf) {
        node = leaf
        rows = UInt32(leaf.count)
        sections = UInt32(leaf.starts.nonzeroBitCount)
        first = leaf[0]
        index = 0
    }

    init(_ branch: Branch) {
        node = branch
        (rows, sections, first, index) = (0, 0, 0, 0)
        count()
    }

    init(virtual index: Int, rows: Int, sections: Int, first: UInt32) {
        node = nil
        self.rows = UInt32(rows)
        self.sections = UInt32(sections)
        self.first = first
        self.index = UInt32(index)
    }

    /// Takes the counts from the branch's children.
    private mutating func count() {
        (rows, sections) = (0, 0)
        branch.withUnsafeMutablePointers { count, children in
            for index in 0..<count.pointee {
                rows += children[index].rows
                sections += children[index].sections
            }
            first = children[0].first
        }
    }

    /// Edits the branch's children in place; a branch that another tree has too is copied first.
    mutating func edit<Result>(_ body: (UnsafeMutableBufferPointer<Child>) -> Result) -> Result {
        if !isKnownUniquelyReferenced(&node) { node = Branch.make(branch.children) }
        defer { count() }
        return branch.withUnsafeMutablePointers { count, children in
            body(UnsafeMutableBufferPointer(start: children, count: count.pointee))
        }
    }

    /// The node as a leaf; valid at height 0.
    var leaf: Leaf { unsafeDowncast(node!, to: Leaf.self) }
    var branch: Branch { unsafeDowncast(node!, to: Branch.self) }
}
