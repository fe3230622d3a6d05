/// Values of columns in the list that is looked at.
extension App {
    mutating func readAggregates() -> [AppAction] {
        guard isListSeen else { return [] }
        return run(list?.askForAggregates(at: milliseconds) ?? [])
    }

    /// When a tick may ask for some; nil if none are missing.
    var aggregatesDueMilliseconds: Int? { isListSeen ? list?.aggregatesDueMilliseconds : nil }

    var isListSeen: Bool { !layers.all.contains(where: \.isOpaque) }
}
