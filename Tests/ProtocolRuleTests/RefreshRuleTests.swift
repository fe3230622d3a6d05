import Foundation
import TestSupport
import Testing
import ValetServer

/// Rules 130 to 135, 138 and 180: lists that are loaded from elsewhere.
@Suite(.serialized, .offThePool) struct RefreshRuleTests {
    private enum Ending: Equatable {
        case done(added: Int, changed: Int, removed: Int)
        case failed(String)
        case cancelled
    }

    private func refresh(_ client: RuleClient) throws -> Ending {
        try ending(client, request: client.askToRefresh())
    }

    private func ending(_ client: RuleClient, request: Int) throws -> Ending {
        while true {
            let frame = try #require(try client.next())
            if frame.kind == 0xA4 { continue }
            try #require(frame.kind == 0xB1)
            return try ending(frame, request: request)
        }
    }

    private func ending(_ frame: RawFrame, request: Int) throws -> Ending {
        var fields = frame.fields
        #expect(frame.stream == 0)
        #expect(try fields.count() == request)
        let ending: Ending
        switch try fields.byte() {
        case 0:
            ending = .done(
                added: try fields.count(), changed: try fields.count(), removed: try fields.count())
        case 1: ending = .failed(try fields.text())
        default: ending = .cancelled
        }
        try fields.end()
        return ending
    }

    /// A list of albums that is loaded from `source`, and one of cars that is not.
    private func serveAlbums(
        from source: String, in folder: TemporaryFolder = TemporaryFolder(),
        _ adjust: (inout ServerOptions) -> Void = { _ in },
        _ body: (RuleClient, ServedFile) async throws -> Void
    ) async throws {
        let catalog = """
            lists:
              - name: albums
                columns: {year: {type: integer}}
                refresh: {from: "\(source)", kind: csv, key: id,
                          columns: {id: id, title: title, year: year}}
            """
        let sql = """
            CREATE TABLE albums (id TEXT, title TEXT, year INTEGER, heard BOOLEAN);
            CREATE TABLE cars (make TEXT);
            INSERT INTO albums VALUES ('a', 'One', 1, 1), ('b', 'Two', 2, 1);
            """
        try await serveSQL(
            sql, catalog: catalog, in: folder,
            { options in
                options.refreshInterval = .zero
                adjust(&options)
            }, body)
    }

    private func rows(_ file: ServedFile) throws -> [Int64] {
        try file.integers("SELECT rowid FROM albums ORDER BY title")
    }

    @Test func p130RowsThatStayKeepTheirIDs() async throws {
        let folder = TemporaryFolder()
        _ = folder.write("id,title,year\nc,Three,3\nb,Two again,2\n", to: "albums.csv")
        try await serveAlbums(from: "albums.csv", in: folder) { client, file throws in
            #expect(try refresh(client) == .done(added: 1, changed: 1, removed: 1))
            #expect(try rows(file) == [3, 2])
            #expect(try file.integers("SELECT heard FROM albums WHERE id = 'b'") == [1])
        }
    }

    @Test func p131TheListIsItsSourceOrAsItWas() async throws {
        let folder = TemporaryFolder()
        try await serveAlbums(from: "albums.csv", in: folder) { client, file in
            func refresh(from csv: String) throws -> Ending {
                _ = folder.write("id,title,year\n" + csv, to: "albums.csv")
                return try self.refresh(client)
            }
            guard case .failed(let reason) = try self.refresh(client) else {
                throw Unexpected("a file that is not there was loaded")
            }
            #expect(reason.contains("albums.csv") && !reason.contains(folder.path))
            #expect(try rows(file) == [1, 2])
            #expect(try refresh(from: "a,One,1\nb,Two\n") != .cancelled)
            // The list takes whole numbers, and what was changed before is taken back.
            let tooLate = (0..<3_000).map { "k\($0),New,\($0 < 2_900 ? "5" : "x")\n" }.joined()
            guard case .failed(let rule) = try refresh(from: tooLate) else {
                throw Unexpected("the list took what it forbids")
            }
            #expect(rule.contains("whole numbers"))
            #expect(try rows(file) == [1, 2])
            let all = (0..<3_000).map { "k\($0),New,5\n" }.joined()
            #expect(try refresh(from: all) == .done(added: 3_000, changed: 0, removed: 2))
            #expect(try rows(file).count == 3_000)
            #expect(try refresh(from: all) == .done(added: 0, changed: 0, removed: 0))
            // Of rows with one key, the first counts.
            let twice = "k0,New,5\nz,One,1\nz,Two,2\nk0,Newer,6\n"
            #expect(try refresh(from: twice) == .done(added: 1, changed: 0, removed: 2_999))
            #expect(try rows(file).count == 2)
            #expect(try file.integers("SELECT year FROM albums ORDER BY year") == [1, 5])
            #expect(try file.number("SELECT count(*) FROM _valet_undo") == 0)
        }
    }

