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

    func stop() async {
        try? await threads.shutdownGracefully()
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
