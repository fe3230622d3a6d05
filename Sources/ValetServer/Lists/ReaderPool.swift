import Dispatch
import NIOPosix
import ValetModel
import ValetStore

import struct Synchronization.Atomic

/// Threads that read the database, each with its own connection.
///
/// Work is submitted for an owner, and owners take turns by the time they have used (`FairQueue`);
/// the server itself is an owner, too. A pool of several threads has one more, which is reserved
/// for light owners.
///
/// All connections are opened at the start: one opened later could open another file, if the
/// database had been replaced meanwhile.
final class ReaderPool: Sendable {
    typealias Work = @Sendable (Result<Reader, ValetError>) -> Void

    /// Without the reserved thread.
    let threadCount: Int
    private let most: Int
    private let yieldsToLoops: Bool
    private let threads: NIOThreadPool
    /// One for all pools, since a process can have about a thousand of these, and each thread is
    /// of one pool.
    private static let readers = ThreadSpecificVariable<ThreadReader>()
    private let state: Mutex<State>
    private let stopping = StopFlag()

    private struct State {
        var queue: FairQueue<Work>
        /// Threads that take work from the queue, or will as soon as they start.
        var workers = 0
        /// Readers that no thread has taken yet.
        var vacant: [ThreadReader]
        var isStopped = false
    }

    /// A thread's reader and the owner of its current work. Sendable because only that thread uses
    /// it: it is stored in a `ThreadSpecificVariable`.
    private final class ThreadReader: @unchecked Sendable {
        let reader: Reader
        /// The owner of the current work.
        var owner = WorkOwner.server

        init(_ reader: Reader) {
            self.reader = reader
        }
    }

    /// - Parameter yieldsToLoops: lowers the threads' priority below that of the event loops.
    init(database: Database, threadCount: Int, yieldsToLoops: Bool = false) throws(ValetError) {
        self.yieldsToLoops = yieldsToLoops
        var readers: [ThreadReader] = []
        most = threadCount > 1 ? threadCount + 1 : threadCount
        for _ in 0..<most {
            let reader = try database.makeReader(isStopping: { [stopping] in stopping.isSet })
            readers.append(ThreadReader(reader))
        }
        state = Mutex(State(queue: FairQueue(mostOfHeavy: threadCount), vacant: readers))
        self.threadCount = threadCount
        threads = NIOThreadPool(numberOfThreads: most)
        threads.start()
    }

    /// Runs `work` on one of the threads when its owner has its turn; after `endWork`, with an
    /// error instead of a reader.
    ///
    /// Owners can be added by `join` and removed by `leave`. Queued work whose last owner leaves is
    /// dropped without calling its closure.
    @discardableResult
    func submit(for owner: WorkOwner = .server, _ work: @escaping Work) -> WorkNumber? {
        let (number, startsWorker) = state.withLock { state -> (WorkNumber?, Bool) in
            guard !state.isStopped else { return (nil, false) }
            let number = state.queue.add(work, for: owner)
            guard state.workers < most else { return (number, false) }
            state.workers += 1
            return (number, true)
        }
        if number == nil { work(.failure(.shuttingDown)) }
        if startsWorker { threads.submit { [self] in workThroughQueue($0) } }
        return number
    }

    /// Pieces of work that no thread has begun.
    var queuedCount: Int { state.withLock { $0.queue.count } }

    /// Adds an owner to the work.
    /// - Returns: false if it has ended, or was dropped.
    @discardableResult
    func join(_ number: WorkNumber, _ owner: WorkOwner) -> Bool {
        state.withLock { $0.queue.join(number, owner) }
    }

    func leave(_ number: WorkNumber, _ owner: WorkOwner) {
        state.withLock { $0.queue.leave(number, owner) }
    }

    /// The owner waits for nothing any more: its queued work gets an error instead of a reader,
    /// unless others wait for it, too.
    func left(_ owner: WorkOwner) {
        let dropped = state.withLock { $0.queue.removeAll(of: owner) }
        for work in dropped { work(.failure(.abandoned)) }
    }

