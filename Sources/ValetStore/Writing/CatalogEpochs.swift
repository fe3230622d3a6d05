import ValetModel

/// The epochs whose commands mean the same in the catalog as it is now: that of this opening, and
/// those of earlier ones since when nobody has changed a table or moved row ids (`RowIDLifetimes`
/// tells it of a file that was put over this one).
///
/// Without this, an edit that waits for a server to start again would have to be made again.
struct CatalogEpochs {
    /// A VACUUM, and each object that is made, dropped or altered, changes it.
    var schemaVersion: Int64
    /// Of the names of lists, tables and columns.
    let catalog: UInt64
    private(set) var epochs: [UInt64]

    init(schemaVersion: Int64, catalog: UInt64) {
        (self.schemaVersion, self.catalog, epochs) = (schemaVersion, catalog, [])
    }

    /// The newest come last; the oldest are forgotten.
    mutating func add(_ epoch: UInt64) {
        epochs.removeAll { $0 == epoch }
        epochs.append(epoch)
        if epochs.count > Limits.epochsRemembered {
            epochs.removeFirst(epochs.count - Limits.epochsRemembered)
        }
    }

    /// - Returns: none if the catalog has become another since they were stored.
    func known(from stored: [UInt8]) -> [UInt64] {
        var bytes = LogByteReader(stored)
        guard bytes.signed() == schemaVersion, bytes.number() == catalog, let count = bytes.count(),
            count <= Limits.epochsRemembered
        else { return [] }
        return (0..<count).compactMap { _ in bytes.number() }
    }

    mutating func add(stored: [UInt8]) {
        for epoch in known(from: stored) { add(epoch) }
    }

    var stored: [UInt8] {
        var bytes = LogBytes()
        bytes.write(signed: schemaVersion)
        bytes.write(catalog)
        bytes.write(list: epochs) { $0.write($1) }
        return bytes.bytes
    }
}

extension Catalog {
    /// - Parameter tables: by list, the names of their tables.
    func digest(tables: [String]) -> UInt64 {
        var bytes = LogBytes()
        for (list, table) in zip(lists, tables) {
            bytes.write(list.name)
            bytes.write(table)
            for column in list.columns { bytes.write(column.name) }
            bytes.write(byte: 0)
        }
        return ValueDigest(of: bytes.bytes).hash
    }
}
