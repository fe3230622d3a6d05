import TestSupport
import Testing
import ValetModel

/// Rules 52 to 61: pages and credit.
@Suite(.serialized, .offThePool) struct PageRuleTests {
    /// The frames of a window's pages, in order.
    private func parts(_ client: RuleClient) throws -> [PagePart] {
        try client.open(1, RuleClient.query(grouping: "None"))
        let window = try client.windowFrame(rows: 64)
        var missing = Set(window.pages.map(\.name))
        var begun: [UInt64: PageParts] = [:]
        var parts: [PagePart] = []
        while !missing.isEmpty {
            let part = try PagePart(try client.expect(0x8B))
            parts.append(part)
            if try PageParts.add(part, to: &begun) != nil { missing.remove(part.name) }
        }
        return parts.filter { part in window.pages.contains { $0.name == part.name } }
    }

    @Test func p52ALongPageComesInPartsOf16KiB() async throws {
        try await serveSQL(WindowRuleTests.large, credit: 1 << 22) { client in
            let first = try parts(client)
            let names = Set(first.map(\.name))
            for name in names {
                let parts = first.filter { $0.name == name }
                #expect(parts.count > 1)
                #expect(parts.dropLast().allSatisfy { $0.bytes.count == 16_384 })
                #expect(try #require(parts.last).bytes.count <= 16_384)
                #expect(parts.map { $0.sizes != nil }.firstIndex(of: false) == 1)
            }
        }
    }

    @Test func p53ABegunPageIsFinishedBegunAnewOrGivenUp() async throws {
        try await serveSQL(WindowRuleTests.large, credit: 17_000) { client in
            try client.open(1, RuleClient.query(grouping: "None"))
            // Each window leaves the page that the one before began.
            for first in [0, 128, 256, 384, 0, 128, 256, 384] {
                client.askWindow(anchor: [0] + varint(first), rows: 10)
                client.send(0x17, varint(17_000))
            }
            client.send(0x17, varint(1 << 22))
            var begun: [UInt64: PageParts] = [:]
            var whole: Set<UInt64> = []
            var windows: [WindowFrame] = []
            // Until all of the last window is here and nothing is left undone; what never comes
            // is an error of the socket, and a part without a first one of the page.
            while windows.count < 8 || !begun.isEmpty
                || !whole.isSuperset(of: windows[7].pages.map(\.name))
            {
                let frame = try #require(try client.next())
                if frame.kind == 0x89 {
                    windows.append(try WindowFrame(frame))
                    continue
                }
                let part = try PagePart(frame)
                if try PageParts.add(part, to: &begun) != nil { whole.insert(part.name) }
            }
        }
        let raw = FakeServer.rawPage(rows: 64)
        @Sendable func part(_ range: Range<Int>, first: Bool) -> [UInt8] {
            let sizes = varint(raw.count) + varint(raw.count)
            return frame(0x8B, flags: first ? 0 : 2, u64(8) + (first ? sizes : []) + raw[range])
        }
        try await FakeServer.run(rows: 200) { wire in
            try wire.answerWindow(rows: 10, pages: [8], sending: [])
            wire.send(part(0..<50, first: true))
            wire.send(part(0..<20, first: true) + part(20..<40, first: false))
            wire.send(frame(0x8B, flags: 4, u64(8)))
            wire.send(part(0..<9, first: true) + part(9..<raw.count, first: false))
        } view: { view in
            let window = try await view.window(at: .ordinal(0), rows: 10)
            #expect(window.rows.first??.cells == [.integer(5)])
        }
    }

