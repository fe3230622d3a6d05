import Dispatch
import NIOPosix
import Synchronization
import ValetModel
import ValetStore

/// Threads that read the database, each with a connection of its own.
///
/// Work is submitted for an owner, and owners take turns by the time that they have used
/// (`FairQueue`). Work for the server itself counts as an owner's, too. Where there are several
/// threads, there is one more, kept free for owners who have used little.
///
/// The connections are opened at once: one that was opened later, after somebody had put another
/// file in this one's place, would read other rows than the rest.
final class ReaderPool: Sendable {
    typealias Work = @Sendable (Result<Reader, ValetError>) -> Void

    /// Without the one that is kept free.
    let threadCount: Int
    private let most: Int
    private let yieldsToLoops: Bool
    private let threads: NIOThreadPool
    private let readers = ThreadSpecificVariable<ThreadReader>()
    private let state: Mutex<State>
    private let stopping = StopFlag()

    fileprivate struct State {
        var queue: FairQueue<Work>
        /// Threads that take work from the queue, or are about to.
        var workers = 0
        /// Readers that no thread has taken yet.
        var vacant: [ThreadReader]
        var isStopped = false
    }

    /// A thread's reader, and for whom it works. Sendable because `ThreadSpecificVariable` gives
    /// it to nobody but the thread that put it there.
    fileprivate final class ThreadReader: @unchecked Sendable {
        let reader: Reader
        /// For whom it works now.
        var owner = WorkOwner.server

        init(_ reader: Reader) {
            self.reader = reader
        }
    }

    /// - Parameter yieldsToLoops: for work so long that event loops should not wait for it.
    init(
        database: Database, threadCount: Int, yieldsToLoops: Bool = false
    ) throws(ValetError) {
        self.yieldsToLoops = yieldsToLoops
        var readers: [ThreadReader] = []
        most = threadCount > 1 ? threadCount + 1 : threadCount
        for _ in 0..<most {
            let reader = try database.makeReader(isStopping: { [stopping] in stopping.isSet })
            readers.append(ThreadReader(reader))
        }
        state = Mutex(
            State(queue: FairQueue(mostOfHeavy: threadCount), vacant: readers))
        self.threadCount = threadCount
        threads = NIOThreadPool(numberOfThreads: most)
        threads.start()
    }

    /// Runs `work` on one of the threads when its owner has its turn; after `stop`, with an error
    /// instead of a reader.
    ///
    /// Whoever shares work with others calls `join` and `leave` for each owner that comes to wait
    /// for it or no longer does: work that is still waiting when its last owner leaves is dropped,
    /// and its closure is never called.
    @discardableResult
    func submit(for owner: WorkOwner = .server, _ work: @escaping Work) -> WorkNumber? {
        let (number, startsWorker) = state.withLock { state -> (WorkNumber?, Bool) in
            guard !state.isStopped else { return (nil, false) }
            let number = state.queue.add(work, for: owner)
            guard state.workers < most else { return (number, false) }
            state.workers += 1
            return (number, true)
        }
        if number == nil { work(.failure(Self.shuttingDown)) }
        if startsWorker { threads.submit { [self] in workThroughQueue($0) } }
        return number
    }

    /// Another owner waits for the work; nothing happens if it has ended.
    func join(_ number: WorkNumber, _ owner: WorkOwner) {
        state.withLock { $0.queue.join(number, owner) }
    }

    func leave(_ number: WorkNumber, _ owner: WorkOwner) {
        state.withLock { $0.queue.leave(number, owner) }
    }

    private func workThroughQueue(_ pool: NIOThreadPool.WorkItemState) {
        guard pool == .active, let thread = thread() else { return failAll() }
        while let next = state.withLock({ $0.takeWork() }) {
            thread.owner = next.owner
            next.work(.success(thread.reader))
            state.withLock { $0.queue.ended(next.number, at: .now()) }
        }
    }

