/// An array in two levels, so that a copy that changes one element shares all the others: changing
/// an element copies its group of 64, and one reference for each other group.
package struct ChunkVector<Element: Sendable>: Sendable {
    private static var groupSize: Int { 64 }
    private var groups: [[Element]] = []
    package private(set) var count = 0

    package init() {}

    package subscript(index: Int) -> Element {
        // Lends the element: a getter would retain all that it refers to, for each value read.
        _read { yield groups[index / Self.groupSize][index % Self.groupSize] }
        _modify { yield &groups[index / Self.groupSize][index % Self.groupSize] }
    }

    package mutating func append(_ element: Element) {
        if count % Self.groupSize == 0 { groups.append([]) }
        groups[count / Self.groupSize].append(element)
        count += 1
    }
}
