import ValetModel
import ValetProtocol

/// A catalog answer in progress. Its frames are encoded as the client reads them, since a thousand
/// lists may take megabytes.
struct CatalogFeed: Equatable {
    let request: UInt32
    /// Row counts by list, where they are known.
    let counts: [Int?]
    /// Why no list is editable now; nil if changes are allowed.
    var readOnlyReason: String?
    private(set) var sent = 0

    /// The approximate cost of the next frame, in microseconds.
    func cost(_ lists: [ListDescription]) -> Int {
        guard lists.indices.contains(sent) else { return 1 }
        let list = lists[sent]
        return 2 + (list.columns.count + list.groupings.count + list.scopes.count) / 2
    }

    /// - Returns: the next frame, and whether it is the last.
    mutating func next(_ catalog: Catalog) -> (answer: CatalogAnswer, isLast: Bool) {
        let lists = catalog.lists
        let ordinal = sent
        sent += 1
        let entry =
            lists.indices.contains(ordinal)
            ? CatalogAnswer.Entry(list: described(lists[ordinal]), rowCount: counts[ordinal]) : nil
        var answer = CatalogAnswer(
            request: request, total: lists.count, ordinal: ordinal, entry: entry)
        if ordinal == 0 {
            answer.leftOutCount = catalog.leftOutCount
            answer.leftOut = catalog.leftOut.prefix(Limits.tablesLeftOut).map { table in
                LeftOut(
                    name: table.name.cut(toBytes: Limits.bytesPerName),
                    reason: table.reason.cut(toBytes: Limits.bytesPerMessage))
            }
        }
        return (answer, sent >= lists.count)
    }

    private func described(_ list: ListDescription) -> ListDescription {
        guard let readOnlyReason, list.isEditable else { return list }
        var list = list
        (list.isEditable, list.readOnlyReason) = (false, readOnlyReason)
        return list
    }
}
