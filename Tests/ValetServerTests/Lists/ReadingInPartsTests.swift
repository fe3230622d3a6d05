import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetStore

import struct Synchronization.Atomic

@testable import ValetServer

/// A list that is read in many short transactions, while this process and another program commit
/// between them.
@Suite(.timeLimit(.minutes(5))) struct ReadingInPartsTests {
    @Test(arguments: 0..<8, [1, 2])
    func aReadingBesideCommitsHasWhatSQLiteFinds(run: Int, threads: Int) async throws {
        let seed = runSeed &+ UInt64(run)
        let file = try BusyFile(seed: seed, hasOthers: run % 2 == 1)
        let pool = try ReaderPool(database: file.database, threadCount: threads)
        let description = file.database.catalog.lists[0]
        let loader = ListLoader(list: 0, description: description)
        var numbers = SeededNumbers(seed: seed)
        var keeper = ListKeeper(description: description, numbers: LeafNumbers())
        let waiter = ListKeeper.Waiter(ticket: 1, owner: .server)
        var actions = keeper.asked(.cars(), by: waiter, at: .now())
        var mixed = 0
        while !actions.isEmpty {
            switch actions.removeFirst() {
            case .read(let reading):
                // What is committed is heard while it is read, or after.
                let hearing = Mutex((keeper: keeper, actions: [KeeperAction]()))
                let hasLooked = Atomic(false)
                let recorder = ListLoader.Recorder(
                    begin: { hearing.withLock { $0.keeper.readingBegan(reading.number) } },
                    looked: { revision in
                        hasLooked.store(true, ordering: .sequentiallyConsistent)
                        file.passBegins()
                        hearing.withLock { $0.keeper.readingLooked(reading.number, at: revision) }
                    })
                let loaded = await loader.load(
                    Self.columns, isAtOnce: reading.isAtOnce, on: pool, recorder: recorder
                ) {
                    // What is committed before its first part is in all of them.
                    guard hasLooked.load(ordering: .sequentiallyConsistent) else { return false }
                    file.commitNowAndThen()
                    hearing.withLock { heard in
                        for event in file.takeEvents(all: false) {
                            heard.actions += event.take(to: &heard.keeper)
                        }
                    }
                    return false
                }
                keeper = hearing.withLock(\.keeper)
                actions += hearing.withLock(\.actions)
                if (try? loaded.get().isMixed) == true { mixed += 1 }
                let events = file.takeEvents(all: true)
                let heard = numbers.below(events.count + 1)
                for event in events[..<heard] { actions += event.take(to: &keeper) }
                actions += keeper.readingEnded(
                    reading.number, loaded.map { .whole($0) }, at: .now())
                for event in events[heard...] { actions += event.take(to: &keeper) }
            case .catchUp(let number):
                guard case .newcomer(let snapshot, let missed)? = keeper.catchUpBegan(number)
                else { continue }
                actions += keeper.newcomerCaughtUp(
                    number, snapshot.catchingUp(with: missed, revision: snapshot.revision),
                    at: .now())
            case .build(let number, _):
                guard let (specification, start) = keeper.buildBegan(number) else { continue }
                actions += keeper.buildEnded(
                    number, .success(try start.building(specification)), at: .now())
            case .publish, .answer, .join, .leave, .cancel, .compact: break
            case .fail(let error): throw error
            }
            // It rests after another program's commit.
            if actions.isEmpty, keeper.isOutdated { actions = keeper.read(at: .distantFuture) }
        }
        await pool.stop()
        let snapshot = try #require(keeper.snapshot)
        snapshot.checkInvariants()
        #expect(snapshot.arrangements[.cars()] != nil && !keeper.isOutdated)
        #expect(try snapshot.revision == file.database.watch.look())
        let order = try #require(snapshot.arrangements[.cars()]).order
        var cars: [Int64: Int64] = [:]
        for place in 0..<snapshot.cache.rowCount {
            let slot = order.slot(at: place)
            guard case .integer(let year) = snapshot.cache.column(3)[slot] else { continue }
            cars[snapshot.cache.rowID(of: slot)] = year
        }
        #expect(try cars == file.rows(), "VALET_SEED=\(runSeed), run \(run)")
        #expect(run % 2 == 1 || mixed > 0, "without another program it was read in parts")
    }

    /// One commit of another program does not make a long transaction of it.
    @Test(arguments: [1, 2])
    func aReadingThatAnotherProgramEndsIsBegunAgainInParts(threads: Int) async throws {
        let file = try BusyFile(seed: 1, hasOthers: false)
        let pool = try ReaderPool(database: file.database, threadCount: threads)
        let loader = ListLoader(list: 0, description: file.database.catalog.lists[0])
        let looks = Atomic(0)
        let hasChanged = Atomic(false)
        let recorder = ListLoader.Recorder(
            looked: { _ in looks.add(1, ordering: .sequentiallyConsistent) })
        let loaded = try await loader.load(Self.columns, on: pool, recorder: recorder) {
            switch looks.load(ordering: .sequentiallyConsistent) {
            case 1 where !hasChanged.exchange(true, ordering: .sequentiallyConsistent):
                file.commitOfAnotherProgram()
            // What this process commits is seen in parts alone.
            case 2: file.commitNowAndThen()
            default: break
            }
            return false
        }.get()
        await pool.stop()
        #expect(looks.load(ordering: .sequentiallyConsistent) == 2)
        #expect(loaded.isMixed)
    }

    private static let columns = [0, 1, 2, 3]
}

