import ValetModel

/// Collects rows in ascending order of row id: a reader gives no others, whatever the file says.
package struct ColumnCacheBuilder {
    private let descriptions: [ColumnDescription]
    private let wanted: [Int]
    private var builders: [ColumnBuilder]
    private var rowIDs: ColumnBuilder
    private var last: Int64?
    package private(set) var rowCount = 0

    /// - Parameters:
    ///   - wanted: the columns that rows will bring, in this order.
    ///   - expectedRows: about how many rows there will be.
    package init(descriptions: [ColumnDescription], wanted: [Int], expectedRows: Int = 0) {
        self.descriptions = descriptions
        self.wanted = wanted
        builders = wanted.map { ColumnBuilder(descriptions[$0], expectedRows: expectedRows) }
        rowIDs = ColumnBuilder(
            ColumnDescription(name: "row id", type: .integer), expectedRows: expectedRows)
    }

    /// Begins the next row; its values follow by `append`, one for each wanted column.
    package mutating func beginRow(_ rowID: Int64) {
        precondition(last.map { $0 < rowID } ?? true, "row ids must ascend")
        last = rowID
        rowIDs.append(.integer(rowID))
        rowCount += 1
    }

    package mutating func append(_ value: BorrowedValue, to position: Int) {
        builders[position].append(value)
    }

    /// About what it takes in memory so far.
    package var byteCount: Int { builders.reduce(rowIDs.byteCount) { $0 + $1.byteCount } }

    package consuming func finish() -> ColumnCache {
        var columns = [Column?](repeating: nil, count: descriptions.count)
        for (position, index) in wanted.enumerated() {
            columns[index] = builders[position].finish()
        }
        return ColumnCache(
            descriptions: descriptions, rowIDs: rowIDs.finish(), slotCount: rowCount,
            columns: columns)
    }
}

/// Reads further columns for rows that a cache has already: rows that have come since are passed
/// over, values of rows that have gone are missing.
package struct ColumnAddition {
    private let cache: ColumnCache
    private let wanted: [Int]
    private var builders: [ColumnBuilder]
    private var slot = 0
    private var isCurrent = false

    package init(to cache: ColumnCache, wanted: [Int]) {
        precondition(cache.slotCount == cache.orderedSlots)
        self.cache = cache
        self.wanted = wanted
        builders = wanted.map {
            ColumnBuilder(cache.descriptions[$0], expectedRows: cache.slotCount)
        }
    }

    package mutating func beginRow(_ rowID: Int64) {
        while slot < cache.slotCount, cache.rowID(of: UInt32(slot)) < rowID { skipSlot() }
        isCurrent = slot < cache.slotCount && cache.rowID(of: UInt32(slot)) == rowID
        if isCurrent { slot += 1 }
    }

    package mutating func append(_ value: BorrowedValue, to position: Int) {
        if isCurrent { builders[position].append(value) }
    }

    /// About what it takes in memory so far.
    package var byteCount: Int { builders.reduce(0) { $0 + $1.byteCount } }

    private mutating func skipSlot() {
        for position in builders.indices { builders[position].append(.null) }
        slot += 1
    }

    package consuming func finish() -> [Int: Column] {
        while slot < cache.slotCount { skipSlot() }
        var columns: [Int: Column] = [:]
        for (position, index) in wanted.enumerated() {
            columns[index] = builders[position].finish()
        }
        return columns
    }
}
