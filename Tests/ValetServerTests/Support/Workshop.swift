import Dispatch
import Synchronization
import TestSupport
import ValetArrangement
import ValetModel
import ValetStore

@testable import ValetServer

/// A list keeper whose only builder thread a test can hold still, with everything that it says.
final class Workshop: Sendable {
    enum Heard: Equatable {
        /// With the number of arrangements.
        case published(Int)
        case built(String)
        case failed(String, ErrorCode)
    }

    let folder: TemporaryFolder
    let keeper: ListKeeper
    let builders: ReaderPool
    private let ears: Ears
    private let gate = DispatchSemaphore(value: 0)

    private final class Ears: Sendable {
        let heard = Mutex<[Heard]>([])
        let newest = Mutex<ListKeeper.Published?>(nil)

        func take(_ published: ListKeeper.Published) {
            heard.withLock { $0.append(.published(published.snapshot.arrangements.count)) }
            newest.withLock {
                if $0.map({ $0.version < published.version }) ?? true { $0 = published }
            }
        }
    }

    init(_ folder: TemporaryFolder, path: String, threads: Int = 1) throws {
        self.folder = folder
        let database = try Database(path: path)
        builders = try ReaderPool(database: database, threadCount: threads)
        let ears = Ears()
        self.ears = ears
        keeper = ListKeeper(
            list: 0, description: database.catalog.lists[0], builders: builders,
            numbers: LeafNumbers()
        ) { _, published in ears.take(published) }
    }

    convenience init(rows: Int = 300, threads: Int = 1) throws {
        let folder = TemporaryFolder()
        try self.init(folder, path: folder.cars(rows), threads: threads)
    }

    /// What was heard since the last time.
    func heard() -> [Heard] {
        ears.heard.withLock { heard in
            defer { heard = [] }
            return heard
        }
    }

    var newest: Snapshot? { ears.newest.withLock { $0?.snapshot } }

    /// Asks under a name that `heard` gives back.
    func arrange(_ name: String, _ specification: ArrangementSpecification) -> UInt64? {
        let ears = ears
        return keeper.arrange(specification) { result in
            ears.heard.withLock {
                switch result {
                case .success: $0.append(.built(name))
                case .failure(let error): $0.append(.failed(name, error.code))
                }
            }
        }
    }

    /// Keeps the builder thread busy until `goOn`.
    func hold() {
        let gate = gate
        builders.submit { _ in gate.wait() }
    }

    func goOn() { gate.signal() }

    /// Waits until no build is queued or under way.
    func settle() async {
        repeat {
            await withCheckedContinuation { continuation in
                builders.submit { _ in continuation.resume() }
            }
        } while keeper.state.withLock { $0.workers > 0 }
    }

    func stop() async { await builders.stop() }
}

extension ArrangementSpecification {
    /// Cars by a column, with any search.
    static func cars(by column: Int = 0, search: String? = nil) -> ArrangementSpecification {
        ArrangementSpecification(
            sectionColumn: column, expression: .wholeValue, rowOrder: [SortKey(column: 1)],
            predicate: search.flatMap {
                Predicate(text: $0, columns: [1], match: .contains, lengths: nil)
            })
    }
}