/// A file whose writer commits random changes while it is read, as another program may.
private final class BusyFile: Sendable {
    enum Event {
        case committed([RowChange], UInt64)
        case others(UInt64)

        func take(to keeper: inout ListKeeper) -> [KeeperAction] {
            switch self {
            case .committed(let changes, let revision):
                keeper.committed(changes, revision: revision, at: .now())
            case .others(let revision): keeper.rowsUnknown(revision, at: .now())
            }
        }
    }

    private struct State {
        let writer: Writer
        let sender: WriterID
        var numbers: SeededNumbers
        var events: [Event] = []
        var commands: UInt64 = 0
        /// Of the pass over the rows that is under way.
        var chances = 0
        /// What the last command touched.
        var lastRow: Int64 = 1
    }

    private static let station = Station(name: "Anna", id: StationID(high: 0, low: 1))
    private static let rowCount = 700
    private static let mostCommits = 40
    let database: Database
    private let folder = TemporaryFolder()
    private let path: String
    private let hasOthers: Bool
    private let state: Mutex<State>

    init(seed: UInt64, hasOthers: Bool) throws {
        path = try folder.database(
            """
            PRAGMA journal_mode = wal;
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, model TEXT, year INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 2 FROM n
                WHERE i < \(2 * Self.rowCount))
            INSERT INTO cars SELECT i, 'make', 'model', i FROM n;
            """)
        var budgets = Budgets()
        budgets.part = .zero
        database = try Database(path: path, budgets: budgets)
        let writer = try Writer(of: database, address: "test")
        let sender = writer.newWriter(for: Self.station, at: 1)
        self.hasOthers = hasOthers
        state = Mutex(State(writer: writer, sender: sender, numbers: SeededNumbers(seed: seed)))
        try state.withLock { try Self.commit(&$0) }
        _ = takeEvents(all: true)
    }

    /// - Parameter all: else some of them, in order.
    func takeEvents(all: Bool) -> [Event] {
        state.withLock { state in
            let count = all ? state.events.count : state.numbers.below(state.events.count + 1)
            defer { state.events.removeFirst(count) }
            return Array(state.events.prefix(count))
        }
    }

    /// The years of the rows, by id.
    func rows() throws -> [Int64: Int64] {
        let ids = try TemporaryFolder.integers(in: path, "SELECT id FROM cars ORDER BY id")
        let years = try TemporaryFolder.integers(in: path, "SELECT year FROM cars ORDER BY id")
        return Dictionary(uniqueKeysWithValues: zip(ids, years))
    }

    func passBegins() {
        state.withLock { $0.chances = 0 }
    }

    func commitNowAndThen() {
        state.withLock { state in
            state.chances += 1
            let isAtWill = state.commands < Self.mostCommits
            // Each pass has commits between its parts, however many an earlier one had.
            guard state.chances <= 8 || isAtWill && state.numbers.below(4) == 0 else { return }
            do {
                if hasOthers, isAtWill, state.numbers.below(6) == 0 {
                    try changeByAnotherProgram(&state)
                }
                try Self.commit(&state)
            } catch {
                Issue.record(error)
            }
        }
    }

    func commitOfAnotherProgram() {
        state.withLock { state in
            do {
                try changeByAnotherProgram(&state)
            } catch {
                Issue.record(error)
            }
        }
    }

    private func changeByAnotherProgram(_ state: inout State) throws {
        // Often the row that this process has changed last.
        let any = Int64(1 + state.numbers.below(2 * Self.rowCount))
        let id = state.numbers.below(2) == 0 ? any : state.lastRow
        try TemporaryFolder.change(
            path, "INSERT OR REPLACE INTO cars VALUES (\(id), 'other', 'program', -\(id))")
        state.events.append(.others(try database.watch.look()))
    }

    private static func commit(_ state: inout State) throws {
        state.commands += 1
        let rowID = Int64(1 + state.numbers.below(2 * rowCount))
        state.lastRow = rowID
        let value = Cell.integer(Int64(state.numbers.below(1_000)))
        let change: Change =
            switch state.numbers.below(4) {
            case 0: .delete(rowID)
            case 1: .insert([[ColumnValue(column: 3, value: value)]])
            case 2: .insert([.integer(rowID | 1), .null, .null, value])
            default: .set(rowID, 3, value)
            }
        let name = CommandName(writer: state.sender, number: state.commands)
        let command = SentCommand(Command(name: name, list: "cars", change: change), from: station)
        var events: [Event] = []
        let results = state.writer.commit(
            [command], at: 1,
            didCommit: { batch in
                let changes = batch.commands.flatMap(\.effects).flatMap(\.changes)
                events.append(.committed(changes, batch.revision))
            })
        state.events += events
        _ = try results[0].get()
    }
}
