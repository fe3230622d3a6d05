import TestSupport
import Testing
import ValetModel

@testable import ValetServer

/// What a server with little memory gives up for what is asked for next.
@Suite(.timeLimit(.minutes(5))) struct MemoryTests {
    /// Two tables of texts that are all different.
    private func tables(
        columns: Int = 2, in folder: TemporaryFolder, rows: Int = 3_000
    ) throws -> String {
        let names = (0..<columns).map { "c\($0)" }
        func table(_ name: String) -> String {
            """
            CREATE TABLE \(name) (\(names.map { "\($0) TEXT" }.joined(separator: ", ")));
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO \(name) SELECT \(names.map { "'\($0) ' || i" }.joined(separator: ", "))
            FROM n;
            """
        }
        return try folder.database(table("one") + table("two"))
    }

    private func sorted(by column: Int) -> Query {
        Query(sort: [Query.Sort(column: "c\(column)")])
    }

    private func close(_ client: RawClient) async {
        client.close()
        _ = await client.untilPong()
    }

    /// What a server takes for what `ask` opens.
    private func memory(
        _ path: String, _ ask: (RawClient) async throws -> Void
    ) async throws -> Int {
        let server = try await TestServer(path)
        let client = try await server.client()
        try await ask(client)
        let bytes = try #require(try await client.statistics()[.memoryBytes])
        await server.server.stop()
        return bytes
    }

    /// A server of both tables, with room for one and a half.
    private func serveWithRoomForOne(
        _ body: (RawClient, _ room: Int, _ path: String) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let path = try tables(in: folder)
        let one = try await memory(path) { #expect(await $0.open(list: "one") != nil) }
        let server = try await TestServer(path) { $0.memory = one * 3 / 2 }
        let client = try await server.client()
        try await body(client, one * 3 / 2, path)
        await server.server.stop()
    }

    @Test func aListThatNobodyShowsMakesRoomForAnother() async throws {
        try await serveWithRoomForOne { client, room, _ in
            for list in ["one", "two", "one", "two"] {
                let opened = await client.open(list: list)
                #expect(opened?.totalRows == 3_000)
                let statistics = try await client.statistics()
                #expect(statistics[.listsReadIn] == 1)
                #expect(try #require(statistics[.memoryBytes]) <= room)
                #expect(statistics[.memoryBudgetBytes] == room)
                await close(client)
            }
        }
    }

    /// Both readings together do not fit.
    @Test func aListOfMoreThanHalfOfTheRoomIsReadAnew() async throws {
        try await serveWithRoomForOne { client, room, path in
            #expect(await client.open(list: "one") != nil)
            client.askWindow(rows: 1, perSecond: 30)
            let old = try await client.nextWindow()
            try TemporaryFolder.change(
                path, "UPDATE one SET c1 = 'new'; DELETE FROM one WHERE rowid = 7")
            while case .message(let message, _, _) = await client.next() {
                guard case .windowAnswer(let new) = message else { continue }
                #expect(new.revision > old.revision && new.totalRows == 2_999)
                break
            }
            let statistics = try await client.statistics()
            #expect(try #require(statistics[.memoryBytes]) <= room)
        }
    }

    /// Fills a table that had 3,000 rows.
    private func grow(_ path: String, to count: Int) throws {
        try TemporaryFolder.change(
            path,
            """
            WITH RECURSIVE n(i) AS (SELECT 3001 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO one SELECT 'c0 ' || i, 'c1 ' || i FROM n
            """)
    }

    @Test func aWindowOfAListThatNoLongerFitsIsToldSo() async throws {
        try await serveWithRoomForOne { client, _, path in
            #expect(await client.open(list: "one") != nil)
            client.askWindow(rows: 1, perSecond: 30)
            try grow(path, to: 30_000)
            while case .message(let message, let stream, _) = await client.next() {
                guard case .error(let answer) = message else { continue }
                #expect(answer.request == 0 && stream == 1)
                #expect(answer.error.code == .limitExceeded)
                break
            }
        }
    }

    /// An order is charged again when a list that has grown is read anew.
    @Test func theOrdersOfAListThatHasGrownAreCounted() async throws {
        let folder = TemporaryFolder()
        func show(_ client: RawClient, orders: Int) async {
            for order in 0..<orders {
                let sort = [("c0", order & 1), ("c1", order & 2)].map {
                    Query.Sort(column: $0, isDescending: $1 != 0)
                }
                let query = Query(
                    sort: order < 4 ? sort : order < 8 ? sort.reversed() : [sort[order & 1]])
                #expect(await client.open(stream: UInt16(1 + order), list: "one", query) != nil)
            }
        }
        let grown = try tables(in: folder, rows: 30_000)
        let all = try await memory(grown) { await show($0, orders: 12) }
        let room = (all + (try await memory(grown) { await show($0, orders: 11) })) / 2
        let path = try tables(in: folder)
        let server = try await TestServer(path) { $0.memory = room }
        let client = try await server.client()
        await show(client, orders: 12)
        try grow(path, to: 30_000)
        for stream in UInt16(1)...12 { client.askWindow(stream: stream, rows: 1, perSecond: 30) }
        // Each shows the new rows, or says that its order found no room.
        var shown: Set<UInt16> = []
        var refused: Set<UInt16> = []
        while shown.count + refused.count < 12,
            case .message(let message, let stream, _) = await client.next()
        {
            switch message {
            case .windowAnswer(let window) where window.totalRows == 30_000: shown.insert(stream)
            case .error(let answer):
                #expect(answer.error.code == .listUnavailable)
                refused.insert(stream)
            default: break
            }
        }
        #expect(!shown.isEmpty && !refused.isEmpty && shown.isDisjoint(with: refused))
        #expect(try #require(try await client.statistics()[.memoryBytes]) <= room)
        // Once others leave there is room for it, and the window that stands hears of its rows.
        for stream in shown { client.close(stream: stream) }
        while !refused.isEmpty, case .message(let message, let stream, _) = await client.next() {
            guard case .windowAnswer(let window) = message, refused.contains(stream) else {
                continue
            }
            #expect(window.totalRows == 30_000)
            refused.remove(stream)
        }
        #expect(refused.isEmpty)
        await server.server.stop()
    }

    @Test func aListThatIsShownStaysAndWhatDoesNotFitIsRefused() async throws {
        try await serveWithRoomForOne { client, _, _ in
            #expect(await client.open(list: "one") != nil)
            client.askToOpen(stream: 2, list: "two")
            let answer = try await client.nextError()
            #expect(answer.error.code == .limitExceeded)
            #expect(answer.error.message.contains("--memory"))
            client.askWindow(rows: 10)
            let window = try await client.nextWindow()
            #expect(window.rows == 10)
        }
    }

    /// A person tries one column after another.
    @Test func columnsThatNothingShowsMakeRoomForOthers() async throws {
        let folder = TemporaryFolder()
        let path = try tables(columns: 40, in: folder)
        let few = try await memory(path) { client in
            for column in 0..<3 {
                #expect(await client.open(list: "one", sorted(by: column)) != nil)
                await close(client)
            }
        }
        let server = try await TestServer(path) { $0.memory = few }
        let client = try await server.client()
        for column in 0..<40 {
            #expect(await client.open(list: "one", sorted(by: column))?.totalRows == 3_000)
            #expect(try #require(try await client.statistics()[.memoryBytes]) <= few)
            await close(client)
        }
        await server.server.stop()
    }
}
