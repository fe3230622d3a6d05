import CSQLite
import ValetModel

/// Why a command was not carried out.
enum CommandStop: Error {
    /// It has an outcome.
    case verdict(Verdict)
    case error(ValetError)
}

extension WrittenFile {
    enum TransactionEnd {
        case committed([CommandResult])
        /// Nothing was committed.
        case failed(ValetError)
        /// The command at this place has ended the transaction.
        case ended(by: Int, CommandStop)
    }

    func commit(
        _ batch: [SentCommand], at time: Int64, find: RowFinder,
        willCommit: (CommittedBatch) -> Void, didCommit: (CommittedBatch) -> Void
    ) -> [CommandResult] {
        var results = [CommandResult?](repeating: nil, count: batch.count)
        var waiting = Array(batch.indices)
        // Those that ended a transaction: each gets one of its own.
        var alone: [Int] = []
        var verdict: Verdict?
        while !waiting.isEmpty {
            let end = transact(
                waiting.map { batch[$0] }, verdict: verdict, at: time, find: find, willCommit,
                didCommit)
            verdict = nil
            switch end {
            case .committed(let ends):
                for (place, result) in zip(waiting, ends) { results[place] = result }
                waiting = []
            case .failed(let error):
                for place in waiting { results[place] = .failure(error) }
                waiting = []
            case .ended(let index, .error(let error)):
                results[waiting.remove(at: index)] = .failure(error)
            case .ended(_, .verdict(let found)) where waiting.count == 1:
                // It is stored in a transaction in which the command does not run.
                verdict = found
            case .ended(let index, .verdict):
                alone.append(waiting.remove(at: index))
            }
            if waiting.isEmpty, !alone.isEmpty { waiting = [alone.removeFirst()] }
        }
        return results.map { $0 ?? .failure(ValetError(.storageFailed, "nothing was done")) }
    }

    /// - Parameter verdict: of the only command, which is not run again.
    func transact(
        _ batch: [SentCommand], verdict: Verdict?, at time: Int64,
        find: RowFinder = { _, _ in [] }, _ willCommit: (CommittedBatch) -> Void,
        _ didCommit: (CommittedBatch) -> Void
    ) -> TransactionEnd {
        do throws(ValetError) {
            return try connection.working(within: .command) { () throws(ValetError) in
                try prepared.run(SQL.beginWriting)
                let changes = connection.totalChanges
                try checkFile()
                guard try hasSameTables() else {
                    if batch.isEmpty { throw Self.catalogChanged }
                    defer { rollBack() }
                    return .committed(try answerWithoutTables(batch))
                }
                let before = try database.watch.look()
                var committed = CommittedBatch(
                    before: before, revision: before, foreignChange: try foreignChange(),
                    commands: [])
                var results: [CommandResult] = []
                for (index, sent) in batch.enumerated() {
                    // Each command has its own time.
                    connection.interruption.rowCame()
                    do throws(CommandStop) {
                        let (outcome, made) = try run(
                            sent, verdict: verdict, after: committed.revision, at: time,
                            find: find)
                        results.append(.success(outcome))
                        guard let made else { continue }
                        committed.commands.append(made)
                        committed.revision = made.revision
                    } catch {
                        guard connection.isInTransaction, case .error(let reason) = error else {
                            rollBack()
                            return .ended(by: index, error)
                        }
                        results.append(.failure(reason))
                    }
                }
                guard !committed.commands.isEmpty || committed.foreignChange != nil else {
                    rollBack()
                    return .committed(results)
                }
                if !committed.commands.isEmpty {
                    try saveHighestRowIDs()
                    try trim(at: time, commands: batch.count)
                }
                try raiseHighestTold(above: committed.revision)
                try forgetTouched()
                willCommit(committed)
                try connection.commit(
                    as: committed.revision, to: database.watch, changedSince: changes)
                reported(committed)
                didCommit(committed)
                return .committed(results)
            }
        } catch {
            rollBack()
            return .failed(error)
        }
    }
}

extension WrittenFile {
    /// What was carried out before is known whatever became of the tables; nothing else is done.
    private func answerWithoutTables(_ batch: [SentCommand]) throws(ValetError) -> [CommandResult] {
        batch.map { sent in
            Result { () throws(ValetError) in
                guard let known = try knownOutcome(of: sent) else {
                    throw Self.catalogChanged
                }
                return known
            }
        }
    }

