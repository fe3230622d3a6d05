import ValetModel
import ValetProtocol

/// Assembles a catalog from its frames.
struct CatalogCollector {
    private(set) var entries: [CatalogAnswer.Entry] = []
    private var total: Int?
    private var byteCount = 0

    /// - Returns: true if the catalog is complete.
    mutating func add(
        _ answer: CatalogAnswer, byteCount newBytes: Int
    ) throws(ValetError) -> Bool {
        guard answer.ordinal == entries.count, answer.total == total ?? answer.total else {
            throw .broken(
                "P29",
                "list \(answer.ordinal) of \(answer.total) comes after \(entries.count) lists")
        }
        total = answer.total
        byteCount += newBytes
        let limit = Limits.bytesPerCatalog
        guard byteCount <= limit else {
            throw .limit("bytes per catalog", is: limit, asked: byteCount)
        }
        if let entry = answer.entry { entries.append(entry) }
        return entries.count == answer.total
    }
}