    /// Runs `work` for each part, on this thread and on those that are free meanwhile, and returns
    /// when all have ended. What no other thread has taken is done here: nobody waits for a thread
    /// that is busy, and two who share work with each other can't stand still.
    ///
    /// - Parameter reader: this thread's.
    func share<Value: Sendable>(
        parts: Int, with reader: Reader,
        _ work: @escaping @Sendable (Int, Reader) throws(ValetError) -> Value
    ) throws(ValetError) -> [Value] {
        let shared = SharedWork(parts: parts, work)
        for _ in 1..<max(1, min(parts, threadCount)) {
            submit(for: readers.currentValue?.owner ?? .server) {
                if case .success(let reader) = $0 { shared.takePart(reader) }
            }
        }
        shared.takePart(reader)
        return try shared.results()
    }

    /// What belongs to this thread: there is one for each.
    private func thread() -> ThreadReader? {
        if let known = readers.currentValue { return known }
        if yieldsToLoops { ThreadPriority.lower() }
        let new = state.withLock { $0.vacant.popLast() }
        readers.currentValue = new
        return new
    }

    /// Frees a large value on one of the threads: an arrangement of ten million rows takes so long
    /// that an event loop would stand still.
    func free<Value: Sendable>(_ value: consuming Value) {
        let last = LastHolder(value)
        submit { _ in last.letGo() }
    }

    /// Long reads ask, and end.
    var isStopping: Bool { stopping.isSet }

    /// Ends what waits and what runs, without waiting for it.
    func endWork() {
        stopping.set()
        failAll()
    }

    /// Returns when all threads have ended.
    func stop() async {
        endWork()
        try? await threads.shutdownGracefully()
    }

    /// Ends what waits; nothing can be submitted any more.
    private func failAll() {
        let waiting = state.withLock { state in
            state.isStopped = true
            return state.queue.removeAll()
        }
        for work in waiting { work(.failure(Self.shuttingDown)) }
    }

    private static var shuttingDown: ValetError {
        ValetError(.shuttingDown, "the server is shutting down")
    }
}

extension ReaderPool.State {
    /// nil when nothing waits: then the worker ends.
    fileprivate mutating func takeWork() -> FairQueue<ReaderPool.Work>.Turn? {
        if let next = queue.next(at: .now()) { return next }
        workers -= 1
        return nil
    }
}

/// Shared with the readers, which ask it all the time and end their work.
private final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() {
        flag.store(true, ordering: .relaxed)
    }
}

/// Work in parts that several threads take from.
private final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var next = 0
        var results: [Result<Value, ValetError>?]
    }

    private let work: @Sendable (Int, Reader) throws(ValetError) -> Value
    private let state: Mutex<State>
    /// Parts that were taken and have not ended.
    private let taken = DispatchGroup()

    init(parts: Int, _ work: @escaping @Sendable (Int, Reader) throws(ValetError) -> Value) {
        self.work = work
        state = Mutex(State(results: Array(repeating: nil, count: parts)))
    }

    func takePart(_ reader: Reader) {
        while let part = next() {
            let result: Result<Value, ValetError>
            do throws(ValetError) {
                result = .success(try work(part, reader))
            } catch {
                result = .failure(error)
            }
            state.withLock { state in
                state.results[part] = result
                // One failure fails the whole: what nobody has begun with is left.
                if case .failure = result { state.next = state.results.count }
            }
            taken.leave()
        }
    }

    private func next() -> Int? {
        state.withLock { state in
            guard state.next < state.results.count else { return nil }
            defer { state.next += 1 }
            taken.enter()
            return state.next
        }
    }

    /// Waits for the parts that others have taken. Afterwards nothing is left here, since threads
    /// that come too late may hold this for long.
    func results() throws(ValetError) -> [Value] {
        taken.wait()
        let results = state.withLock { state in
            defer { (state.results, state.next) = ([], 0) }
            return state.results
        }
        for case .failure(let error)? in results { throw error }
        return results.map { result in
            guard case .success(let value)? = result else { preconditionFailure("a part is open") }
            return value
        }
    }
}

/// Holds a value until one thread lets go of it.
private final class LastHolder<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) {
        self.value = Mutex(value)
    }

    func letGo() {
        // Moved out of the lock first, so that nobody could wait for the freeing.
        let value = value.withLock { $0.take() }
        withExtendedLifetime(value) {}
    }
}
