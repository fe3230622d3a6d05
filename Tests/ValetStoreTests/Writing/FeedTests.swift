import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What the log says of changes, forward from a position.
@Suite struct FeedTests {

    /// All entries behind a position, passage by passage.
    private func changes(
        after position: LogPosition = LogPosition(revision: 0, place: 0), of list: Int = 0,
        bytes: Int = 1_000, in file: WrittenDatabase
    ) throws -> [LoggedChange] {
        let reader = try file.database.makeReader()
        let logID = try #require(file.writer?.logID)
        var query = FeedQuery(list: list, logID: logID, after: position, bytes: bytes)
        var changes: [LoggedChange] = []
        while true {
            let passage = try reader.changes(query)
            #expect(passage.end >= query.after)
            #expect(passage.changes.reduce(0) { $0 + $1.bytesToSend } <= bytes)
            changes += passage.changes
            guard passage.hasMore else { return changes }
            #expect(passage.bytesNeeded == nil)
            query.after = passage.end
        }
    }

    @Test(arguments: runSeeds(4))
    func aFeedIsTheHistoryForward(seed: UInt64) throws {
        let file = try WrittenDatabase(WrittenDatabase.carsAndBoats)
        var random = SeededNumbers(seed: seed)
        for _ in 0..<60 {
            let name = ["cars", "boats"][random.below(2)]
            let rows = (0...random.below(9)).map { _ in
                [
                    ColumnValue(column: 0, value: .text("é")),
                    ColumnValue(column: 1, value: .integer(Int64(random.below(2)))),
                ]
            }
            let change: Change =
                switch random.below(4) {
                case 0: .undo
                case 1: .redo
                case _: .insert(rows)
                }
            try file.send(change, list: name)
        }
        for name in ["cars", "boats"] {
            let list = try file.database.list(name)
            let all = try Array(file.history(of: list).reversed())
            #expect(try changes(of: list, bytes: 300, in: file) == all, "seed \(seed)")
            #expect(try changes(of: list, bytes: 1 << 20, in: file) == all, "seed \(seed)")
            for _ in 0..<10 where !all.isEmpty {
                let place = random.below(all.count)
                #expect(
                    try changes(after: all[place].position, of: list, in: file)
                        == Array(all[(place + 1)...]), "seed \(seed)")
            }
        }
    }

    @Test func anEntryThatDoesNotFitSaysWhatItNeeds() throws {
        let file = try WrittenDatabase(after: .insert([.text(String(repeating: "x", count: 200))]))
        let reader = try file.database.makeReader()
        var query = FeedQuery(
            list: 0, logID: 7, after: LogPosition(revision: 0, place: 0), bytes: 100)
        let passage = try reader.changes(query)
        let needed = try #require(passage.bytesNeeded)
        #expect(passage.changes.isEmpty && passage.hasMore && passage.end == query.after)
        query.bytes = needed
        #expect(try reader.changes(query).changes.count == 1)
    }

    @Test func entriesBehindWhatMayBeToldWait() throws {
        let file = try WrittenDatabase(makes: "BMW", "VW", "Kia", "Fiat")
        let revisions = file.batches.map(\.revision)
        let query = FeedQuery(
            list: 0, logID: 7, after: .end(of: revisions[0]), newest: revisions[2],
            bytes: 1 << 20)
        let passage = try file.database.makeReader().changes(query)
        #expect(passage.changes.map(\.position.revision) == [revisions[1], revisions[2]])
        #expect(passage.end == .end(of: revisions[2]) && !passage.hasMore)
    }

    @Test func aFileWithoutALogHasTheIDThatItWillGet() throws {
        let folder = TemporaryFolder()
        let database = try Database(path: folder.database(WrittenDatabase.cars), newLogID: 9)
        let reader = try database.makeReader()
        let start = try reader.feedStart(list: 0, from: nil)
        #expect(start == (9, 0))
        let query = FeedQuery(list: 0, logID: 9, after: .end(of: 0), bytes: 1_000)
        #expect(try reader.changes(query).changes.isEmpty)
        let writer = try Writer(of: database, address: "test")
        _ = try writer.file()
        #expect(writer.logID == 9)
        #expect(try reader.feedStart(list: 0, from: (9, .end(of: 0))).logID == 9)
        // Before all entries of any log, and behind one of another.
        #expect(try reader.feedStart(list: 0, from: (8, .end(of: 0))).logID == 9)
        #expect(throws: ValetError.self) {
            try reader.feedStart(list: 0, from: (8, .end(of: 1)))
        }
    }

    @Test func aPositionThatIsNotKeptIsExpired() throws {
        let file = try WrittenDatabase(makes: "BMW", "VW", "Kia", "Fiat", "Seat", "Opel")
        let revisions = file.batches.map(\.revision)
        func codes(after: LogPosition) throws -> [ErrorCode?] {
            let reader = try file.database.makeReader()
            let query = FeedQuery(list: 0, logID: 7, after: after, bytes: 1 << 20)
            return [
                failure { _ = try reader.changes(query) }?.code,
                failure { _ = try reader.feedStart(list: 0, from: (7, after)) }?.code,
            ]
        }
        // As the log drops its oldest entries.
        try file.change("DELETE FROM _valet_entries WHERE revision <= \(revisions[2])")
        try file.change("DELETE FROM _valet_changes WHERE revision < \(revisions[2])")
        #expect(try codes(after: .end(of: revisions[1])) == [.expired, .expired])
        #expect(
            try codes(after: LogPosition(revision: revisions[2], place: 0)) == [.expired, .expired])
        #expect(try codes(after: .end(of: revisions[2])) == [nil, nil])
        #expect(try changes(after: .end(of: revisions[2]), in: file).count == 3)
    }

    @Test func entriesThatOtherListsHaveDroppedAreNotMissed() throws {
        let file = try WrittenDatabase(
            "CREATE TABLE boats (name TEXT); CREATE TABLE cars (make TEXT)")
        for list in ["boats", "boats", "cars", "cars", "boats", "cars", "cars"] {
            try file.send(.insert([.text("x")]), list: list)
        }
        let revisions = file.batches.map(\.revision)
        // As if the fifth were as large as all may be.
        try file.change(
            "UPDATE _valet_entries SET bytes = bytes + \(Limits.bytesOfLog) WHERE revision >= 5")
        try file.reopen()
        for _ in 0..<2 { try file.send(.insert([.text("x")]), list: "cars") }
        #expect(try file.query("SELECT min(revision) FROM _valet_entries") == [["5"]])
        let reader = try file.database.makeReader()
        func codes(_ name: String) throws -> [ErrorCode?] {
            let list = try file.database.list(name)
            return revisions.map { revision in
                failure { try reader.feedStart(list: list, from: (7, .end(of: revision))) }?.code
            }
        }
        #expect(try codes("boats") == [.expired, nil, nil, nil, nil, nil, nil])
        #expect(try codes("cars") == [.expired, .expired, .expired, nil, nil, nil, nil])
        let boats = try changes(
            after: .end(of: revisions[1]), of: file.database.list("boats"), in: file)
        #expect(boats.map(\.position.revision) == [revisions[4]])
        // One of each table, besides those that are kept.
        #expect(try file.query("SELECT count(*) FROM _valet_changes WHERE revision < 5") == [["2"]])
    }

    @Test(arguments: [Int64.min, -1, .max])
    func forgedRevisionsDoNoHarm(revision: Int64) throws {
        let file = try WrittenDatabase(makes: "BMW")
        for table in ["_valet_log", "_valet_entries", "_valet_changes"] {
            try file.change("UPDATE \(table) SET revision = \(revision)")
        }
        let reader = try file.database.makeReader()
        for position in [LogPosition(revision: 0, place: 0), .end(of: .max)] {
            let query = FeedQuery(list: 0, logID: 7, after: position, bytes: 1 << 20)
            _ = try? reader.changes(query)
            _ = try? reader.feedStart(list: 0, from: (7, position))
        }
    }
}
