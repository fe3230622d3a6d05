import Dispatch
import NIOPosix
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

@testable import ValetServer

/// A page that is made from the columns in memory is, byte for byte, the one that is read from the
/// file.
@Suite struct PagesFromMemoryTests {
    private static let values = [
        "NULL", "''", "'Citroën'", "'citroen'", "x''", "x'414243'", "CAST(x'41FF' AS TEXT)", "0",
        "-1", "2", "2.0", "2.5", "-0.0", "1e300", "9223372036854775807", "-9223372036854775808",
        "9007199254740993", "'2'", "'2026-03-01'", "printf('%.*c', 900, 'x')",
        "printf('%.*c', 1025, 'y')", "NULL", "''",
    ]
    private static let types = ["TEXT", "INTEGER", "REAL", "BLOB", "DATETIME", "BOOLEAN"]
    private static let whole = ArrangementSpecification(sectionColumn: nil, expression: .none)

    private let folder = TemporaryFolder()
    private let database: Database

    /// Columns of every type have each of the values, each column in another order.
    init() throws {
        let rows = Self.values.enumerated().map { "(\($0), \($1))" }.joined(separator: ", ")
        let columns = Self.types.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ")
        let cells = Self.types.indices.map { column in
            "(SELECT x FROM v WHERE v.i = n.i * \(column + 1) % \(Self.values.count))"
        }
        database = try Database(
            path: folder.database(
                """
                CREATE TABLE v (i INTEGER, x);
                INSERT INTO v VALUES \(rows);
                CREATE TABLE things (id INTEGER PRIMARY KEY, \(columns), note TEXT);
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)
                INSERT INTO things SELECT i * 3, \(cells.joined(separator: ", ")),
                    printf('%.*c', CASE WHEN i BETWEEN 150 AND 160 THEN 5000 ELSE i % 9 END, 'z')
                FROM n;
                DROP TABLE v;
                """))
    }

    /// The list, read in whole.
    private func snapshot() async throws -> Snapshot {
        let pool = try ReaderPool(database: database, threadCount: 1)
        let loader = ListLoader(list: 0, description: database.catalog.lists[0])
        let loaded = await loader.load(Array(loader.description.columns.indices), on: pool)
        await pool.stop()
        let read = try loaded.get()
        let snapshot = Snapshot(revision: read.revision, cache: read.cache, numbers: LeafNumbers())
        return try snapshot.building(Self.whole).reduce(snapshot) { $0.adding($1) }
    }

    private func orders(_ snapshot: Snapshot, columns: [Int]) throws -> [PageOrder] {
        let rows = try #require(snapshot.rows(of: Self.whole))
        return rows.pageOrders(columns: columns, revision: snapshot.revision)
    }

    @Test func pagesAreThoseOfTheFile() async throws {
        let (snapshot, reader) = (try await snapshot(), try database.makeReader())
        let all = Array(snapshot.cache.descriptions.indices)
        let note = try #require(snapshot.cache.descriptions.firstIndex { $0.name == "note" })
        let orders = try orders(snapshot, columns: all.filter { $0 != note })
        #expect(orders.count > 5)
        for order in orders {
            #expect(order.isInMemory(of: snapshot))
            let made = try #require(PageBuilder(order, in: snapshot)).encode(name: order.name)
            let read = try PageBuilder(order, reader).encode(name: order.name)
            #expect(made == read, "rows \(order.rowIDs)")
        }
    }

    @Test func largePagesAreLeftToTheReaderThreads() async throws {
        let snapshot = try await snapshot()
        func cost(_ columns: Int) throws -> Int? {
            let order = try orders(snapshot, columns: Array(repeating: 0, count: columns)).first
            return try #require(order).costOnLoop
        }
        #expect(try cost(2) == 60)
        let (some, more) = (try #require(try cost(30)), try #require(try cost(60)))
        #expect(60 < some && some < more && more <= Limits.workPerTurn)
        #expect(try cost(Limits.columnsPerList) == nil)
    }

    /// Only the beginning of a long text is in memory, and not how long it is.
    @Test func pagesWithALongTextAreRead() async throws {
        let (snapshot, reader) = (try await snapshot(), try database.makeReader())
        var unmade = 0
        for order in try orders(snapshot, columns: Array(snapshot.cache.descriptions.indices)) {
            guard let page = PageBuilder(order, in: snapshot) else {
                unmade += 1
                continue
            }
            let read = try PageBuilder(order, reader).encode(name: order.name)
            #expect(page.encode(name: order.name) == read)
        }
        #expect((1...2).contains(unmade), "those of eleven neighbours")
    }

    @Test func rowsAreInMemoryOnlyUnderTheirRevisionAndInTheirSlots() async throws {
        let snapshot = try await snapshot()
        let order = try #require(try orders(snapshot, columns: [0, 1]).last)
        let deleted = try #require(
            snapshot.applying([.delete(rowID: 0)], revision: snapshot.revision + 1))
        #expect(!order.isInMemory(of: deleted), "another revision")
        let compacted = try deleted.compacted()
        let later = try #require(
            try orders(deleted, columns: [0, 1]).last, "whose rows have other slots now")
        #expect(later.isInMemory(of: deleted) && !later.isInMemory(of: compacted))
        let few = Snapshot(
            revision: snapshot.revision,
            cache: ColumnCacheBuilder(
                descriptions: snapshot.cache.descriptions, wanted: [0]
            ).finish(), numbers: LeafNumbers())
        #expect(!order.isInMemory(of: few))
        for order in try orders(compacted, columns: [0, 1]) {
            let made = try #require(PageBuilder(order, in: compacted))
            let read = try PageBuilder(order, try database.makeReader())
            #expect(made.encode(name: order.name) == read.encode(name: order.name))
        }
    }
}

/// Connections of one event loop that want the same page share one read.
@Suite struct SharedReadingTests {
    @Test func aClientThatLeavesTakesNobodysPageAway() async throws {
        let connection = try EmbeddedConnection()
        let shared = connection.shared
        var conversation = try Conversation.opened()
        _ = conversation.window(rows: 10)
        guard case .fill(let order) = conversation.session.outbox.next(frames: { _ in nil }) else {
            throw Unexpected("no page is ordered")
        }
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let gate = DispatchSemaphore(value: 0)
        shared.readers.submit { _ in gate.wait() }
        let heard = Mutex<[PageReading]>([])
        let isHeard = eventLoop.makePromise(of: Void.self)
        // In one turn of the loop: nobody has heard yet that the read was dropped.
        try await eventLoop.submit {
            let loop = LoopState(eventLoop: eventLoop, shared: shared)
            loop.fill(order, for: WorkOwner(number: 8)) { _ in }
            shared.readers.left(WorkOwner(number: 8))
            loop.fill(order, for: WorkOwner(number: 9)) { reading in
                heard.withLock { $0.append(reading) }
                isHeard.succeed()
            }
        }.get()
        gate.signal()
        try await isHeard.futureResult.get()
        for case .failed(let error) in heard.withLock({ $0 }) { Issue.record(error) }
        #expect(heard.withLock(\.count) == 1)
        await connection.end()
    }
}
