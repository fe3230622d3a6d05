import ValetArrangement
import ValetModel

/// One page of a ranking, and the revision that it is of.
struct RankedSections: Equatable, Sendable {
    let revision: UInt64
    let sections: [SectionSummary]
}

/// Sections by their numbers of rows: ranked and paged on the pool's threads, since a list may have
/// ten million sections.
extension KeptList {
    /// Calls `answer` with sections of the newest snapshot; after `abandon`, perhaps not.
    func rank(
        _ order: RankOrder, for owner: WorkOwner,
        _ answer: @escaping @Sendable (Result<RankedSections, ValetError>) -> Void
    ) -> ListWork {
        let work = ListWork()
        let place = builders.submit(for: owner) { [self] reader in
            do throws(ValetError) {
                // It needs no reader, but without one the server is shutting down.
                _ = try reader.get()
                answer(.success(try sections(for: order, work)))
            } catch {
                answer(.failure(error))
            }
        }
        work.place.withLock { $0 = place }
        return work
    }

    /// Nobody waits for the ranking any more.
    func abandon(_ ranking: ListWork, of owner: WorkOwner) {
        ranking.isCancelled.store(true, ordering: .relaxed)
        if let place = ranking.place.withLock({ $0 }) { builders.leave(place, owner) }
    }

    private func sections(
        for order: RankOrder, _ work: ListWork
    ) throws(ValetError) -> RankedSections {
        let keeper = keeper
        guard let snapshot = keeper.snapshot,
            let arrangement = snapshot.arrangements[order.specification]
        else { throw Session.unarranged(keeper.description) }
        let rows = ArrangedRows(
            cache: snapshot.cache, arrangement: arrangement, titles: order.titles)
        return RankedSections(
            revision: snapshot.revision,
            sections: rows.sections(
                ranked: try ranking(of: arrangement, work), from: order.firstRank,
                count: order.mostSections))
    }

    /// The last one if it still holds, so that its next page takes no ranking.
    private func ranking(
        of arrangement: Arrangement, _ work: ListWork
    ) throws(ValetError) -> SectionRanking {
        if let last = lastRanking.withLock({ $0 }), last.version == arrangement.version {
            return last
        }
        let ranking: SectionRanking
        do {
            ranking = try SectionRanking(of: arrangement) { [builders] in
                work.isCancelled.load(ordering: .relaxed) || builders.isStopping
            }
        } catch {
            throw ValetError(.superseded, "nothing waits for it any more")
        }
        lastRanking.withLock { $0 = ranking }
        return ranking
    }
}
