import HashTreeCollections
import ValetModel

/// The cached part of a list's rows: their ids and the columns needed so far, by slot.
///
/// Slots are never reused, so row ids are found by binary search, except those of rows that were
/// inserted out of order, and of all rows inserted after one of them.
package struct ColumnCache: Sendable {
    package let descriptions: [ColumnDescription]
    /// nil for a column that has not been requested.
    package internal(set) var columns: [Column?]
    /// Row ids by slot; the column has no missing values.
    var rowIDs: Column
    /// Slots assigned so far, including those of deleted rows.
    package internal(set) var slotCount: Int
    var dead = SlotSet()
    /// The leading slots that are sorted by row id.
    var orderedSlots: Int
    /// The slots of all other rows.
    var laterSlots = TreeDictionary<Int64, UInt32>()

    package var rowCount: Int { slotCount - dead.count }

    /// Approximate memory use; visits every chunk of every column.
    package var byteCount: Int {
        columns.reduce(rowIDs.byteCount + dead.byteCount + 24 * laterSlots.count) {
            $0 + ($1?.byteCount ?? 0)
        }
    }

    init(descriptions: [ColumnDescription], rowIDs: Column, slotCount: Int, columns: [Column?]) {
        self.descriptions = descriptions
        self.rowIDs = rowIDs
        self.slotCount = slotCount
        self.columns = columns
        orderedSlots = slotCount
    }

    /// The first and last row id that were loaded; nil for an empty list.
    package var rowIDBounds: ClosedRange<Int64>? {
        orderedSlots == 0 ? nil : rowID(of: 0)...rowID(of: UInt32(orderedSlots - 1))
    }

    package func rowID(of slot: UInt32) -> Int64 {
        guard case .integer(let id) = rowIDs[slot] else { preconditionFailure("slot without row") }
        return id
    }

    package func rowIDs(of slots: [UInt32]) -> [Int64] {
        rowIDs.stored(slots).map { value in
            guard case .integer(let id) = value else { preconditionFailure("slot without row") }
            return id
        }
    }

    /// True if these rows are in these slots.
    package func hasRows(_ rowIDs: [Int64], in slots: [UInt32]) -> Bool {
        slots.allSatisfy { $0 < slotCount } && self.rowIDs(of: slots) == rowIDs
    }

    /// The slot of a row that currently exists.
    package func slot(of rowID: Int64) -> UInt32? {
        if let slot = laterSlots[rowID] { return slot }
        let place = (0..<orderedSlots).firstNotBefore { self.rowID(of: UInt32($0)) < rowID }
        let slot = UInt32(place)
        guard place < orderedSlots, self.rowID(of: slot) == rowID, !dead.contains(slot) else {
            return nil
        }
        return slot
    }

    package func has(_ wanted: Set<Int>) -> Bool {
        wanted.allSatisfy { columns.indices.contains($0) && columns[$0] != nil }
    }

    /// A column that the caller knows to be loaded.
    package func column(_ index: Int) -> Column {
        guard let column = columns[index] else {
            preconditionFailure("column \(descriptions[index].name) was not read in")
        }
        return column
    }

    /// The cache with the columns of another; nil if the other was loaded from different rows.
    package func joining(_ other: ColumnCache) -> ColumnCache? {
        guard rowIDs.hasSameNumbers(as: other.rowIDs) else { return nil }
        var copy = self
        for (index, column) in other.columns.enumerated() where column != nil {
            copy.columns[index] = column
        }
        return copy
    }

    /// The cache with additional columns of the same rows.
    package func adding(_ more: [Int: Column]) -> ColumnCache {
        var copy = self
        for (index, column) in more { copy.columns[index] = column }
        return copy
    }

    func removing(_ indices: [Int]) -> ColumnCache {
        var copy = self
        for index in indices { copy.columns[index] = nil }
        return copy
    }
}
