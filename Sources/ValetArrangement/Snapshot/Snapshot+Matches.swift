import ValetModel

extension Snapshot {
    /// The ids of the rows that a question finds, in any order: at most one more than `most`, to
    /// tell that there are too many. Costs a pass over the searched columns.
    ///
    /// - Returns: nil if a column of the search is not loaded.
    package func rowIDs(of question: ArrangementSpecification, most: Int) -> [Int64]? {
        let searched = question.predicate?.columns ?? []
        let isLoaded = { cache.columns.indices.contains($0) && cache.columns[$0] != nil }
        guard searched.allSatisfy(isLoaded) else { return nil }
        var matches = arrangements[question]?.matches
        if matches == nil, let predicate = question.predicate {
            matches = try? predicate.scan(cache, inside: nil, isCancelled: { false })
        }
        var rowIDs: [Int64] = []
        for slot in 0..<UInt32(clamping: cache.slotCount) {
            guard rowIDs.count <= most else { break }
            if matches?.contains(slot) ?? true, !cache.dead.contains(slot) {
                rowIDs.append(cache.rowID(of: slot))
            }
        }
        return rowIDs
    }
}
