extension Array {
    /// The element at a place; nil beyond the ends.
    package subscript(checked place: Int) -> Element? {
        indices.contains(place) ? self[place] : nil
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, where it comes first.
    package var withoutDuplicates: [Element] {
        var seen = Set<Element>()
        return filter { seen.insert($0).inserted }
    }
}
