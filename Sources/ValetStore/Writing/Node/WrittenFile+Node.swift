import ValetModel

/// A node's file: what it commits is in its cluster's log before.
extension WrittenFile {
    /// From here on the file's own commits are entries of a cluster's log, and nothing else.
    func joinCluster(_ state: [UInt8]) throws(ValetError) {
        if isOfNode { throw NodeMark.isSome(database.path) }
        try ownCommit { () throws(ValetError) in
            try prepared.run(SQL.makeNodeMark)
            try prepared.run(
                SQL.addNodeMark, [.block(state), .integer(Int64(clamping: highestTold))])
        }
    }

    /// Returns when the cluster's log has the entry, and the transaction what is kept of that.
    func keep(_ agreement: Agreement, on entry: SealedEntry) throws(ValetError) {
        guard entry.bytes.count <= Limits.bytesPerNodeEntry else {
            throw EffectRecorder.tooMuch(Limits.bytesPerNodeEntry)
        }
        let state = try agreement.decide(entry.bytes)
        // From here on the file is behind the log until the COMMIT.
        lacksEntry = true
        connection.interruption.rowCame()
        try save(nodeState: state)
    }

    private func save(nodeState state: [UInt8]) throws(ValetError) {
        try prepared.run(SQL.saveNodeState, [.block(state)])
    }

    // MARK: Following

    /// Makes the rows what entries of the cluster's log say, in one transaction, and keeps how far
    /// the log was taken in.
    ///
    /// Nothing is applied if this throws: the file is not what the log says, or can't be written.
    func follow(
        _ entries: [[UInt8]], keeping state: [UInt8],
        willCommit: (CommittedBatch) -> Void, didCommit: (CommittedBatch) -> Void
    ) throws(ValetError) {
        if entries.isEmpty {
            return try ownCommit { () throws(ValetError) in try save(nodeState: state) }
        }
        if isIndexCut { throw replaced }
        let batch: CommittedBatch
        do throws(ValetError) {
            try EntryApplier.prepare(connection)
            batch = try connection.working(within: .command) { () throws(ValetError) in
                try apply(entries, keeping: state, willCommit)
            }
        } catch {
            rollBack()
            try EntryApplier.end(on: connection)
            throw error
        }
        reported(batch)
        didCommit(batch)
        try EntryApplier.end(on: connection)
    }

    private func apply(
        _ entries: [[UInt8]], keeping state: [UInt8], _ willCommit: (CommittedBatch) -> Void
    ) throws(ValetError) -> CommittedBatch {
        try prepared.run(SQL.beginWriting)
        let changes = connection.totalChanges
        try checkFile()
        guard try hasSameTables() else { throw SentCommand.catalogChanged }
        let before = database.watch.revision
        guard try foreignChange() == nil else { throw hasDiverged }
        var batch = CommittedBatch(
            before: before, revision: before, foreignChange: nil, commands: [])
        var titles: [ShownTitles.TouchedKey] = []
        let applier = try entryApplier()
        var taken: [Entry] = []
        for bytes in entries {
            guard let entry = Entry(stored: bytes) else { throw prepared.damagedEntry }
            try applier.apply(SealedEntry(entry, bytes))
            taken.append(entry)
            for (place, command) in entry.commands.enumerated() {
                let (made, touched) = decider.taken(
                    command, at: entry.first &+ UInt64(place), of: entry)
                batch.commands.append(made)
                titles += touched
            }
            batch.revision = entry.last
        }
        try decider.titles.complete(&batch, touched: titles)
        try save(nodeState: state)
        willCommit(batch)
        try connection.commit(as: batch.revision, to: database.watch, changedSince: changes)
        lacksEntry = false
        committed()
        for entry in taken { decider.noteHighest(of: entry) }
        return batch
    }

    private func entryApplier() throws(ValetError) -> EntryApplier {
        if let applier { return applier }
        let made = try EntryApplier(log)
        applier = made
        return made
    }

    // MARK: Errors

    var onlyFollows: ValetError {
        ValetError(
            .busy, "“\(database.path)” follows the cluster's log: its leader is not known yet")
    }

    var isBehind: ValetError {
        ValetError(
            .storageFailed,
            "“\(database.path)” could not take in what the cluster's log has: it follows the log "
                + "until it has it")
    }

    var hasDiverged: ValetError {
        .readOnly(
            "another program has changed “\(database.path)”, which is the file of a cluster's "
                + "node: it has diverged from the log, and needs a snapshot")
    }
}

extension Decider {
    /// Entries are what nodes of a cluster can take in: of so many bytes, and with rows that have
    /// ids.
    func limitEntries(to bytes: Int) {
        mostBytes = bytes
        recorder.mostBytes = bytes
        isForNodes = true
    }

    /// What a command that another node has decided does to the lists, and the keys of the rows
    /// whose titles it may have changed.
    func taken(
        _ command: EntryCommand, at revision: UInt64, of entry: Entry
    ) -> (CommittedCommand, titles: [ShownTitles.TouchedKey]) {
        let effects = PastCommand(command, at: revision, entry.tables, in: self).effects
        let touched = Set(command.effects.map { SQL.caseFolded(entry.tables[$0.table].name) })
        let made = CommittedCommand(
            name: command.name, station: command.station, revision: revision,
            effects: effectsByList(effects, table: \.table),
            unknownLists: database.derivedLists(from: touched))
        return (made, titles.keys(touchedBy: effects, table: \.table))
    }

    /// Notes the highest row ids of an entry that was applied.
    func noteHighest(of entry: Entry) {
        for highest in entry.highest {
            guard let number = numbers[entry.tables[highest.table].name] else { continue }
            let known = tables[number].seenIDs
            tables[number].seenIDs.highest = max(known.highest, highest.rowID)
            tables[number].seenIDs.inEntries = highest.rowID
        }
    }
}