    /// Runs a command, unless it is known, and logs it. What is known comes first: the rows that
    /// the command was about, and the limits, may be others by now.
    ///
    /// - Returns: what was committed is nil for a command that is known.
    private func run(
        _ sent: SentCommand, verdict: Verdict?, after revision: UInt64, at time: Int64,
        find: RowFinder
    ) throws(CommandStop) -> (Outcome, CommittedCommand?) {
        let name = sent.command.name
        var found: [Int64] = []
        do throws(ValetError) {
            if let known = try knownOutcome(of: sent) { return (known, nil) }
            if sent.isOutdated { throw Self.catalogChanged }
            if let error = formError(of: sent) { throw error }
            if verdict == nil, sent.command.change.isOfQuestion {
                found = try find(sent, revision)
                connection.interruption.rowCame()
            }
        } catch {
            throw .error(error)
        }
        let outcomeRevision = revision + 1
        let list = listNumber(sent.command.list).map { database.catalog.lists[$0].name } ?? ""
        var logged = LoggedCommand(sent, list: list, revision: outcomeRevision, time: time)
        if let verdict {
            logged.verdict = verdict
        } else {
            try carryOut(sent, onRows: found, to: &logged)
        }
        do throws(ValetError) {
            try log(logged)
        } catch {
            // Without its log entry, nothing of the command may stay.
            connection.rollBack()
            throw .error(error)
        }
        return (
            Outcome(revision: outcomeRevision, time: time, verdict: logged.verdict),
            CommittedCommand(
                name: name, station: sent.station, revision: outcomeRevision,
                effects: effectsByList(logged.effects), derivedLists: logged.derivedLists)
        )
    }

    /// Changes the rows, all or none.
    ///
    /// - Parameter found: the rows of a command that names none.
    private func carryOut(
        _ sent: SentCommand, onRows found: [Int64], to logged: inout LoggedCommand
    ) throws(CommandStop) {
        do throws(ValetError) {
            try prepared.run(SQL.beginCommand)
        } catch {
            throw .error(error)
        }
        recorder.begin()
        defer {
            recorder.end()
            pastEffects.forget()
        }
        do throws(CommandStop) {
            let rowIDs = try change(sent, onRows: found, &logged)
            logged.verdict =
                logged.rest.isEmpty
                ? .applied(rowIDs: rowIDs) : .appliedButFor(rowIDs: rowIDs, logged.rest)
            if connection.hasBrokenForeignKeys {
                throw .verdict(
                    .refused([Refusal(row: 0, column: nil, message: Connection.brokenForeignKey)]))
            }
            do throws(ValetError) {
                logged.effects = try effects()
                logged.derivedLists = database.derivedLists(from: recorder.tablesTouched)
                try prepared.run(SQL.keepCommand)
            } catch {
                throw .error(error)
            }
        } catch {
            // The statement that failed may have ended the transaction, and the savepoint with it.
            guard connection.isInTransaction else { throw error }
            do throws(ValetError) {
                try prepared.run(SQL.undoCommand)
                try prepared.run(SQL.keepCommand)
            } catch {
                throw .error(error)
            }
            guard case .verdict(let verdict) = error else { throw error }
            logged.verdict = verdict
        }
    }

    /// Reads what became of the rows that the command has touched.
    private func effects() throws(ValetError) -> [Effect] {
        recorder.end()
        if let failure = recorder.failure { throw failure }
        var rows = recorder.rows
        var bytesLeft = recorder.bytesLeft
        var new: [[Cell]?] = []
        new.reserveCapacity(rows.count)
        for row in rows {
            let cells = try tables[row.key.table].row(row.key.rowID, bytesLeft: &bytesLeft)
            recorder.count(cells ?? [])
            if let failure = recorder.failure { throw failure }
            new.append(cells)
        }
        if !foreignKeys.isEmpty { foreignKeys.mark(&rows, new: new) }
        var effects: [Effect] = []
        effects.reserveCapacity(rows.count)
        for (row, new) in zip(rows, new) {
            let table = tables[row.key.table]
            guard
                let change = Effect.Change(
                    old: row.old, new: new, noting: table.conditionColumns,
                    isOwn: { row.named.contains($0) })
            else { continue }
            if new == nil { table.highest = max(table.highest, row.key.rowID) }
            effects.append(
                Effect(
                    shape: table.shape, rowID: row.key.rowID, change: change,
                    isOwn: row.named != .none,
                    previous: try lastChange(of: row.key.rowID, in: table)))
        }
        return effects
    }

    private func effectsByList(_ effects: [Effect]) -> [(list: Int, changes: [RowChange])] {
        var changes: [Int: [RowChange]] = [:]
        for effect in effects {
            guard let table = tableOfShape[effect.shape] else { continue }
            changes[table, default: []].append(effect.rowChange)
        }
        return changes.sorted { $0.key < $1.key }.flatMap { table, changes in
            tables[table].lists.map { ($0, changes) }
        }
    }
}
