import ValetModel

/// Forgetting what is old, and keeping it for those who have yet to take it.
extension LogTables {
    /// Drops the oldest entries and commands beyond the log's limits. What many old entries are too
    /// much is dropped over several commits, since others wait: at least as much as came.
    func trim(at time: Int64, commands count: Int) throws(ValetError) {
        let most = max(2 * count, Limits.entriesDropped)
        var rowsLeft = Limits.rowsPerTransaction
        for place in 0..<most where place < 2 * count || rowsLeft > 0 {
            guard let rows = try dropEntry() else { break }
            rowsLeft -= rows
        }
        for _ in 0..<most {
            guard try dropCommand(at: time) else { break }
        }
    }

    /// - Returns: how many rows the entry was of; nil if none was dropped.
    private func dropEntry() throws(ValetError) -> Int? {
        let oldest = try prepared.run(SQL.oldestEntry) { ($0.integer(0), $0.integer(1)) }
        guard let (revision, bytes) = oldest else { return nil }
        let kept = bytesOfEntries.subtractingReportingOverflow(bytes).partialValue
        guard kept > Int64(Limits.bytesOfLog) else { return nil }
        if let slowest = try prepared.integer(SQL.slowestConsumer), slowest < revision {
            guard kept > Int64(Limits.bytesOfLogForConsumers) else { return nil }
            try prepared.run(SQL.forgetConsumers, [.integer(revision)])
        }
        // An entry that can't be read leaves its rows' last changes behind.
        var rows = 0
        if let entry = try? prepared.entry(at: UInt64(clamping: revision)) {
            rows = try forgetChanges(of: entry)
            try forgetSteps(of: entry)
        }
        try prepared.run(SQL.forgetEntry, [.integer(revision)])
        try prepared.run(SQL.saveDropped, [.integer(revision)])
        return rows
    }

    /// - Returns: of how many rows.
    private func forgetChanges(of entry: EntrySections) throws(ValetError) -> Int {
        var rows = 0
        var newest: [Int64: UInt64] = [:]
        for revision in entry.revisions {
            let stored = Cell.integer(Int64(bitPattern: revision))
            for effect in entry.command(at: revision)?.effects ?? [] {
                let name = entry.entry.tables[effect.table].name
                guard let number = try number(of: name) else { continue }
                rows += 1
                newest[number] = revision
                try prepared.run(
                    SQL.forgetLastChange, [.integer(number), .integer(effect.rowID), stored])
            }
        }
        // Of a table's dropped changes, the newest says how far they go.
        for (number, revision) in newest {
            try prepared.run(
                SQL.forgetChanges, [.integer(number), .integer(Int64(bitPattern: revision))])
        }
        return rows
    }

    /// Steps of dropped commands can't be undone any more, and their station may never come again.
    private func forgetSteps(of entry: EntrySections) throws(ValetError) {
        guard let newest = entry.revisions.last else { return }
        var forgotten: Set<[Cell]> = []
        for revision in entry.revisions {
            guard let command = entry.command(at: revision) else { continue }
            let key = [command.station.id.cell, .text(command.list)]
            guard forgotten.insert(key).inserted else { continue }
            try prepared.run(SQL.forgetOldSteps, key + [.integer(Int64(bitPattern: newest))])
        }
    }

    private func dropCommand(at time: Int64) throws(ValetError) -> Bool {
        let oldest = try prepared.run(SQL.oldestCommand) { row in
            (
                revision: row.integer(0), time: row.integer(1), number: row.integer(2),
                writer: WriterID(row, at: 3)
            )
        }
        guard let oldest else { return false }
        let newest = try prepared.integer(SQL.newestRevision) ?? 0
        let isOld = oldest.time < time - Limits.secondsOfOutcomes * 1_000_000
        // The newest one stays, since it says how far revisions have come.
        guard oldest.revision < newest else { return false }
        if !isOld {
            guard try countCommands() > Int64(Limits.outcomes) else { return false }
        }
        if var numbers = try sender(oldest.writer)?.dropped {
            numbers.insert(oldest.number)
            try prepared.run(
                SQL.saveWriter,
                [.integer(numbers.highest), .block(numbers.bits), .integer(oldest.time)]
                    + oldest.writer.cells)
        }
        try prepared.run(SQL.forgetCommand, [.integer(oldest.revision)])
        commandCount = commandCount.map { $0 - 1 }
        return true
    }

    /// Counted once: revisions have gaps, so they don't tell.
    private func countCommands() throws(ValetError) -> Int64 {
        if let commandCount { return commandCount }
        let count = try prepared.integer(SQL.countCommands) ?? 0
        commandCount = count
        return count
    }

    /// The revision of the newest entry that was dropped; 0 if none was.
    func dropped() throws(ValetError) -> UInt64 {
        UInt64(clamping: try prepared.integer(SQL.dropped) ?? 0)
    }

    /// Keeps the entries after a revision until their consumer says a later one, or nil: that it
    /// comes no more. One that falls so far behind that the log would grow beyond
    /// `Limits.bytesOfLogForConsumers` is dropped.
    ///
    /// - Throws: `.expired` if not all of these entries are kept any more.
    func keepEntries(after revision: UInt64?, for consumer: String) throws(ValetError) {
        guard let revision else { return try prepared.run(SQL.forgetConsumer, [.text(consumer)]) }
        guard try revision >= dropped() else {
            throw .expired("entries after revision \(revision) are no longer kept: start again")
        }
        let others = try prepared.integer(SQL.countOtherConsumers, [.text(consumer)]) ?? 0
        guard others < Int64(Limits.consumersOfLog) else {
            throw .limit(
                "consumersOfLog", is: Limits.consumersOfLog, asked: Int(clamping: others) + 1)
        }
        try prepared.run(SQL.saveConsumer, [.text(consumer), .integer(Int64(clamping: revision))])
    }
}
