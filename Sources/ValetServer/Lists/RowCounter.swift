import Synchronization
import ValetModel
import ValetStore

/// Counts the rows of all lists, for catalogs.
///
/// SQLite counts by walking through a table, so one count runs at a time, however many ask: who
/// asks while it runs gets its result. Lists that were read in know their count. Each other list is
/// a piece of work of its own, between which arrangements have their turn. All share one budget,
/// and a list that can't be counted in its part has no count.
final class RowCounter: Sendable {
    typealias Answer = @Sendable (Result<[Int?], ValetError>) -> Void

    private let lists: [KeptList]
    private let builders: ReaderPool
    private let time: Duration
    private let waiting = Mutex<[Answer]>([])

    init(
        lists: [KeptList], builders: ReaderPool,
        time: Duration = .seconds(Limits.secondsOfCounting)
    ) {
        self.lists = lists
        self.builders = builders
        self.time = time
    }

    /// Gives `answer` a count for each list; nil for one that can't be counted now.
    func count(_ answer: @escaping Answer) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(answer)
            return waiting.count == 1
        }
        if isFirst { goOn([], nil) }
    }

    /// - Parameter shared: nil before the first count, since time in the queue is not counted.
    private func goOn(_ known: [Int?], _ shared: SharedTime?) {
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
                goOn(counts + [count(list: counts.count, reader, shared)], shared)
            case .failure(let error): finish(.failure(error))
            }
        }
    }

    private func count(list: Int, _ reader: Reader, _ shared: SharedTime) -> Int? {
        guard let time = shared.part(ofNext: lists.count - list) else { return nil }
        return try? reader.rowCount(list: list, within: time)
    }

    private func finish(_ result: Result<[Int?], ValetError>) {
        let answers = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for answer in answers { answer(result) }
    }
}
