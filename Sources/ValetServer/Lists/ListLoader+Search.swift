import ValetArrangement
import ValetModel
import ValetStore

extension ListLoader {
    /// The rows that a query finds in the file, in ascending order, without reading the list in:
    /// only as many rows as a column's chunk has are in memory at once.
    ///
    /// - Returns: at most `most` ids, and how many rows are found; nil if the file has another
    ///   revision.
    func rowIDs(
        of query: ArrangementSpecification, at revision: UInt64, most: Int,
        from reader: Reader
    ) throws(ValetError) -> (rowIDs: [Int64], count: Int)? {
        let columns = query.filter?.columns.sorted() ?? []
        let deadline = ContinuousClock.now + .seconds(Limits.secondsPerCommand)
        return try reader.reading(list: list) { now throws(ValetError) in
            guard now == revision else { return nil }
            var rowIDs: [Int64] = []
            var count = 0
            var builder = ColumnCacheBuilder(
                descriptions: description.columns, wanted: columns)
            func search() throws(ValetError) {
                guard ContinuousClock.now < deadline else { throw Self.tooSlow }
                let piece = Snapshot(
                    revision: now, cache: builder.finish(), numbers: LeafNumbers())
                builder = ColumnCacheBuilder(
                    descriptions: description.columns, wanted: columns)
                guard let found = piece.rowIDs(of: query, most: most - rowIDs.count) else {
                    return
                }
                rowIDs += found.rowIDs
                count += found.count
            }
            try reader.scan(list: list, columns: columns) { row throws(ValetError) in
                builder.beginRow(row.id)
                for position in columns.indices { builder.append(row[position], to: position) }
                if builder.rowCount == ColumnChunk.slots { try search() }
            }
            try search()
            return (rowIDs, count)
        }
    }

    private static var tooSlow: ValetError {
        ValetError(
            .overBudget,
            "finding the rows takes longer than \(Limits.secondsPerCommand) seconds "
                + "(secondsPerCommand): name fewer columns, or open the list first")
    }
}