    @Test func p138ASourceWithoutRowsDoesNotEmptyTheList() async throws {
        let folder = TemporaryFolder()
        _ = folder.write("id,title,year\n", to: "albums.csv")
        try await serveAlbums(from: "albums.csv", in: folder) { client, file in
            let message = "“albums.csv” has no rows; the 2 rows stay as they were"
            #expect(try refresh(client) == .failed(message))
            #expect(try rows(file) == [1, 2])
            let writer = try RuleWriter(client)
            let all = deletion([(1, nil), (2, nil)])
            #expect(try writer.outcome(of: all, in: "albums").verdict == 0)
            #expect(try refresh(client) == .done(added: 0, changed: 0, removed: 0))
        }
    }

    /// Two clients have asked for one refresh, which goes on when the gate opens.
    private func whileTwoWait(
        _ body: (
            _ one: RuleClient, _ first: Int, _ two: RuleClient, _ second: Int, TinyServer.Gate,
            TinyServer
        ) throws -> Void
    ) async throws {
        let gate = TinyServer.Gate()
        let web = try TinyServer { _ in .gated(gate, "id,title,year\na,One,7\n") }
        defer { web.stop() }
        try await serveAlbums(from: "http://127.0.0.1:\(web.port)/a") { one, _ in
            let two = try one.another()
            let first = one.askToRefresh()
            try eventually { web.requests == 1 }
            let second = two.askToRefresh()
            try roundTrip(two)
            try body(one, first, two, second, gate, web)
        }
    }

    @Test func p132ASecondOneJoinsTheFirst() async throws {
        try await whileTwoWait { one, first, two, second, gate, web in
            gate.open()
            let done = Ending.done(added: 0, changed: 1, removed: 1)
            let endings = [try ending(one, request: first), try ending(two, request: second)]
            #expect(endings == [done, done])
            #expect(web.requests == 1)
        }
    }

    /// What was sent before has been taken when the pong comes.
    private func roundTrip(_ client: RuleClient) throws {
        client.send(0x19, u64(9))
        while let frame = try client.next(), frame.kind != 0x97 {
            try #require(frame.kind == 0xA4)
        }
    }

    private func eventually(_ condition: () -> Bool) throws {
        let end = ContinuousClock.now + .seconds(30)
        while !condition() {
            try #require(ContinuousClock.now < end)
            _ = poll(nil, 0, 2)
        }
    }

    @Test func p133ACancelledOneGoesOnForOthers() async throws {
        try await whileTwoWait { one, first, two, second, gate, _ in
            one.send(0x2F, varint(first))
            #expect(try ending(one, request: first) == .cancelled)
            // Again, and one that never was: nothing comes of it.
            one.send(0x2F, varint(first))
            one.send(0x2F, varint(77))
            try roundTrip(one)
            gate.open()
            #expect(try ending(two, request: second) == .done(added: 0, changed: 1, removed: 1))
        }
    }

