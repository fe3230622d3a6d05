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

    /// A command that ends a transaction (`RAISE(ROLLBACK)`) gets one of its own, between those
    /// before it and those after.
    func commit(
        _ batch: [SentCommand], at time: Int64, agreement: Agreement? = nil, find: RowFinder,
        willCommit: (CommittedBatch) -> Void, didCommit: (CommittedBatch) -> Void
    ) -> [CommandResult] {
        var results = [CommandResult?](repeating: nil, count: batch.count)
        var waiting = Array(batch.indices)
        // So many of them are in the next transaction.
        var count = batch.count
        var verdict: Verdict?
        while !waiting.isEmpty {
            let end = transact(
                waiting.prefix(count).map { batch[$0] }, verdict: verdict, at: time,
                agreement: agreement, find: find, willCommit, didCommit)
            verdict = nil
            switch end {
            case .committed(let ends):
                for (place, result) in zip(waiting, ends) { results[place] = result }
                // Those that are left come later, or found no room in the entry.
                waiting.removeFirst(ends.count)
                count = waiting.count
            case .failed(let error):
                for place in waiting { results[place] = .failure(error) }
                waiting = []
            case .ended(let index, .error(let error)):
                results[waiting.remove(at: index)] = .failure(error)
                count = count > 1 ? count - 1 : waiting.count
            case .ended(0, .verdict(let found)):
                // It is stored in a transaction in which the command does not run.
                (verdict, count) = (found, 1)
            case .ended(let index, .verdict):
                count = index
            }
        }
        return results.map { $0 ?? .failure(ValetError(.storageFailed, "nothing was done")) }
    }

    /// - Parameter verdict: of the only command, which is not run again.
    func transact(
        _ batch: [SentCommand], verdict: Verdict?, at time: Int64, agreement: Agreement? = nil,
        find: RowFinder = { _, _ in [] }, _ willCommit: (CommittedBatch) -> Void,
        _ didCommit: (CommittedBatch) -> Void
    ) -> TransactionEnd {
        if isIndexCut { return .failed(replaced) }
        if lacksEntry { return .failed(isBehind) }
        if isOfNode, agreement == nil { return .failed(onlyFollows) }
        do throws(ValetError) {
            return try connection.working(within: .command) { () throws(ValetError) in
                try begin()
                let changes = connection.totalChanges
                try checkFile()
                guard try hasSameTables() else {
                    if batch.isEmpty { throw SentCommand.catalogChanged }
                    defer { rollBack() }
                    return .committed(try answerWithoutTables(batch, at: time))
                }
                // Nobody else can commit since that look.
                let before = database.watch.revision
                var committed = CommittedBatch(
                    before: before, revision: before, foreignChange: try foreignChange(),
                    commands: [])
                if isOfNode, committed.foreignChange != nil { throw hasDiverged }
                decider.begin(
                    after: before, at: time, term: agreement?.term ?? 0,
                    changedByOthers: others.changedRows)
                var results: [CommandResult] = []
                var titles: [ShownTitles.TouchedKey] = []
                deciding: for (index, sent) in batch.enumerated() {
                    // Each command has its own time.
                    connection.interruption.rowCame()
                    do throws(CommandStop) {
                        switch try decider.decide(sent, verdict: verdict, find: find) {
                        case .known(let outcome): results.append(.success(outcome))
                        case .made(let outcome, let made, let touched):
                            results.append(.success(outcome))
                            titles += touched
                            committed.commands.append(made)
                            committed.revision = made.revision
                        case .entryIsFull: break deciding
                        }
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
                try decider.titles.complete(&committed, touched: titles)
                let entry = decider.seal()
                if let entry { try log.end(entry) } else { try keepHighestRowIDs() }
                try raiseHighestTold(above: committed.revision)
                try forgetTouched()
                if let agreement, let entry { try keep(agreement, on: entry) }
                willCommit(committed)
                try connection.commit(
                    as: committed.revision, to: database.watch, changedSince: changes)
                lacksEntry = false
                self.committed()
                if entry != nil { decider.committed() } else { decider.keptHighestRowIDs() }
                reported(committed)
                didCommit(committed)
                return .committed(results)
            }
        } catch {
            rollBack()
            // What the cluster's log has is carried out, sooner or later.
            return .failed(lacksEntry ? ValetError(.outcomeUnknown, error.message) : error)
        }
    }

    /// The log of a file that has none yet is made in a transaction that is open already.
    private func begin() throws(ValetError) {
        if connection.isInTransaction { return }
        guard hasLog else { throw .busy("“\(database.path)” has just changed: try again") }
        try prepared.run(SQL.beginWriting)
    }

    /// What would become of a command in a file without a log, which stays as it is.
    func onTrial(_ sent: SentCommand, at time: Int64, find: RowFinder) -> CommandResult {
        defer { rollBack() }
        do throws(ValetError) {
            return try connection.working(within: .command) { () throws(ValetError) in
                try checkFile()
                let revision = try database.watch.look()
                do throws(CommandStop) {
                    decider.begin(after: revision, at: time, changedByOthers: others.changedRows)
                    switch try decider.decide(sent, verdict: nil, find: find) {
                    case .known(let outcome), .made(let outcome, _, _): return .success(outcome)
                    case .entryIsFull: throw .error(EffectRecorder.tooMuch(decider.mostBytes))
                    }
                } catch {
                    switch error {
                    case .verdict(let verdict):
                        return .success(Outcome(revision: 0, time: time, verdict: verdict))
                    case .error(let error): throw error
                    }
                }
            }
        } catch {
            return .failure(error)
        }
    }

    /// What was carried out before is known whatever became of the tables; nothing else is done.
    private func answerWithoutTables(
        _ batch: [SentCommand], at time: Int64
    ) throws(ValetError) -> [CommandResult] {
        batch.map { sent in
            Result { () throws(ValetError) in
                guard let known = try decider.knownOutcome(of: sent, at: time) else {
                    throw SentCommand.catalogChanged
                }
                return known
            }
        }
    }
}
