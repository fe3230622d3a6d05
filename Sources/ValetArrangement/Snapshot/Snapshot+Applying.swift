import ValetModel

extension Snapshot {
    /// The snapshot after `changes`, in order. Costs O(log n) for each change and arrangement; the
    /// first change of a search result also costs O(matches).
    ///
    /// - Returns: nil if a change does not apply: it names a missing row, inserts an existing one,
    ///   or exceeds the row limit. The list must then be reloaded.
    package func applying(_ changes: [RowChange], revision: UInt64) -> Snapshot? {
        guard revision >= self.revision else { return nil }
        var cache = cache
        var arrangements = arrangements
        for change in changes {
            let old = cache
            guard let slot = cache.apply(change) else { return nil }
            for specification in arrangements.keys {
                switch change {
                case .insert:
                    arrangements[specification]!.insert(slot, cache: cache, numbers: numbers)
                case .delete:
                    arrangements[specification]!.remove(slot, cache: old, numbers: numbers)
                case .update(_, let cells):
                    arrangements[specification]!.update(
                        slot, columns: Set(cells.keys), from: old, to: cache, numbers: numbers)
                }
            }
        }
        return Snapshot(
            revision: revision, cache: cache, arrangements: arrangements, numbers: numbers)
    }

    /// The snapshot with columns that were read at an earlier revision, when the list had
    /// `slotCount` slots; `changes` are the commits since then.
    package func adding(
        _ columns: [Int: Column], readWith slotCount: Int, changedSince changes: [RowChange]
    ) -> Snapshot {
        var columns = columns
        var later: [Int64: UInt32] = [:]
        var next = UInt32(slotCount)
        for change in changes {
            switch change {
            case .insert(let rowID, let cells):
                for (index, column) in columns {
                    columns[index] = column.setting(next, to: cells[index] ?? .null)
                }
                later[rowID] = next
                next += 1
            case .update(let rowID, let cells):
                // The row has been deleted again and needs no value.
                guard let slot = later[rowID] ?? cache.slot(of: rowID) else { continue }
                for (index, cell) in cells {
                    columns[index] = columns[index]?.setting(slot, to: cell)
                }
            case .delete(let rowID): later[rowID] = nil
            }
        }
        var copy = self
        copy.cache = cache.adding(columns)
        return copy
    }
}

extension Arrangement {
    /// Updates an arrangement of `old`'s rows to those of `new`, given all rows that changed
    /// between the two. All of them are removed by their old keys before any is inserted by its new
    /// ones, so that each comparison uses the keys of one cache.
    package mutating func catchUp(
        _ rowIDs: some Collection<Int64>, from old: ColumnCache, to new: ColumnCache,
        numbers: LeafNumbers
    ) {
        for slot in rowIDs.compactMap(old.slot) { remove(slot, cache: old, numbers: numbers) }
        for slot in rowIDs.compactMap(new.slot) { insert(slot, cache: new, numbers: numbers) }
    }
}

extension ColumnCache {
    /// - Returns: the row's slot; nil if the change does not apply.
    mutating func apply(_ change: RowChange) -> UInt32? {
        switch change {
        case .insert(let rowID, let cells): insert(rowID, cells: cells)
        case .delete(let rowID): delete(rowID)
        case .update(let rowID, let cells): update(rowID, cells: cells)
        }
    }

    /// The cache after changes that were committed while it was loaded, some of which it may
    /// already contain.
    package func overtaking(_ changes: [RowChange]) -> ColumnCache? {
        var cache = self
        for change in changes {
            switch change {
            case .insert(let rowID, let cells):
                let isThere = cache.slot(of: rowID) != nil
                let slot =
                    isThere
                    ? cache.update(rowID, cells: cells) : cache.insert(rowID, cells: cells)
                if slot == nil { return nil }
            case .update(let rowID, let cells):
                // The row was deleted before it was read.
                _ = cache.update(rowID, cells: cells)
            case .delete(let rowID):
                _ = cache.delete(rowID)
            }
        }
        return cache
    }

    private mutating func insert(_ rowID: Int64, cells: [Int: Cell]) -> UInt32? {
        guard slot(of: rowID) == nil, slotCount < Limits.rowsPerList else { return nil }
        let slot = UInt32(slotCount)
        slotCount += 1
        rowIDs = rowIDs.setting(slot, to: .integer(rowID))
        for index in columns.indices {
            columns[index] = columns[index]?.setting(slot, to: cells[index] ?? .null)
        }
        laterSlots[rowID] = slot
        return slot
    }

    private mutating func delete(_ rowID: Int64) -> UInt32? {
        guard let slot = slot(of: rowID) else { return nil }
        dead.set(slot, to: true)
        laterSlots[rowID] = nil
        return slot
    }

    private mutating func update(_ rowID: Int64, cells: [Int: Cell]) -> UInt32? {
        guard let slot = slot(of: rowID) else { return nil }
        for (index, cell) in cells where columns.indices.contains(index) {
            columns[index] = columns[index]?.setting(slot, to: cell)
        }
        return slot
    }
}
