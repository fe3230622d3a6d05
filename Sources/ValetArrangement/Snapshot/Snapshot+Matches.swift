import ValetModel

extension Snapshot {
    /// The ids of the rows that a query finds, in any order. Costs a pass over the
    /// columns that the query tests.
    ///
    /// - Returns: at most `most` ids, and how many rows are found; nil if a column that it tests is
    ///   not loaded.
    package func rowIDs(
        of query: ArrangementSpecification, most: Int
    ) -> (rowIDs: [Int64], count: Int)? {
        let tested = query.filter?.columns ?? []
        let isLoaded = { cache.columns.indices.contains($0) && cache.columns[$0] != nil }
        guard tested.allSatisfy(isLoaded) else { return nil }
        var matches = arrangements[query]?.matches
        if matches == nil, let filter = query.filter {
            matches = try? filter.scan(cache, isCancelled: { false })
        }
        var rowIDs: [Int64] = []
        var count = 0
        for slot in 0..<UInt32(clamping: cache.slotCount)
        where (matches?.contains(slot) ?? true) && !cache.dead.contains(slot) {
            count += 1
            if count <= most { rowIDs.append(cache.rowID(of: slot)) }
        }
        return (rowIDs, count)
    }
}