    @Test func p54PartsAreAsManyBytesAsTheFirstSays() async throws {
        try await serveSQL(WindowRuleTests.large, credit: 1 << 22) { client in
            let parts = try parts(client)
            for first in parts where first.sizes != nil {
                let sum = parts.filter { $0.name == first.name }.reduce(0) { $0 + $1.bytes.count }
                #expect(sum == first.sizes?.encoded)
            }
        }
        let begin = frame(0x8B, u64(8) + varint(9) + varint(9) + [1, 2, 3])
        for frames in [
            frame(0x8B, flags: 2, u64(8) + [1]), begin + frame(0x8B, flags: 2, u64(9) + [1]),
            begin + frame(0x8B, flags: 2, u64(8)), frame(0x8B, u64(8) + varint(9) + varint(9)),
            begin + frame(0x8B, flags: 2, u64(8) + [1, 2, 3, 4, 5, 6, 7]),
            frame(0x8B, flags: 4, u64(8)), begin + frame(0x8B, flags: 4, u64(8) + [1]),
        ] {
            try await expectsClientToLeave { _ in frames }
        }
    }

    @Test func p55TheSizesOfAPageAreThoseOfItsEncoding() async throws {
        try await serveCars(credit: 1 << 22) { client in
            let parts = try parts(client)
            #expect(parts.contains { $0.isCompressed })
            for part in parts {
                let (raw, encoded) = try #require(part.sizes)
                #expect(part.isCompressed ? encoded < raw && encoded >= raw / 255 : encoded == raw)
                if part.isCompressed { #expect(try decompressed(part.bytes, raw).count == raw) }
            }
        }
        for (flags, raw, encoded) in [(0, 3, 2), (0, 2, 3), (1, 2, 2), (1, 1 << 20, 3)] {
            let bytes = [UInt8](repeating: 0, count: encoded)
            let wrong = frame(
                0x8B, flags: UInt8(flags), u64(8) + varint(raw) + varint(encoded) + bytes)
            try await expectsClientToLeave { _ in wrong }
        }
        // An LZ4 block that makes fewer bytes than it says.
        let short = frame(0x8B, flags: 1, u64(8) + varint(20) + varint(3) + [0x20, 0, 0])
        try await expectsClientToLeave { _ in short }
    }

    @Test func p56AClientChecksSizesAndHowManyPagesAreBegun() async throws {
        let huge = frame(0x8B, u64(8) + varint((4 << 20) + 1) + varint((4 << 20) + 1) + [0])
        try await expectsClientToLeave { _ in huge }
        let many = (0..<65).flatMap { frame(0x8B, u64($0) + varint(9) + varint(9) + [0]) }
        try await expectsClientToLeave { _ in many }
    }

    @Test func p57TextsInPagesAreCutBetweenScalarsAndBlobsAreSizes() async throws {
        let wide = (0..<32).map { "c\($0) TEXT" }.joined(separator: ", ")
        let sql = """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b BLOB);
            INSERT INTO t VALUES (1, printf('%.1024c', 'x'), x'0102'),
                (2, 'y' || replace(printf('%.600c', 'x'), 'x', 'é'), zeroblob(70000)),
                (3, CAST(x'FF41' AS TEXT), x'');
            CREATE TABLE wide(id INTEGER PRIMARY KEY, \(wide));
            INSERT INTO wide(id, c3) VALUES (1, printf('%.2000c', 'z'));
            """
        try await serveSQL(sql) { client in
            let none = RuleClient.query(grouping: "None")
            try client.open(1, list: "t", columns: ["a", "b"], none)
            let (window, pages) = try client.window(1)
            let rows = try window.rows(from: pages)
            #expect(rows.map(\.id) == [1, 2, 3])
            #expect(rows[0].cells == [.text(String(repeating: "x", count: 1_024)), .blob([], 2)])
            let cut = "y" + String(repeating: "é", count: 511)
            #expect(rows[1].cells == [.cut(cut, 1_201), .blob([], 70_000)])
            #expect(rows[2].cells == [.malformed([0xFF, 0x41], 2), .blob([], 0)])
            let opened = try client.open(2, list: "wide", none)
            let most = (1 << 20) / (64 * opened.columns.count)
            let (wide, widePages) = try client.window(2)
            let cells = try wide.rows(from: widePages)[0].cells
            #expect(cells.contains(.cut(String(repeating: "z", count: most), 2_000)))
        }
    }

    /// Whether the client takes a page of one row and one column.
    private func expectPage(
        _ raw: [UInt8], isTaken: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await FakeServer.run(rows: 1) { wire in
            try wire.answerWindow(rows: 1, of: 1, pages: [8], sending: [])
            wire.send(FakeServer.page(8, [1, 1] + signed(1) + raw))
        } view: { view in
            let window = try? await view.window(at: .ordinal(0), rows: 10)
            #expect((window != nil) == isTaken, "\(raw)", sourceLocation: sourceLocation)
        }
    }

    @Test func p58ACutCellHasFewerBytesThanTheWhole() async throws {
        for (cell, isRight) in [
            ([5, 1, 0x61, 2], true), ([5, 1, 0x61, 1], false), ([4, 1, 0xFF, 1], true),
            ([4, 2, 0xFF, 0xFF, 1], false), ([6, 0, 9], true), ([6, 2, 1, 2, 1], false),
        ] as [([UInt8], Bool)] {
            try await expectPage([5] + cell, isTaken: isRight)
        }
    }

    @Test func p59APageIsReadToItsLastBitOrNotAtAll() async throws {
        for (raw, isRight) in [
            ([2] + signed(5), true), ([2] + signed(5) + [0], false),
            ([0x82, 1] + signed(5), true), ([0x82, 3] + signed(5), false),
            ([1, 1, 1, 0x61, 0], true), ([1, 1, 1, 0x61, 1], false),
            ([0x80, 0, 0], true), ([6], false), ([3, 10, 2], false),
        ] as [([UInt8], Bool)] {
            try await expectPage(raw, isTaken: isRight)
        }
    }

    @Test func p60NoPageFrameIsLongerThanTheCreditThatIsLeft() async throws {
        try await serveSQL(WindowRuleTests.large, credit: 40_000) { client in
            try client.open(1, RuleClient.query(grouping: "None"))
            try client.windowFrame(rows: 512)
            var credit = 40_000
            for more in [0, 5_000, 11_000, 1, 16_408] {
                credit += more
                client.send(0x17, varint(more))
                // As many as there is credit for, though it takes time to read them.
                while credit >= 16_408 { credit -= try client.expect(0x8B).byteCount }
                for frame in try client.untilPong() { credit -= frame.byteCount }
                #expect(credit >= 0)
            }
            // What would go beyond 64 MiB is lost, which ends nothing.
            for _ in 0..<3 { client.send(0x17, varint(64 << 20)) }
            #expect(try client.untilPong().allSatisfy { $0.kind == 0x8B })
        }
    }

    @Test func p60CreditIsCountedToTheByte() async throws {
        try await serveCars { rich in
            try rich.open()
            try rich.windowFrame(rows: 200)
            let sizes = try (0..<2).map { _ in try rich.expect(0x8B).byteCount }
            let poor = try rich.another(credit: sizes[0])
            try poor.open()
            try poor.windowFrame(rows: 200)
            #expect(try poor.expect(0x8B).byteCount == sizes[0])
            poor.send(0x17, varint(sizes[1] - 1))
            #expect(try poor.untilPong() == [], "one byte is missing")
            poor.send(0x17, varint(1))
            #expect(try poor.expect(0x8B).byteCount == sizes[1])
            #expect(try poor.untilPong() == [])
        }
    }

    @Test func p61CreditOverTheLimitEndsTheConnection() async throws {
        try await expectsServerToLeave(4, isGreeted: false) {
            $0.wire.send(RuleClient.hello(credit: (64 << 20) + 1))
        }
        try await serveCars(10, credit: 64 << 20) { client in
            client.send(0x17, varint(64 << 20))
            try client.expectAlive()
            client.send(0x17, varint((64 << 20) + 1))
            try client.expectEnd(4)
        }
    }
}