    private func workThroughQueue(_ pool: NIOThreadPool.WorkItemState) {
        guard pool == .active, let thread = thread() else { return failAll() }
        while let next = takeWork() {
            thread.owner = next.owner
            next.work(.success(thread.reader))
            state.withLock { $0.queue.ended(next.number, at: .now()) }
        }
    }

    /// nil when no work may run now: the worker then ends.
    private func takeWork() -> FairQueue<Work>.Turn? {
        state.withLock { state in
            if let next = state.queue.next(at: .now()) { return next }
            state.workers -= 1
            return nil
        }
    }

    /// Runs `work` for each part, on this thread and on any that are free meanwhile, and returns
    /// when all parts have ended. Parts that no other thread takes run here, so that this never
    /// waits for a busy thread, and two calls can't deadlock.
    ///
    /// - Parameter reader: the calling thread's.
    func share<Value: Sendable>(
        parts: Int, with reader: Reader,
        _ work: @escaping @Sendable (Int, Reader) throws(ValetError) -> Value
    ) throws(ValetError) -> [Value] {
        let shared = SharedWork(parts: parts, work)
        for _ in 1..<max(1, min(parts, threadCount)) {
            submit(for: Self.readers.currentValue?.owner ?? .server) {
                if case .success(let reader) = $0 { shared.takePart(reader) }
            }
        }
        shared.takePart(reader)
        return try shared.results()
    }

    /// The calling thread's reader, assigned at first use.
    private func thread() -> ThreadReader? {
        if let known = Self.readers.currentValue { return known }
        if yieldsToLoops { ThreadPriority.low.take() }
        let new = state.withLock { $0.vacant.popLast() }
        Self.readers.currentValue = new
        return new
    }

    /// Releases a large value on one of the threads: freeing an arrangement of ten million rows
    /// would block an event loop.
    func free<Value: Sendable>(_ value: consuming Value) {
        let reference = LastReference(value)
        submit { _ in reference.release() }
    }

    /// Long reads poll this.
    var isStopping: Bool { stopping.isSet }

    /// Fails queued work and cancels running work, without waiting for it.
    func endWork() {
        stopping.set()
        failAll()
    }

    /// Returns when all threads have ended.
    func stop() async {
        endWork()
        try? await threads.shutdownGracefully()
        state.withLock { $0.vacant = [] }
    }

    /// Fails queued work, and all work that is submitted later.
    private func failAll() {
        let waiting = state.withLock { state in
            state.isStopped = true
            return state.queue.removeAll()
        }
        for work in waiting { work(.failure(.shuttingDown)) }
    }
}

/// Polled by long work, which then ends.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() {
        flag.store(true, ordering: .relaxed)
    }
}

/// Work in parts, which several threads take one by one.
private final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var next = 0
        var results: [Result<Value, ValetError>?]
    }

    private let work: @Sendable (Int, Reader) throws(ValetError) -> Value
    private let state: Mutex<State>
    /// Parts that are running.
    private let taken = DispatchGroup()

    init(parts: Int, _ work: @escaping @Sendable (Int, Reader) throws(ValetError) -> Value) {
        self.work = work
        state = Mutex(State(results: Array(repeating: nil, count: parts)))
    }

    func takePart(_ reader: Reader) {
        while let part = next() {
            let result = Result { () throws(ValetError) in try work(part, reader) }
            state.withLock { state in
                state.results[part] = result
                // One failure fails the whole: parts that have not begun are skipped.
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

    /// Waits for the running parts. Then clears the state, since the queue may retain this object
    /// until a thread is free.
    func results() throws(ValetError) -> [Value] {
        taken.wait()
        let results = state.withLock { state in
            defer { (state.results, state.next) = ([], 0) }
            return state.results
        }
        for case .failure(let error)? in results { throw error }
        return results.map { result in
            guard case .success(let value)? = result else {
                preconditionFailure("a part has no result")
            }
            return value
        }
    }
}

/// References a value until one thread releases it.
private final class LastReference<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) {
        self.value = Mutex(value)
    }

    func release() {
        // Freed outside of the lock.
        let value = value.withLock { $0.take() }
        withExtendedLifetime(value) {}
    }
}
