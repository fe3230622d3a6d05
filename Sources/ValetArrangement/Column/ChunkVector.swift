/// A two-level array with cheap copies: changing an element copies its group of 64 and one
/// reference per other group, and shares all other elements.
package struct ChunkVector<Element: Sendable>: Sendable {
    private static var groupSize: Int { 64 }
    private var groups: [[Element]] = []
    package private(set) var count = 0

    package init() {}

    package subscript(index: Int) -> Element {
        // Yields the element: a getter would retain everything it refers to on every read.
        _read { yield groups[index / Self.groupSize][index % Self.groupSize] }
        _modify { yield &groups[index / Self.groupSize][index % Self.groupSize] }
    }

    package mutating func append(_ element: Element) {
        if count % Self.groupSize == 0 { groups.append([]) }
        groups[count / Self.groupSize].append(element)
        count += 1
    }
}
