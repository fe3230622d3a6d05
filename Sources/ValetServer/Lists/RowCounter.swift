import ValetModel
import ValetStore

/// Counts the rows of all lists, for catalogs.
///
/// SQLite counts by a pass over the table, so only one count runs at a time, and requests that
/// arrive meanwhile get its result. Lists that were read in know their count. Each other list is a
/// separate piece of work, so that builds can run in between. All lists share one time budget; a
/// list that can't be counted within its part has no count.
final class RowCounter: Sendable {
    typealias Answer = @Sendable (Result<[Int?], ValetError>) -> Void

    private let lists: [KeptList]
    private let builders: ReaderPool
    private let time: Duration
    private let waiting = Mutex<[Answer]>([])

    init(
        lists: [KeptList], builders: ReaderPool, time: Duration = .seconds(Limits.secondsOfCounting)
    ) {
        self.lists = lists
        self.builders = builders
        self.time = time
    }

    /// Calls `answer` with a count for each list; nil for one that can't be counted now.
    func count(_ answer: @escaping Answer) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(answer)
            return waiting.count == 1
        }
        if isFirst { countNext([], nil) }
    }

    /// - Parameter shared: nil before the first count, since the budget excludes the time in the
    ///   queue.
    private func countNext(_ known: [Int?], _ shared: SharedTime?) {
        var counts = known
        while counts.count < lists.count, let rows = lists[counts.count].rowCount {
            counts.append(rows)
        }
        guard counts.count < lists.count else { return finish(.success(counts)) }
        builders.submit { [self, counts] reader in
            switch reader {
            // A list that can't be counted now still has its description.
            case .success(let reader):
                let shared = shared ?? SharedTime(time)
                countNext(counts + [count(list: counts.count, reader, shared)], shared)
            case .failure(let error): finish(.failure(error))
            }
        }
    }

    private func count(list: Int, _ reader: Reader, _ shared: SharedTime) -> Int? {
        guard let time = shared.part(ofNext: lists.count - list) else { return nil }
        return try? reader.rowCount(list: list, within: time)
    }

    private func finish(_ result: Result<[Int?], ValetError>) {
        for answer in waiting.withLock({ exchange(&$0, with: []) }) { answer(result) }
    }
}
