import Foundation
import TestSupport
import Testing

/// Rules 232 and 234 to 236: what a log's id, its revisions and its row ids stand for, and how long
/// an entry is.
@Suite(.serialized, .offThePool) struct LogRuleTests {
    private static let expired = 32

    /// Serves a file with a client that has added a row.
    /// - Returns: what the log said then, and the row's entry.
    @discardableResult
    private func addARow(
        to path: String, from start: (logID: UInt64, after: EntryFrame.Position)? = nil,
        isKept: Bool = true
    ) async throws -> (log: FollowingFrame, entry: EntryFrame) {
        var result: (FollowingFrame, EntryFrame)?
        try await serve(path) { client, file in
            if let start {
                let request = client.askToFollow(from: start)
                if isKept {
                    #expect(try client.expect(0xA9).stream == 0)
                    try client.unfollow(request)
                } else {
                    try client.expectError(Self.expired, request: request, stream: 0)
                }
            }
            let log = try client.follow()
            try client.write([insert([[(0, textCell("Zonda"))]])], as: client.writerAfterARestart())
            result = (log, try client.entries(1, of: log.request)[0])
        }
        return try #require(result)
    }

    @Test func p232ALogIDIsOfOneFileAndItsStates() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(3)
        try await addARow(to: path)
        let first = try await addARow(to: path)
        let start = (logID: first.log.logID, after: first.entry.position)
        // It stays when the server is started again.
        let older = try Data(contentsOf: URL(filePath: path))
        let second = try await addARow(to: path, from: start)
        #expect(second.log.logID == first.log.logID)
        // A copy, and an older state in the file's place.
        let copy = folder.file("copy.db")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let copied = try await addARow(to: copy, from: start, isKept: false)
        #expect(copied.log.logID != first.log.logID)
        try TemporaryFolder.overwrite(path, with: older)
        let restored = try await addARow(to: path, from: start, isKept: false)
        #expect(restored.log.logID != first.log.logID)
    }

    @Test func p234AnEntryIsNotLongerThanItsColumnsAllow() async throws {
        let columns = 0..<8
        let names = columns.map { "c\($0) BLOB" }.joined(separator: ", ")
        let values = columns.map { _ in "zeroblob(300)" }.joined(separator: ", ")
        let sql = "CREATE TABLE t (\(names)); INSERT INTO t VALUES (\(values))"
        try await serveSQL(sql, credit: nil) { client in
            client.wire.send(RuleClient.hello(name: String(repeating: "n", count: 1_024)))
            _ = try client.expect(0x81)
            try client.follow("t")
            let blob = [6] + varint(300) + [UInt8](repeating: 0xFF, count: 300) + varint(300)
            let change = update([(1, columns.map { ($0, blob) })])
            _ = try client.outcome(of: command(writer: try client.writer(), list: "t", change))
            let frame = try client.expect(0xAB)
            let byteCount = frame.payload.count + 8
            #expect(byteCount <= 1_110 + 540 * columns.count)
            #expect(byteCount > 1_024 + 512 * columns.count)
        }
    }

    @Test func p235NoRevisionIsNamedTwice() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(3)
        var (last, logID): (UInt64, UInt64?) = (0, nil)
        for start in 1...3 {
            try await serve(path) { client, file in
                let log = try client.follow()
                #expect(logID == nil || log.logID == logID)
                logID = log.logID
                try client.unfollow(log.request)
                let addition = insert([[(0, textCell("Zonda"))]])
                let writer = try client.writerAfterARestart()
                let outcome = try client.outcome(of: command(writer: writer, addition)).revision
                #expect(outcome > last, "start \(start)")
                // A state that no command has made.
                try file.change("UPDATE cars SET year = year + 1")
                var revision = outcome
                var stream: UInt16 = 0
                while revision == outcome {
                    stream += 1
                    revision = try client.open(stream).revision
                    try client.close(stream)
                }
                #expect(revision > outcome)
                last = revision
            }
        }
    }

    @Test func p236EntriesThatNameOtherRowsAreNotTold() async throws {
        try await serveSQL(
            """
            CREATE TABLE cars (make TEXT);
            INSERT INTO cars (rowid, make) VALUES (2, 'two'), (6, 'six'), (8, 'eight');
            """
        ) { client, file in
            let following = try client.follow()
            let writer = try client.writer()
            try client.write([update(2, 0, textCell("six"))], as: writer)
            let entry = try client.entries(1, of: following.request)[0]
            try file.vacuum()
            let (newcomer, epoch) = try client.ofNextEpoch(after: 7)
            let own = try newcomer.writerAfterARestart()
            // Row 2 is another one, which has the value that the command has set.
            let undo = command(writer: writer, number: 2, epoch: epoch, [6])
            let undone = try newcomer.outcome(of: undo)
            #expect(undone.verdict == 5)
            #expect(try file.number(Self.six) == 2)
            let history = text("cars") + [0, 0] + varint(256)
            for query in [history, text("cars") + [1] + signed(2) + [0] + varint(256)] {
                let request = newcomer.ask(0x27, query)
                try newcomer.expectError(Self.expired, request: request, stream: 0)
            }
            for position in [entry.position, .beginning] {
                let request = newcomer.askToFollow(from: (following.logID, position))
                try newcomer.expectError(Self.expired, request: request, stream: 0)
            }
            let anew = try newcomer.follow()
            let edit = command(writer: own, epoch: epoch, update(2, 0, textCell("new")))
            #expect(try newcomer.outcome(of: edit).rowIDs == [2])
            let entries = try newcomer.entries(1, of: anew.request)
            #expect(entries.map(\.row) == [2])
            var answer = try newcomer.answer(0x27, history)
            #expect(try answer.list { try EntryFrame(&$0) } == entries)
        }
    }

    private static let six = "SELECT count(*) FROM cars WHERE make = 'six'"
}
