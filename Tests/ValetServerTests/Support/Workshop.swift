import Dispatch
import TestSupport
import ValetArrangement
import ValetModel
import ValetStore

@testable import ValetServer

/// A kept list whose only builder thread a test can hold still, with everything that it says.
final class Workshop: Sendable {
    enum Heard: Equatable {
        /// With the number of arrangements.
        case published(Int)
        case built(String)
        case failed(String, ErrorCode)
        /// The list could not be reloaded.
        case lost(ErrorCode)
    }

    let folder: TemporaryFolder
    let database: Database
    /// All lists of the file; what is said is about the first.
    let lists: [KeptList]
    let builders: ReaderPool
    let publisher: Publisher
    private let ears: Ears
    private let gate = DispatchSemaphore(value: 0)

    init(
        _ folder: TemporaryFolder, path: String, threads: Int = 1,
        room: ArrangedRoom = ArrangedRoom(), memory: MemoryBudget = MemoryBudget()
    ) throws {
        self.folder = folder
        database = try Database(path: path)
        let builders = try ReaderPool(database: database, threadCount: threads)
        let ears = Ears()
        let descriptions = database.catalog.lists
        let publisher = Publisher(listCount: descriptions.count, memory: memory) { ears.hear($0) }
        lists = descriptions.enumerated().map { list, description in
            KeptList(
                list: list, description: description, builders: builders, numbers: LeafNumbers(),
                publisher: publisher, room: room)
        }
        (self.builders, self.publisher, self.ears) = (builders, publisher, ears)
        publisher.serve(lists)
        ears.publications.withLock { $0 = publisher.publications }
    }

    /// Its threads end with it.
    deinit {
        Task { [builders, publisher] in
            await builders.stop()
            await publisher.stop()
        }
    }

    convenience init(
        rows: Int = 300, threads: Int = 1, room: ArrangedRoom = ArrangedRoom(),
        memory: MemoryBudget = MemoryBudget()
    ) throws {
        let folder = TemporaryFolder()
        try self.init(folder, path: folder.cars(rows), threads: threads, room: room, memory: memory)
    }

    private final class Ears: Sendable {
        let heard = Mutex<[Heard]>([])
        let alterations = Mutex(0)
        let publications = Mutex<Publications?>(nil)

        func hear(_ notice: Publisher.Notice) {
            switch notice {
            case .published(_, let altersWindows):
                if altersWindows { alterations.withLock { $0 += 1 } }
                let newest = publications.withLock { $0 }?.snapshot(ofList: 0)
                heard.withLock { $0.append(.published(newest?.arrangements.count ?? 0)) }
            case .failed(_, let error): heard.withLock { $0.append(.lost(error.code)) }
            }
        }
    }

    /// What was heard since the last time.
    func heard() -> [Heard] {
        publisher.settle()
        return ears.heard.withLock { heard in
            defer { heard = [] }
            return heard
        }
    }

    /// How often windows may have become others since the last time.
    func alterations() -> Int {
        publisher.settle()
        return ears.alterations.withLock { exchange(&$0, with: 0) }
    }

    var list: KeptList { lists[0] }
    var keeper: ListKeeper { list.keeper }

    /// What is published.
    var newest: Snapshot? {
        publisher.settle()
        return list.snapshot
    }

    /// One commit, published.
    func commit(_ changes: [RowChange], revision: UInt64) {
        publisher.committed([KeptList.Commit(list: list, changes: changes)], revision: revision)
    }

    /// Asks under a name that `heard` gives back.
    @discardableResult
    func arrange(
        _ name: String, _ specification: ArrangementSpecification, for owner: WorkOwner = .server
    ) -> PendingArrangement {
        let ears = ears
        return list.arrange(specification, for: owner) { result in
            ears.heard.withLock {
                switch result {
                case .success: $0.append(.built(name))
                case .failure(let error): $0.append(.failed(name, error.code))
                }
            }
        }
    }

    /// Asks and waits for the answer.
    func build(_ name: String, _ specification: ArrangementSpecification) async {
        arrange(name, specification)
        await settle()
    }

    /// Asks for all of them at once.
    func build(
        _ specifications: [ArrangementSpecification], for owner: WorkOwner = .server
    ) async {
        for specification in specifications { arrange("", specification, for: owner) }
        await settle()
    }

    /// One after another is shown, and then no more.
    func show(_ specifications: [ArrangementSpecification]) async {
        for specification in specifications {
            await build("", specification)
            list.release(specification)
        }
    }

    /// Keeps the builder thread busy until `goOn`.
    func hold() {
        let gate = gate
        builders.submit { _ in gate.wait() }
    }

    func goOn() { gate.signal() }

    func finish() async {
        goOn()
        await settle()
    }

    /// Waits until no reading or build is queued or under way.
    func settle() async {
        repeat {
            publisher.settle()
            await withCheckedContinuation { continuation in
                builders.submit { _ in continuation.resume() }
            }
        } while keeper.reading != nil || !keeper.builds.isEmpty
    }

    func stop() async {
        await builders.stop()
        await publisher.stop()
    }
}

extension KeptList {
    /// The reading or build that the waiting views of a specification wait for.
    func work(for specification: ArrangementSpecification) -> ListWork? {
        publisher.ask { [self] in state.withLock { $0.work(for: specification) } }
    }
}

extension ListLoader {
    /// Reads columns in on a thread of a pool.
    func load(
        _ columns: [Int], isAtOnce: Bool = false, on pool: ReaderPool, work: ListWork = ListWork(),
        recorder: Recorder = Recorder(), isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async -> Result<Loaded, ValetError> {
        await withCheckedContinuation { done in
            pool.submit { reader in
                let loaded = Result { () throws(ValetError) in
                    try load(
                        columns, isAtOnce: isAtOnce, from: try reader.get(), and: pool,
                        progress: LoadProgress(work), recorder: recorder, isCancelled: isCancelled)
                }
                done.resume(returning: loaded)
            }
        }
    }
}

extension ArrangementSpecification {
    /// Cars by a column, with any search.
    static func cars(
        by column: Int = 0, search: String? = nil,
        sortedBy keys: [SortKey] = [SortKey(column: 1)]
    ) -> ArrangementSpecification {
        ArrangementSpecification(
            sectionColumn: column, expression: .wholeValue, rowOrder: keys,
            filter: search.flatMap {
                TextTest(text: $0, columns: [1], match: .contains).flatMap { Filter([.text($0)]) }
            })
    }
}
