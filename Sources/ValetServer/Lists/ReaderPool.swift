import NIOPosix
import ValetModel
import ValetStore

/// Threads that read the database, each with a connection of its own.
final class ReaderPool: Sendable {
    private let database: Database
    private let threads: NIOThreadPool
    private let readers = ThreadSpecificVariable<Seat>()

    /// A thread's reader. Sendable because `ThreadSpecificVariable` hands it to nobody but the thread
    /// that put it there.
    private final class Seat: @unchecked Sendable {
        let reader: Reader

        init(_ reader: Reader) {
            self.reader = reader
        }
    }

    init(database: Database, threadCount: Int) {
        self.database = database
        threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
    }

    /// Runs `work` on one of the threads; after `stop`, with an error instead of a reader.
    func submit(_ work: @escaping @Sendable (Result<Reader, ValetError>) -> Void) {
        threads.submit { [database, readers] state in
            guard state == .active else {
                return work(.failure(ValetError(.shuttingDown, "the server is shutting down")))
            }
            if let seat = readers.currentValue { return work(.success(seat.reader)) }
            do throws(ValetError) {
                let seat = Seat(try database.makeReader())
                readers.currentValue = seat
                work(.success(seat.reader))
            } catch {
                work(.failure(error))
            }
        }
    }

    func stop() async {
        try? await threads.shutdownGracefully()
    }
}
