import Dispatch
import NIOPosix
import Synchronization
import ValetModel
import ValetStore

/// Threads that read the database, each with a connection of its own.
///
/// The connections are opened at once: one that was opened later, after somebody had put another
/// file in this one's place, would read other rows than the rest.
final class ReaderPool: Sendable {
    let threadCount: Int
    private let threads: NIOThreadPool
    private let readers = ThreadSpecificVariable<Seat>()
    /// Readers that no thread has taken yet.
    private let vacant: Mutex<[Seat]>
    private let stopping = Atomic(false)

    /// A thread's reader. Sendable because `ThreadSpecificVariable` hands it to nobody but the
    /// thread that put it there.
    private final class Seat: @unchecked Sendable {
        let reader: Reader

        init(_ reader: Reader) {
            self.reader = reader
        }
    }

    init(database: Database, threadCount: Int) throws(ValetError) {
        var seats: [Seat] = []
        for _ in 0..<threadCount { seats.append(Seat(try database.makeReader())) }
        vacant = Mutex(seats)
        self.threadCount = threadCount
        threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
    }

    /// Runs `work` on one of the threads; after `stop`, with an error instead of a reader.
    func submit(_ work: @escaping @Sendable (Result<Reader, ValetError>) -> Void) {
        threads.submit { [self] state in
            guard state == .active, let seat = seat() else {
                return work(.failure(ValetError(.shuttingDown, "the server is shutting down")))
            }
            work(.success(seat.reader))
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
            submit { if case .success(let reader) = $0 { shared.takePart(reader) } }
        }
        shared.takePart(reader)
        return try shared.results()
    }

    /// This thread's seat: there is one for each.
    private func seat() -> Seat? {
        if let seat = readers.currentValue { return seat }
        let seat = vacant.withLock { $0.popLast() }
        readers.currentValue = seat
        return seat
    }

    /// Frees a large value on one of the threads: an arrangement of ten million rows takes so long
    /// that an event loop would stand still.
    func free<Value: Sendable>(_ value: consuming Value) {
        let last = LastHolder(value)
        threads.submit { _ in last.letGo() }
    }

    /// Long reads ask, and end.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func stop() async {
        stopping.store(true, ordering: .relaxed)
        try? await threads.shutdownGracefully()
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
