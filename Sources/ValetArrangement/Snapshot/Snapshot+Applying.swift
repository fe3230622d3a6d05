import ValetModel

extension Snapshot {
    /// The snapshot after `changes`, in order. Costs O(log n) for each change and arrangement; the
    /// first change of what a search found costs O(found) once more.
    ///
    /// Rows that an update or delete names must be there, and those of an insert must not: the
    /// writer has checked both against the database.
    package func applying(_ changes: [RowChange], revision: UInt64) -> Snapshot {
        precondition(revision >= self.revision)
        var cache = cache
        var arrangements = arrangements
        for change in changes {
            let old = cache
            switch change {
            case .insert(let rowID, let cells):
                let slot = cache.insert(rowID, cells: cells)
                for specification in arrangements.keys {
                    arrangements[specification]!.insert(slot, cache: cache, numbers: numbers)
                }
            case .delete(let rowID):
                let slot = cache.delete(rowID)
                for specification in arrangements.keys {
                    arrangements[specification]!.remove(slot, cache: old, numbers: numbers)
                }
            case .update(let rowID, let cells):
                let slot = cache.update(rowID, cells: cells)
                for specification in arrangements.keys {
                    arrangements[specification]!.update(
                        slot, columns: Set(cells.keys), from: old, to: cache, numbers: numbers)
                }
            }
        }
        return Snapshot(
            revision: revision, cache: cache, arrangements: arrangements, numbers: numbers)
    }
}

extension ColumnCache {
    mutating func insert(_ rowID: Int64, cells: [Int: Cell]) -> UInt32 {
        precondition(slot(of: rowID) == nil, "row \(rowID) is there already")
        precondition(slotCount < Limits.rowsPerList)
        let slot = UInt32(slotCount)
        slotCount += 1
        rowIDs = rowIDs.setting(slot, to: .integer(rowID))
        for index in columns.indices {
            columns[index] = columns[index]?.setting(slot, to: cells[index] ?? .null)
        }
        laterSlots[rowID] = slot
        return slot
    }

    mutating func delete(_ rowID: Int64) -> UInt32 {
        guard let slot = slot(of: rowID) else { preconditionFailure("no row \(rowID)") }
        dead.set(slot, to: true)
        laterSlots[rowID] = nil
        return slot
    }

    mutating func update(_ rowID: Int64, cells: [Int: Cell]) -> UInt32 {
        guard let slot = slot(of: rowID) else { preconditionFailure("no row \(rowID)") }
        for (index, cell) in cells {
            columns[index] = columns[index]?.setting(slot, to: cell)
        }
        return slot
    }
}
