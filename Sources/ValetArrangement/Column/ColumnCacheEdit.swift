import ValetModel

/// The rows that differ between two caches of one list, by slot.
struct RowEdits {
    /// Rows that only the old cache has.
    var removed: [UInt32] = []
    /// Rows that only the new cache has.
    var inserted: [UInt32] = []
    /// Rows of both, with the columns that were set; each row once.
    var updated: [(slot: UInt32, columns: Set<Int>)] = []
}

/// A cache during a batch of changes, which copies each chunk that it changes once.
struct ColumnCacheEdit {
    private let firstNewSlot: Int
    private var cache: ColumnCache
    private var rowIDs: ColumnEdit
    /// nil for a column without changes.
    private var columns: [ColumnEdit?]
    private var newSlots: [Int64: UInt32] = [:]
    private var removed: [UInt32] = []
    private var updated: [UInt32: Set<Int>] = [:]

    init(of cache: ColumnCache) {
        self.cache = cache
        firstNewSlot = cache.slotCount
        rowIDs = ColumnEdit(of: cache.rowIDs)
        columns = Array(repeating: nil, count: cache.columns.count)
    }

    /// - Returns: false if the change does not apply: then nothing has changed.
    mutating func apply(_ change: RowChange) -> Bool {
        switch change {
        case .insert(let rowID, let cells): insert(rowID, cells)
        case .delete(let rowID): delete(rowID)
        case .update(let rowID, let cells): update(rowID, cells)
        }
    }

    /// Makes a row what it is after a change that the cache may already contain.
    ///
    /// - Returns: false if there are too many rows.
    mutating func overtake(_ change: RowChange) -> Bool {
        switch change {
        case .insert(let rowID, let cells): replace(rowID, cells) || insert(rowID, cells)
        // The row was deleted before it was read.
        case .update, .delete: apply(change) || true
        }
    }

    private func slot(of rowID: Int64) -> UInt32? {
        newSlots[rowID] ?? cache.slot(of: rowID)
    }

    private mutating func insert(_ rowID: Int64, _ cells: [Int: Cell]) -> Bool {
        guard slot(of: rowID) == nil, cache.slotCount < Limits.rowsPerList else { return false }
        let slot = UInt32(cache.slotCount)
        cache.slotCount += 1
        newSlots[rowID] = slot
        rowIDs.set(slot, to: .integer(rowID))
        for index in columns.indices { set(slot, index, to: cells[index] ?? .null) }
        return true
    }

    private mutating func delete(_ rowID: Int64) -> Bool {
        guard let slot = slot(of: rowID) else { return false }
        cache.dead.set(slot, to: true)
        cache.laterSlots[rowID] = nil
        newSlots[rowID] = nil
        updated[slot] = nil
        if slot < firstNewSlot { removed.append(slot) }
        return true
    }

    private mutating func replace(_ rowID: Int64, _ cells: [Int: Cell]) -> Bool {
        let loaded = columns.indices.filter { cache.columns[$0] != nil }
        return update(
            rowID, Dictionary(uniqueKeysWithValues: loaded.map { ($0, cells[$0] ?? .null) }))
    }

    private mutating func update(_ rowID: Int64, _ cells: [Int: Cell]) -> Bool {
        guard let slot = slot(of: rowID) else { return false }
        for (index, cell) in cells where columns.indices.contains(index) {
            set(slot, index, to: cell)
        }
        if slot < firstNewSlot { updated[slot, default: []].formUnion(cells.keys) }
        return true
    }

    private mutating func set(_ slot: UInt32, _ index: Int, to cell: Cell) {
        if columns[index] == nil { columns[index] = cache.columns[index].map(ColumnEdit.init) }
        columns[index]?.set(slot, to: cell)
    }

    /// The cache after the changes, and what they changed.
    consuming func finish() -> (ColumnCache, RowEdits) {
        var cache = cache
        for (index, edit) in columns.enumerated() {
            if let edit { cache.columns[index] = edit.column }
        }
        if cache.slotCount > firstNewSlot { cache.rowIDs = rowIDs.column }
        var edits = RowEdits(removed: removed)
        for slot in UInt32(firstNewSlot)..<UInt32(cache.slotCount) {
            let isDead = cache.dead.contains(slot)
            if !isDead { edits.inserted.append(slot) }
            cache.index(slot, isDead: isDead)
        }
        // In an order that does not depend on hashes, so that leaves get the same numbers.
        edits.updated = updated.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return (cache, edits)
    }
}

extension ColumnCache {
    /// Lets a new slot be found by its row id.
    fileprivate mutating func index(_ slot: UInt32, isDead: Bool) {
        let rowID = rowID(of: slot)
        if orderedSlots == slot, slot == 0 || self.rowID(of: slot - 1) < rowID {
            orderedSlots += 1
        } else if !isDead {
            laterSlots[rowID] = slot
        }
    }
}
