import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// A survey on its way: first it waits for its columns, then for a thread.
struct PendingSurvey: Sendable {
    fileprivate let ticket: UInt64
    fileprivate let owner: WorkOwner
    fileprivate let work: ListWork
}

/// Surveys are made on the pool's threads, since a list may have ten million rows and sections.
extension KeptList {
    typealias SurveyAnswer = @Sendable (Result<Survey, ValetError>) -> Void

    /// Calls `answer` with what the newest snapshot has, or with an error.
    ///
    /// - Returns: what `abandon` takes.
    func survey(
        _ order: SurveyOrder, for owner: WorkOwner, _ answer: @escaping SurveyAnswer
    ) -> PendingSurvey {
        let work = ListWork()
        let ticket = nextTicket()
        let surveyed: Answer = { [self] result in
            if case .failure(let error) = result {
                surveyEnded(ticket)
                return answer(.failure(error))
            }
            guard !work.isCancelled.isSet else { return }
            let place = builders.submit(for: owner) { [self] reader in
                guard !work.isCancelled.isSet else { return }
                answer(survey(order, work, reader))
                surveyEnded(ticket)
            }
            work.place.withLock { $0 = place }
        }
        guard order.pin == nil else {
            surveyed(.success(Times()))
            return PendingSurvey(ticket: ticket, owner: owner, work: work)
        }
        post { state in
            state.pending[ticket] = (PendingArrangement(ticket: ticket), surveyed)
            state.surveyed[ticket] = order.subject.columns
            state.lastUsed = .now()
            let waiter = ListKeeper.Waiter(ticket: ticket, owner: owner)
            return state.keeper.columnsAsked(order.subject.columns, by: waiter, at: .now())
        }
        return PendingSurvey(ticket: ticket, owner: owner, work: work)
    }

    /// Cancels the survey. Its answer is not called any more, unless it is on its way.
    func abandon(_ survey: PendingSurvey) {
        survey.work.isCancelled.set()
        post { state in
            state.pending[survey.ticket] = nil
            state.surveyed[survey.ticket] = nil
            return state.keeper.columnsLeft(ticket: survey.ticket)
        }
        if let place = survey.work.place.withLock({ $0 }) { builders.leave(place, survey.owner) }
    }

    /// Its columns may be given up.
    private func surveyEnded(_ ticket: UInt64) {
        post { state in
            state.surveyed[ticket] = nil
            return []
        }
    }

    private func survey(
        _ order: SurveyOrder, _ work: ListWork, _ reader: Result<Reader, ValetError>
    ) -> Result<Survey, ValetError> {
        let isCancelled = isOver(work)
        return Result { () throws(ValetError) in
            // It needs no reader, but without one the server is shutting down.
            _ = try reader.get()
            let columns = order.subject.columns
            let pinned = try order.pin.map { pin throws(ValetError) in
                try pin.snapshot(with: columns, isCancelled: isCancelled)
            }
            guard let snapshot = pinned ?? self.snapshot,
                let arrangement = snapshot.arrangements[order.specification],
                snapshot.cache.has(columns)
            else { throw Session.unarranged(loader.description.name) }
            switch order.subject {
            case .ranking(let page):
                let ranking = try ranking(of: arrangement, isCancelled: isCancelled)
                let rows = ArrangedRows(
                    cache: snapshot.cache, arrangement: arrangement, titles: page.titles)
                let sections = rows.sections(
                    ranked: ranking, from: page.firstRank, count: page.mostSections)
                return .ranking(revision: snapshot.revision, sections)
            case .aggregates(let query):
                return .aggregates(
                    try query.aggregates(of: arrangement, in: snapshot, isCancelled: isCancelled))
            }
        }
    }

    /// The last one if it still holds, so that its next page takes no ranking.
    private func ranking(
        of arrangement: Arrangement, isCancelled: () -> Bool
    ) throws(ValetError) -> SectionRanking {
        if let last = lastRanking.withLock({ $0 }), last.version == arrangement.version {
            return last
        }
        let ranking = try unlessCancelled { () throws(CancellationError) in
            try SectionRanking(of: arrangement, isCancelled: isCancelled)
        }
        lastRanking.withLock { $0 = ranking }
        return ranking
    }
}

/// Turns a cancellation into an error that nobody sees, since nobody waits.
private func unlessCancelled<Found>(
    _ work: () throws(CancellationError) -> Found
) throws(ValetError) -> Found {
    do {
        return try work()
    } catch {
        throw .abandoned
    }
}

extension SurveyOrder.Subject {
    /// Columns that must be in memory, beside those of the arrangement.
    fileprivate var columns: Set<Int> {
        switch self {
        case .ranking: []
        case .aggregates(let query): Set(query.measures.map(\.column))
        }
    }
}

extension AggregateQuery {
    fileprivate func aggregates(
        of arrangement: Arrangement, in snapshot: Snapshot, isCancelled: () -> Bool
    ) throws(ValetError) -> Aggregates {
        func rows(_ range: Range<Int>) throws(ValetError) -> Aggregates.Rows {
            let values = try unlessCancelled { () throws(CancellationError) in
                try arrangement.aggregates(
                    measures, over: range, in: snapshot.cache, isCancelled: isCancelled)
            }
            return Aggregates.Rows(count: range.count, values: values.map(Self.cut))
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
