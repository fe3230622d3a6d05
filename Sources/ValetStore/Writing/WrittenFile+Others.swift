import ValetModel

/// Commits of other programs.
extension WrittenFile {
    /// Reports the commits of other programs without a command.
    func takeInOthers(
        willCommit: (CommittedBatch) -> Void, didCommit: (CommittedBatch) -> Void
    ) throws(ValetError) {
        // The time is for commands only, and there are none.
        let end = transact([], verdict: nil, at: 0, willCommit, didCommit)
        if case .failed(let error) = end { throw error }
    }

    /// The commits of other programs since the last report. Called in a transaction that keeps them
    /// from committing more, after a look.
    func foreignChange() throws(ValetError) -> ForeignChange? {
        let newest = database.watch.othersRevision
        if newest != others.newest {
            // Another process has owned the file meanwhile.
            let stored = try prepared.integer(SQL.newestRevision) ?? 0
            guard UInt64(clamping: stored) == log.newest else {
                database.watch.logWasReplaced()
                try checkFile()
                return nil
            }
            others.saw(newest)
            try decider.noteHighestRowIDs()
        }
        guard let (before, revision) = others.unreported else { return nil }
        return ForeignChange(
            before: before, revision: revision, rows: others.isNoted ? try touchedRows() : [:])
    }

    /// Empty if there are too many rows, or none: then something else has changed.
    private func touchedRows() throws(ValetError) -> [Int: [RowChange]] {
        if notedTables.isEmpty { return [:] }
        var keys: [RowKey] = []
        try prepared.rows(SQL.touched, [.integer(Int64(Limits.rowsPerCommand + 1))]) { row in
            if let table = decider.numbers[row.text(0) ?? ""], notedTables.contains(table) {
                keys.append(RowKey(table: table, rowID: row.integer(1)))
            }
            return true
        }
        guard (1...Limits.rowsPerCommand).contains(keys.count) else { return [:] }
        var changes: [Int: [RowChange]] = [:]
        for table in notedTables { changes[table] = [] }
        for key in keys {
            changes[key.table]?.append(try decider.tables[key.table].change(to: key.rowID))
        }
        let untouched = notedTables.subtracting(keys.map(\.table))
        let unknown = decider.titles.lists(showingOthersThan: untouched)
        var byList: [Int: [RowChange]] = [:]
        for (table, changes) in changes {
            for list in decider.tables[table].lists where !unknown.contains(list) {
                var completed = changes
                guard try decider.titles.complete(&completed, ofList: list) else { continue }
                byList[list] = completed
            }
        }
        return byList
    }

    /// Forgets the touched rows, including those of this transaction's own commands.
    func forgetTouched() throws(ValetError) {
        if !notedTables.isEmpty { try prepared.run(SQL.forgetTouched) }
    }

    func reported(_ batch: CommittedBatch) {
        others.reported(batch.foreignChange?.revision, with: batch.revision)
        if let newest = batch.commands.last {
            database.watch.stored(log: log.logID, newestCommand: newest.revision)
        }
    }
}

extension EditedTable {
    fileprivate func change(to rowID: Int64) throws(ValetError) -> RowChange {
        // Lists hold long values cut, so that none has to be read whole.
        let cells = try row(rowID, mostBytes: 0)
        return cells.map { Effect.Change.insert($0).rowChange(of: rowID) } ?? .delete(rowID: rowID)
    }
}
