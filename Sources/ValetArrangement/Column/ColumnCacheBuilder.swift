import ValetModel

/// Collects rows in ascending order of row id; the reader guarantees that order for any file.
package struct ColumnCacheBuilder {
    private let descriptions: [ColumnDescription]
    private let wanted: [Int]
    private var builders: [ColumnBuilder]
    private var rowIDs: ColumnBuilder
    private var last: Int64?
    package private(set) var rowCount = 0

    /// - Parameters:
    ///   - wanted: the columns of the appended values, in this order.
    ///   - expectedRows: an estimate of the row count.
    package init(descriptions: [ColumnDescription], wanted: [Int], expectedRows: Int = 0) {
        self.descriptions = descriptions
        self.wanted = wanted
        builders = wanted.map { ColumnBuilder(descriptions[$0], expectedRows: expectedRows) }
        rowIDs = ColumnBuilder(
            ColumnDescription(name: "row id", type: .integer), expectedRows: expectedRows)
    }

    /// Starts the next row; its values follow by `append`, one per wanted column.
    package mutating func beginRow(_ rowID: Int64) {
        precondition(last.map { $0 < rowID } ?? true, "row ids must ascend")
        last = rowID
        rowIDs.append(.integer(rowID))
        rowCount += 1
    }

    package mutating func append(_ value: BorrowedValue, to position: Int) {
        builders[position].append(value)
    }

    /// Approximate memory use so far.
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

/// Loads more columns for a cache's rows: rows that were inserted since are skipped, and deleted
/// rows get missing values.
package struct ColumnAddition {
    private let cache: ColumnCache
    private let wanted: [Int]
    private var builders: [ColumnBuilder]
    /// The next of the slots that are sorted by row id.
    private var slot = 0
    /// Values of rows that were inserted after loading, by slot.
    private var laterCells: [UInt32: [Cell]] = [:]
    private var row = Row.unknown

    private enum Row {
        case ordered
        case later(UInt32)
        case unknown
    }

    package init(to cache: ColumnCache, wanted: [Int]) {
        self.cache = cache
        self.wanted = wanted
        builders = wanted.map {
            ColumnBuilder(cache.descriptions[$0], expectedRows: cache.orderedSlots)
        }
    }

    package mutating func beginRow(_ rowID: Int64) {
        if let later = cache.laterSlots[rowID] {
            laterCells[later] = wanted.map { _ in .null }
            row = .later(later)
            return
        }
        while slot < cache.orderedSlots, cache.rowID(of: UInt32(slot)) < rowID { skipSlot() }
        guard slot < cache.orderedSlots, cache.rowID(of: UInt32(slot)) == rowID else {
            row = .unknown
            return
        }
        row = .ordered
        slot += 1
    }

    package mutating func append(_ value: BorrowedValue, to position: Int) {
        switch row {
        case .ordered: builders[position].append(value)
        case .later(let slot): laterCells[slot]?[position] = Cell(key: value)
        case .unknown: break
        }
    }

    /// Approximate memory use so far.
    package var byteCount: Int { builders.reduce(0) { $0 + $1.byteCount } }

    private mutating func skipSlot() {
        for position in builders.indices { builders[position].append(.null) }
        slot += 1
    }

    package consuming func finish() -> [Int: Column] {
        while slot < cache.orderedSlots { skipSlot() }
        var columns: [Int: Column] = [:]
        for (position, index) in wanted.enumerated() {
            var column = ColumnEdit(of: builders[position].finish())
            for slot in UInt32(cache.orderedSlots)..<UInt32(cache.slotCount) {
                column.set(slot, to: laterCells[slot]?[position] ?? .null)
            }
            columns[index] = column.column
        }
        return columns
    }
}

extension Cell {
    /// The part of a value that grouping, sorting and search use.
    init(key value: BorrowedValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let real): self = .real(real)
        case .text(let bytes): self.init(textBytes: bytes.keyText)
        case .blob(let byteCount): self = .blob(bytes: [], byteCount: byteCount)
        }
    }
}
