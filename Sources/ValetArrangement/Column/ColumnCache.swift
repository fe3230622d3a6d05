import HashTreeCollections
import ValetModel

/// What memory holds of a list's rows: their ids and the columns that were needed, by slot.
///
/// A slot is given once and not again in the epoch, so every row id but those of rows inserted out
/// of order is found by binary search.
package struct ColumnCache: Sendable {
    package let descriptions: [ColumnDescription]
    /// nil for a column that nothing has asked for yet.
    package internal(set) var columns: [Column?]
    /// Row ids by slot; the column has no missing values.
    var rowIDs: Column
    /// Slots given so far, those of deleted rows counted.
    package internal(set) var slotCount: Int
    var dead = SlotSet()
    /// The first slots, which stand in the order of their row ids.
    let orderedSlots: Int
    /// Slots of rows that came later than the first.
    var laterSlots = TreeDictionary<Int64, UInt32>()

    package var rowCount: Int { slotCount - dead.count }

    /// About what it takes in memory; looks at every chunk of every column.
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

    /// From the first row id that was read in to the last; nil when there was none.
    package var rowIDBounds: ClosedRange<Int64>? {
        orderedSlots == 0 ? nil : rowID(of: 0)...rowID(of: UInt32(orderedSlots - 1))
    }

    package func rowID(of slot: UInt32) -> Int64 {
        guard case .integer(let id) = rowIDs[slot] else { preconditionFailure("slot without row") }
        return id
    }

    /// The slot of a row that is there now.
    package func slot(of rowID: Int64) -> UInt32? {
        if let slot = laterSlots[rowID] { return slot }
        let place = (0..<orderedSlots).firstNotBefore { self.rowID(of: UInt32($0)) < rowID }
        let slot = UInt32(place)
        guard place < orderedSlots, self.rowID(of: slot) == rowID, !dead.contains(slot) else {
            return nil
        }
        return slot
    }

    /// A column that an arrangement or search was promised.
    package func column(_ index: Int) -> Column {
        guard let column = columns[index] else {
            preconditionFailure("column \(descriptions[index].name) was not read in")
        }
        return column
    }

    /// The cache with the columns of another; nil when that was not read from the same rows.
    package func joining(_ other: ColumnCache) -> ColumnCache? {
        guard rowIDs.hasSameNumbers(as: other.rowIDs) else { return nil }
        var copy = self
        for (index, column) in other.columns.enumerated() where column != nil {
            copy.columns[index] = column
        }
        return copy
    }

    /// The cache with more columns, which were read for the same rows.
    package func adding(_ more: [Int: Column]) -> ColumnCache {
        var copy = self
        for (index, column) in more { copy.columns[index] = column }
        return copy
    }
}
