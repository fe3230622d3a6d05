import Synchronization
import ValetArrangement
import ValetModel
import ValetStore

/// Aggregates on their way: first they wait for their columns, then they are computed.
struct Aggregation: Sendable {
    fileprivate let ticket: UInt64
    fileprivate let owner: WorkOwner
    fileprivate let work: ListWork
}

extension KeptList {
    typealias AggregateAnswer = @Sendable (Result<Aggregates, ValetError>) -> Void

    /// Calls `answer` once the aggregates are computed, or with an error.
    ///
    /// - Returns: what `abandon` takes.
    func aggregate(
        _ question: AggregateQuestion, for owner: WorkOwner, _ answer: @escaping AggregateAnswer
    ) -> Aggregation {
        let work = ListWork()
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.answers[state.lastTicket] = { [self] result in
                if case .failure(let error) = result { return answer(.failure(error)) }
                let place = builders.submit(for: owner) { [self] reader in
                    guard !work.isCancelled.load(ordering: .relaxed) else { return }
                    answer(aggregates(question, work, reader))
                }
                work.place.withLock { $0 = place }
            }
            return state.lastTicket
        }
        let columns = Set(question.measures.map(\.column))
        perform { state in
            let waiter = ListKeeper.Waiter(ticket: ticket, owner: owner)
            return state.keeper.columnsAsked(columns, by: waiter, at: .now())
        }
        return Aggregation(ticket: ticket, owner: owner, work: work)
    }

    /// Cancels the computation. Its answer is not called any more, unless it is on its way.
    func abandon(_ aggregation: Aggregation) {
        aggregation.work.isCancelled.store(true, ordering: .relaxed)
        perform { state in
            state.answers[aggregation.ticket] = nil
            return state.keeper.columnsLeft(ticket: aggregation.ticket)
        }
        if let place = aggregation.work.place.withLock({ $0 }) {
            builders.leave(place, aggregation.owner)
        }
    }

    /// The newest snapshot may already be older than the next one when this ends: windows go on.
    private func aggregates(
        _ question: AggregateQuestion, _ work: ListWork, _ reader: Result<Reader, ValetError>
    ) -> Result<Aggregates, ValetError> {
        let isCancelled = { [builders] in
            work.isCancelled.load(ordering: .relaxed) || builders.isStopping
        }
        do throws(ValetError) {
            // It needs no reader, but without one the server is shutting down.
            _ = try reader.get()
            let (newest, description) = state.withLock {
                ($0.keeper.snapshot, $0.keeper.description)
            }
            guard let snapshot = newest,
                let arrangement = snapshot.arrangements[question.specification],
                question.measures.allSatisfy({ snapshot.cache.columns[$0.column] != nil })
            else { throw Session.unarranged(description) }
            return .success(
                try question.aggregates(
                    of: arrangement, in: snapshot, isCancelled: isCancelled))
        } catch {
            return .failure(error)
        }
    }
}

extension AggregateQuestion {
    fileprivate func aggregates(
        of arrangement: Arrangement, in snapshot: Snapshot, isCancelled: () -> Bool
    ) throws(ValetError) -> Aggregates {
        func rows(_ range: Range<Int>) throws(ValetError) -> Aggregates.Rows {
            do {
                let values = try arrangement.aggregates(
                    measures, over: range, in: snapshot.cache, isCancelled: isCancelled)
                return Aggregates.Rows(count: range.count, values: values.map(Self.cut))
            } catch {
                throw ValetError(.superseded, "nothing waits for it any more")
            }
        }
        var found: [Aggregates.Section] = []
        for section in sections {
            guard let range = arrangement.rows(ofSection: section) else { continue }
            found.append(Aggregates.Section(section: section, rows: try rows(range)))
        }
        return Aggregates(
            revision: snapshot.revision, sectionsVersion: arrangement.sectionsVersion,
            allRows: wantsAllRows ? try rows(0..<arrangement.rowCount) : nil, sections: found)
    }

    private static func cut(_ value: AggregateValue) -> AggregateValue {
        guard case .cell(let cell) = value else { return value }
        return .cell(cell.cut(toBytes: Limits.bytesPerPageText))
    }
}