    @Test func p133ItStopsWhenNobodyWaits() async throws {
        let gate = TinyServer.Gate()
        let web = try TinyServer { request in
            request.number == 0 ? .silence : .gated(gate, "id,title,year\na,One,7\n")
        }
        defer { web.stop() }
        try await serveAlbums(from: "http://127.0.0.1:\(web.port)/a") { one, _ in
            let first = one.askToRefresh()
            try eventually { web.requests == 1 }
            one.send(0x2F, varint(first))
            #expect(try ending(one, request: first) == .cancelled)
            // The next one does not wait for the silent server.
            let second = one.askToRefresh()
            gate.open()
            #expect(try ending(one, request: second) == .done(added: 0, changed: 1, removed: 1))
        }
    }

    @Test func p134AListThatCannotBeRefreshedIsRefused() async throws {
        try await serveAlbums(from: "albums.csv") { client, _ in
            try client.expectError(26, request: client.askToRefresh("cars"))
            try client.expectError(10, request: client.askToRefresh("planes"))
        }
        try await serveAlbums(from: "albums.csv", { $0.readOnlyReason = "test" }) { client, _ in
            let error = try client.expectError(33, request: client.askToRefresh())
            #expect(error.message == "test")
            try client.expectError(26, request: client.askToRefresh("cars"))
        }
    }

    @Test func p134FewListsAreLoadedAtOnce() async throws {
        let web = try TinyServer { _ in .silence }
        defer { web.stop() }
        let lists = (0...4).map {
            "  - {name: l\($0), refresh: {from: 'http://127.0.0.1:\(web.port)/\($0)'}}\n"
        }
        try await serveSQL("CREATE TABLE t (a)", catalog: "lists:\n" + lists.joined()) { client in
            for list in 0...3 { client.askToRefresh("l\(list)") }
            try client.expectError(34, request: client.askToRefresh("l4"))
        }
    }

    @Test func p180AListIsNotLoadedTooOften() async throws {
        let folder = TemporaryFolder()
        _ = folder.write("id,title,year\na,One,1\nb,Two,2\n", to: "albums.csv")
        try await serveAlbums(
            from: "albums.csv", in: folder, { $0.refreshInterval = .seconds(999) }
        ) { client, _ in
            #expect(try refresh(client) == .done(added: 0, changed: 0, removed: 0))
            let error = try client.expectError(34, request: client.askToRefresh())
            #expect(error.message.contains("try again in"))
        }
    }

    @Test func p249ABusyServerSaysWhenToComeBack() async throws {
        let folder = TemporaryFolder()
        _ = folder.write("id,title,year\na,One,1\nb,Two,2\n", to: "albums.csv")
        for (interval, wait) in [(100, 1...100_000), (999, 600_000...600_000)] {
            try await serveAlbums(
                from: "albums.csv", in: folder, { $0.refreshInterval = .seconds(interval) }
            ) { client, _ in
                _ = try refresh(client)
                let error = try client.expectError(34, request: client.askToRefresh())
                #expect(wait.contains(error.millisecondsToWait))
                // What ends by nothing that is known.
                let unknown = try client.expectError(10, request: client.askToRefresh("no list"))
                #expect(unknown.millisecondsToWait == 0)
            }
        }
    }

    @Test func p135ProgressComesBeforeTheAnswer() async throws {
        let web = try TinyServer { _ in .drops }
        defer { web.stop() }
        try await serveAlbums(from: "http://127.0.0.1:\(web.port)/a") { client, _ in
            let request = client.askToRefresh()
            let start = ContinuousClock.now
            for number in 1...4 {
                let frame = try client.expect(0xA4)
                var fields = frame.fields
                #expect(try fields.count() == request)
                #expect(try fields.byte() == 0)
                #expect(try fields.count() > 0)
                let total = try fields.optional { fields in try fields.count() }
                #expect(total == nil)
                try fields.end()
                #expect(ContinuousClock.now - start >= .milliseconds(90) * (number - 1))
            }
            client.send(0x2F, varint(request))
            #expect(try ending(client, request: request) == .cancelled)
            client.send(0x19, u64(9))
            #expect(try client.next()?.kind == 0x97)
        }
    }
}
