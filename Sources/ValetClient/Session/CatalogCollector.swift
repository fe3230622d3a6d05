import ValetModel
import ValetProtocol

/// Assembles a catalog from its frames.
struct CatalogCollector {
    private(set) var catalog = Catalog(lists: [])
    private(set) var rowCounts: [Int?] = []
    private var total: Int?
    private var byteCount = 0

    /// - Returns: true if the catalog is complete.
    mutating func add(
        _ answer: CatalogAnswer, byteCount newBytes: Int
    ) throws(ValetError) -> Bool {
        guard answer.ordinal == catalog.lists.count, answer.total == total ?? answer.total else {
            throw .broken(
                "P29",
                "list \(answer.ordinal) of \(answer.total) comes after \(catalog.lists.count) lists"
            )
        }
        total = answer.total
        byteCount += newBytes
        let limit = Limits.bytesPerCatalog
        guard byteCount <= limit else {
            throw .limit("bytes per catalog", is: limit, asked: byteCount)
        }
        if answer.ordinal == 0 {
            catalog.leftOut = answer.leftOut
            catalog.leftOutCount = answer.leftOutCount
        }
        if let entry = answer.entry {
            catalog.lists.append(entry.list)
            rowCounts.append(entry.rowCount)
        }
        return catalog.lists.count == answer.total
    }
}
