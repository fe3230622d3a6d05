import TestSupport
import Testing

/// Rules 175 to 177, 225 and 226: views of one revision.
@Suite(.serialized, .offThePool) struct PinRuleTests {
    private static let (expired, unknownRow, superseded) = (32, 15, 20)

    /// Serves 200 cars with a column that is never in memory, so that pages come from the file.
    private func servePhotos(
        journal: String, _ body: (RuleClient, ServedFile) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(200, havePhotos: true)
        try TemporaryFolder.change(path, "PRAGMA journal_mode=\(journal)")
        try await serve(path) { try await body($0, $1) }
    }

    private static let everything = RuleClient.query(grouping: "make", sort: [("model", false)])

    /// Moves every row, changes every cell, and deletes half of them.
    private static let changes = """
        DELETE FROM cars WHERE rowid % 2 = 0;
        UPDATE cars SET make = 'New ' || rowid, model = 'new', year = 1
        """

    @Test func p175APinnedViewIsOfOneRevision() async throws {
        try await servePhotos(journal: "wal") { client, file in
            let opened = try client.open(1, Self.everything, isPinned: true)
            let before = try client.window(1, rows: 10)
            try file.change(Self.changes)
            var now = try client.open(2, Self.everything)
            while now.rows != 100 {
                try client.close(2)
                now = try client.open(2, Self.everything)
            }
            var ids: Set<Int64> = []
            for first in stride(from: 0, to: 200, by: 50) {
                let (window, pages) = try client.window(1, anchor: [0] + varint(first), rows: 50)
                #expect(window.revision == opened.revision && window.totalRows == 200)
                for row in try window.rows(from: pages) {
                    #expect(row.cells[1] == .text("Model \(row.id - 1)"))
                    #expect(ids.insert(row.id).inserted)
                }
            }
            #expect(ids == Set(1...200))
            #expect(before.window.revision == opened.revision)
            for byRows in [false, true] {
                let sections = try client.sections(count: 100, byRows: byRows)
                #expect(sections.map(\.rows) == Array(repeating: 20, count: 10))
            }
            #expect(try client.rearrange(1, generation: 2, Self.everything).rows == 100)
            let (window, _) = try client.window(1, generation: 2, rows: 10)
            #expect(window.totalRows == 100 && window.revision > opened.revision)
        }
    }

    @Test func p176RowsAreReadOfAPinnedViewsRevision() async throws {
        try await servePhotos(journal: "wal") { client, file in
            let opened = try client.open(1, Self.everything, isPinned: true)
            try file.change(Self.changes)
            client.ask(0x13, stream: 1, text("cars") + signed(2))
            let detail = try client.expect(0x93)
            var fields = detail.fields
            _ = try fields.count()
            #expect(detail.stream == 1)
            #expect(try fields.varint() == opened.revision)
            client.ask(0x15, stream: 1, text("cars") + signed(2) + text("model") + [0])
            let piece = try client.expect(0x95)
            #expect(piece.stream == 1 && piece.payload.suffix(7) == Array("Model 1".utf8)[...])
            fields = piece.fields
            _ = try fields.count()
            #expect(try fields.varint() == opened.revision)
            // The row is gone, also for a view that is not pinned.
            try client.open(2)
            for stream in [0, 2] as [UInt16] {
                client.ask(0x13, stream: stream, text("cars") + signed(2))
                try client.expectError(Self.unknownRow, stream: 0)
            }
        }
    }

    @Test func p176APinnedViewHasRowsOfItsOwnListAlone() async throws {
        let sql = """
            CREATE TABLE cars (a TEXT); CREATE TABLE boats (a TEXT);
            INSERT INTO cars VALUES ('x'); INSERT INTO boats VALUES ('y');
            """
        try await serveSQL(sql) { client in
            try client.open(1, list: "cars", isPinned: true)
            for (kind, column) in [(0x13, []), (0x15, text("a") + [0])] as [(UInt8, [UInt8])] {
                let request = client.ask(kind, stream: 1, text("boats") + signed(1) + column)
                try client.expectError(5, request: request, stream: 1)
            }
            client.ask(0x13, stream: 1, text("cars") + signed(1))
            #expect(try client.expect(0x93).stream == 1)
        }
    }

    @Test func p177ARevisionThatIsNotKeptIsAnErrorAndNoOtherRows() async throws {
        try await servePhotos(journal: "delete") { client, file in
            try client.open(1, Self.everything, isPinned: true)
            // Nobody is kept from writing.
            try file.change(Self.changes)
            client.askWindow(1, rows: 10)
            #expect(try WindowFrame(try client.expect(0x89)).totalRows == 200)
            try client.expectError(Self.expired, request: 0, stream: 1)
            let detail = client.ask(0x13, stream: 1, text("cars") + signed(1))
            try client.expectError(Self.expired, request: detail, stream: 1)
            try client.expectAlive()
        }
    }

    @Test func p225AViewThatIsLeftAnswersForItsRowsFirst() async throws {
        try await servePhotos(journal: "wal") { client, _ in
            for (kind, answer) in [(0x09, 0x87), (0x07, 0x85)] as [(UInt8, UInt8)] {
                try client.open(1, Self.everything, isPinned: true)
                var asked: [Int] = []
                // The rows are read on other threads, and so can't be answered in between.
                client.atOnce {
                    for row in 1...20 as ClosedRange<Int64> {
                        let row = text("cars") + signed(row)
                        asked.append(client.ask(0x13, stream: 1, row))
                        asked.append(client.ask(0x15, stream: 1, row + text("model") + [0]))
                    }
                    if kind == 0x09 {
                        client.ask(kind, stream: 1)
                    } else {
                        client.askToRearrange(1, generation: 2, Self.everything)
                    }
                }
                for request in asked {
                    try client.expectError(Self.superseded, request: request, stream: 1)
                }
                #expect(try client.expect(answer).stream == 1)
                // The stream and the numbers of requests are free, and none is answered again.
                if kind == 0x09 { try client.open(1, Self.everything, isPinned: true) }
                _ = try client.answer(0x13, stream: 1, text("cars") + signed(2))
                try client.close(1)
                try client.expectAlive()
            }
        }
    }

    @Test func p226NoConnectionTakesAllPins() async throws {
        try await servePhotos(journal: "wal") { client, _ in
            for stream in 1...4 {
                try client.open(UInt16(stream), Self.everything, isPinned: true)
            }
            client.askToOpen(5, Self.everything, isPinned: true)
            let limitExceeded = 4
            let error = try client.expectError(limitExceeded, stream: 5)
            #expect(error.message.contains("pinned views"))
            try client.open(5, Self.everything)
            try client.close(2)
            try client.open(2, Self.everything, isPinned: true)
        }
    }
}
