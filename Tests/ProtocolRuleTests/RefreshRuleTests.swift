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
                added: try fields.count(), changed: try fields.count(),
                removed: try fields.count())
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
        _ body: (RuleClient, Int) async throws -> Void
    ) async throws {
        let catalog = folder.write(
            """
            lists:
              - name: albums
                columns: {year: {type: integer}}
                refresh: {from: "\(source)", kind: csv, key: id,
                          columns: {id: id, title: title, year: year}}
            """, to: "catalog.yaml")
        let path = try folder.database(
            """
            CREATE TABLE albums (id TEXT, title TEXT, year INTEGER, heard BOOLEAN);
            CREATE TABLE cars (make TEXT);
            INSERT INTO albums VALUES ('a', 'One', 1, 1), ('b', 'Two', 2, 1);
            """)
        try await serve(
            path,
            { options in
                options.catalogPath = catalog
                options.refreshInterval = .zero
                adjust(&options)
            }
        ) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            try await body(client, port)
        }
        withExtendedLifetime(folder) {}
    }

    private func rows(_ folder: TemporaryFolder) throws -> [Int64] {
        try TemporaryFolder.integers(
            in: folder.file("test.db"), "SELECT rowid FROM albums ORDER BY title")
    }

    @Test func p130RowsThatStayKeepTheirIDs() async throws {
        let folder = TemporaryFolder()
        _ = folder.write("id,title,year\nc,Three,3\nb,Two again,2\n", to: "albums.csv")
        try await serveAlbums(from: "albums.csv", in: folder) { client, _ in
            let request = client.ask(0x2D, text("albums"))
            #expect(
                try ending(client, request: request) == .done(added: 1, changed: 1, removed: 1))
            #expect(try rows(folder) == [3, 2])
            let heard = try TemporaryFolder.integers(
                in: folder.file("test.db"), "SELECT heard FROM albums WHERE id = 'b'")
            #expect(heard == [1])
        }
    }

    @Test func p131TheListIsItsSourceOrAsItWas() async throws {
        let folder = TemporaryFolder()
        try await serveAlbums(from: "albums.csv", in: folder) { client, _ in
            func refresh(_ csv: String?) throws -> Ending {
                if let csv { _ = folder.write(csv, to: "albums.csv") }
                return try ending(client, request: client.ask(0x2D, text("albums")))
            }
            guard case .failed(let reason) = try refresh(nil) else {
                Issue.record("a file that is not there was loaded")
                return
            }
            #expect(reason.contains("albums.csv") && !reason.contains(folder.path))
            #expect(try rows(folder) == [1, 2])
            #expect(try refresh("id,title,year\na,One,1\nb,Two\n") != .cancelled)
            // The list takes whole numbers, and what was changed before is taken back.
            let tooLate = (0..<3_000).map { "k\($0),New,\($0 < 2_900 ? "5" : "x")\n" }.joined()
            guard case .failed(let rule) = try refresh("id,title,year\n" + tooLate) else {
                Issue.record("the list took what it forbids")
                return
            }
            #expect(rule.contains("whole numbers"))
            #expect(try rows(folder) == [1, 2])
            let all = (0..<3_000).map { "k\($0),New,5\n" }.joined()
            #expect(
                try refresh("id,title,year\n" + all)
                    == .done(added: 3_000, changed: 0, removed: 2))
            #expect(try rows(folder).count == 3_000)
            #expect(
                try refresh("id,title,year\n" + all) == .done(added: 0, changed: 0, removed: 0))
            // Of rows with one key, the first counts.
            #expect(
                try refresh("id,title,year\nk0,New,5\nz,One,1\nz,Two,2\nk0,Newer,6\n")
                    == .done(added: 1, changed: 0, removed: 2_999))
            #expect(try rows(folder).count == 2)
            let years = try TemporaryFolder.integers(
                in: folder.file("test.db"), "SELECT year FROM albums ORDER BY year")
            #expect(years == [1, 5])
            let steps = "SELECT count(*) FROM _valet_undo"
            #expect(try TemporaryFolder.number(folder.file("test.db"), steps) == 0)
        }
    }

    @Test func p138ASourceWithoutRowsDoesNotEmptyTheList() async throws {
        let folder = TemporaryFolder()
        _ = folder.write("id,title,year\n", to: "albums.csv")
        try await serveAlbums(from: "albums.csv", in: folder) { client, _ in
            let request = client.ask(0x2D, text("albums"))
            #expect(
                try ending(client, request: request)
                    == .failed("“albums.csv” has no rows; the 2 rows stay as they were"))
            #expect(try rows(folder) == [1, 2])
            let writer = try client.writer()
            client.ask(
                0x23,
                command(
                    writer: writer, number: 1, group: 1, list: "albums",
                    deletion([(1, nil), (2, nil)])))
            #expect(try client.outcome().verdict == 0)
            let second = client.ask(0x2D, text("albums"))
            #expect(
                try ending(client, request: second) == .done(added: 0, changed: 0, removed: 0))
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
        try await serveAlbums(from: "http://127.0.0.1:\(web.port)/a") { one, port in
            let two = try RuleClient(port: port)
            try two.greet()
            let first = one.ask(0x2D, text("albums"))
            try eventually { web.requests == 1 }
            let second = two.ask(0x2D, text("albums"))
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
            #expect(
                try ending(two, request: second) == .done(added: 0, changed: 1, removed: 1))
        }
    }

    @Test func p133ItStopsWhenNobodyWaits() async throws {
        let gate = TinyServer.Gate()
        let web = try TinyServer { request in
            request.number == 0 ? .silence : .gated(gate, "id,title,year\na,One,7\n")
        }
        defer { web.stop() }
        try await serveAlbums(from: "http://127.0.0.1:\(web.port)/a") { one, _ in
            let first = one.ask(0x2D, text("albums"))
            try eventually { web.requests == 1 }
            one.send(0x2F, varint(first))
            #expect(try ending(one, request: first) == .cancelled)
            // The next one does not wait for the silent server.
            let second = one.ask(0x2D, text("albums"))
            gate.open()
            #expect(
                try ending(one, request: second) == .done(added: 0, changed: 1, removed: 1))
        }
    }

    @Test func p134WhatCannotBeRefreshedIsRefused() async throws {
        try await serveAlbums(from: "albums.csv") { client, _ in
            let cars = client.ask(0x2D, text("cars"))
            try client.expectError(26, request: cars)
            let unknown = client.ask(0x2D, text("planes"))
            try client.expectError(10, request: unknown)
        }
        try await serveAlbums(
            from: "albums.csv", { $0.readOnlyReason = "test" }
        ) { client, _ in
            let request = client.ask(0x2D, text("albums"))
            let error = try client.expectError(33, request: request)
            #expect(error.message == "test")
            let cars = client.ask(0x2D, text("cars"))
            try client.expectError(26, request: cars)
        }
    }

    @Test func p134FewListsAreLoadedAtOnce() async throws {
        let web = try TinyServer { _ in .silence }
        defer { web.stop() }
        let folder = TemporaryFolder()
        let catalog = folder.write(
            "lists:\n"
                + (0...4).map {
                    "  - {name: l\($0), refresh: {from: 'http://127.0.0.1:\(web.port)/\($0)'}}\n"
                }.joined(), to: "catalog.yaml")
        try await serve(try folder.database("CREATE TABLE t (a)"), { $0.catalogPath = catalog }) {
            let client = try RuleClient(port: $0)
            try client.greet()
            for list in 0...3 { client.ask(0x2D, text("l\(list)")) }
            let fifth = client.ask(0x2D, text("l4"))
            try client.expectError(34, request: fifth)
        }
    }

    @Test func p180AListIsNotLoadedTooOften() async throws {
        let folder = TemporaryFolder()
        _ = folder.write("id,title,year\na,One,1\nb,Two,2\n", to: "albums.csv")
        try await serveAlbums(
            from: "albums.csv", in: folder, { $0.refreshInterval = .seconds(999) }
        ) { client, _ in
            let first = client.ask(0x2D, text("albums"))
            #expect(try ending(client, request: first) == .done(added: 0, changed: 0, removed: 0))
            let second = client.ask(0x2D, text("albums"))
            let error = try client.expectError(34, request: second)
            #expect(error.message.contains("try again in"))
        }
    }

    @Test func p135ProgressComesBeforeTheAnswer() async throws {
        let web = try TinyServer { _ in .drops }
        defer { web.stop() }
        try await serveAlbums(from: "http://127.0.0.1:\(web.port)/a") { client, _ in
            let request = client.ask(0x2D, text("albums"))
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
