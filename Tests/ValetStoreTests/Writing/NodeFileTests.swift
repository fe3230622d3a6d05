import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Files of a cluster's nodes, whose log is an array: one decides, and others follow.
@Suite struct NodeFileTests {
    /// What has been agreed on.
    private final class AgreedLog {
        var entries: [[UInt8]] = []
        /// What becomes of the next entry, besides.
        var failure: ValetError?
        var storesFailed = false

        func agreement(term: UInt64 = 1) -> Agreement {
            Agreement(term: term) { [self] (entry) throws(ValetError) in
                if let failure {
                    self.failure = nil
                    if storesFailed { entries.append(entry) }
                    throw failure
                }
                entries.append(entry)
                return state
            }
        }

        /// As files keep it.
        var state: [UInt8] { Array("\(entries.count)".utf8) }
    }

    /// A node that follows.
    private final class Follower {
        private var opened: Writer?
        let path: String
        private let catalog: String?
        private(set) var batches: [CommittedBatch] = []
        private(set) var count = 0

        init(_ path: String, catalog: String? = nil) throws {
            (self.path, self.catalog) = (path, catalog)
            try restart()
        }

        var writer: Writer { get throws { try #require(opened) } }

        func restart() throws {
            opened = nil
            let writer = try Writer(
                of: Database(path: path, catalogPath: catalog), address: path, isOfNode: true)
            count = Int(String(decoding: try writer.nodeState(), as: UTF8.self)) ?? -1
            opened = writer
        }

        func follow(_ log: AgreedLog, most: Int = .max) throws {
            let next = Array(log.entries[count...].prefix(most))
            var batches: [CommittedBatch] = []
            try writer.follow(
                next, keeping: Array("\(count + next.count)".utf8),
                didCommit: { batches.append($0) })
            self.batches += batches
            count += next.count
        }
    }

    /// A node's file that decides, and copies of it.
    private func nodes(
        _ tables: String = WrittenDatabase.cars, catalog: String = "{}", copies: Int = 1,
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> (leader: WrittenDatabase, AgreedLog, copies: [String]) {
        let leader = try WrittenDatabase(tables, catalog: catalog, in: folder)
        try leader.joinCluster(Array("0".utf8))
        let log = AgreedLog()
        leader.agreement = log.agreement()
        return (leader, log, try (0..<copies).map { try LoggedFiles.copy(leader, "\($0).db") })
    }

    @Test(arguments: runSeeds(3))
    func allNodesHaveTheSameFile(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let (leader, log, copies) = try nodes(
            LoggedFiles.tables, catalog: LoggedFiles.catalog, copies: 2)
        let catalog = leader.folder.file("catalog.yaml")
        var commands = LoggedFiles.Commands(seed: seed)
        let one = try Follower(copies[0], catalog: catalog)
        let other = try Follower(copies[1], catalog: catalog)
        for _ in 0..<40 {
            _ = try leader.commit(try commands.batch(of: leader))
            while one.count < log.entries.count { try one.follow(log, most: 1) }
            if random.below(4) == 0 { try other.follow(log) }
            // As after a restart: no revision is drawn.
            if random.below(10) == 0 { try other.restart() }
        }
        try other.follow(log)
        #expect(log.entries.count > 10)
        let revision = try #require(leader.batches.last?.revision)
        for node in [one, other] {
            try LoggedFiles.expectSame(node.path, leader, areNodes: true, "seed \(seed)")
            #expect(try node.writer.database.watch.look() == revision)
        }
        // Lists in memory are told the same.
        let decided = leader.batches.flatMap(\.commands)
        let followed = one.batches.flatMap(\.commands)
        #expect(decided.map(\.revision) == followed.map(\.revision))
        #expect(decided.map(\.name) == followed.map(\.name))
        for (decided, followed) in zip(decided, followed) {
            #expect(decided.effects.map { $0.list } == followed.effects.map { $0.list })
            #expect(decided.effects.map { $0.changes } == followed.effects.map { $0.changes })
            #expect(followed.unknownLists.isSubset(of: decided.unknownLists))
        }
    }

    /// Whoever leads next goes on where the entries end, and knows what was answered.
    @Test func anotherNodeDecidesNext() throws {
        let (leader, log, copies) = try nodes()
        let first = leader.command(.insert([.text("VW")]))
        let outcome = try leader.commit([first])[0].get()
        let next = try Follower(copies[0])
        try next.follow(log)
        let again = try next.writer.commit(
            [first], at: leader.time, agreement: log.agreement(term: 2))
        #expect(try again[0].get() == outcome, "It is known there, too")
        #expect(log.entries.count == 1)
        let second = leader.command(.set(1, 0, .text("Kia")))
        let results = try next.writer.commit(
            [second], at: leader.time, agreement: log.agreement(term: 2))
        #expect(try results[0].get().revision == outcome.revision + 1)
        #expect(Entry(stored: log.entries[1])?.term == 2)
        leader.close()
        try Follower(leader.path).follow(log)
        try leader.reopenDatabase()
        try LoggedFiles.expectSame(copies[0], leader, areNodes: true)
        #expect(try leader.query("SELECT make FROM cars") == [["Kia"]])
    }

    /// Nothing is committed unless it is agreed on, and the same command is carried out later.
    @Test func whatIsNotAgreedOnIsTakenBack() throws {
        let (leader, log, copies) = try nodes()
        let sent = leader.command(.insert([.text("VW")]))
        log.failure = ValetError(.outcomeUnknown, "no answer")
        #expect(try leader.commit([sent])[0].error?.code == .outcomeUnknown)
        #expect(try leader.count() == 0 && log.entries.isEmpty)
        #expect(leader.batches.isEmpty)
        #expect(try leader.commit([sent])[0].get().verdict.isApplied)
        #expect(try leader.count() == 1 && log.entries.count == 1)
        // It was in the log after all: then the node follows.
        let late = leader.command(.insert([.text("Kia")]))
        (log.failure, log.storesFailed) = (ValetError(.outcomeUnknown, "no answer"), true)
        #expect(try leader.commit([late])[0].error?.code == .outcomeUnknown)
        #expect(try leader.count() == 1 && log.entries.count == 2)
        leader.close()
        let node = try Follower(leader.path)
        try node.follow(log)
        let other = try Follower(copies[0])
        try other.follow(log)
        try leader.reopenDatabase()
        try LoggedFiles.expectSame(other.path, leader, areNodes: true)
        #expect(try leader.count() == 2)
    }

    /// The disk fails between the log and the COMMIT: the file follows what it has agreed on.
    @Test(arguments: [FaultyDisk.Fault.full, .brokenWrites, .brokenSyncs])
    func whatIsAgreedOnIsCommittedLater(fault: FaultyDisk.Fault) throws {
        let folder = TemporaryFolder()
        let disk = FaultyDisk(folder)
        let (leader, log, copies) = try nodes(in: folder)
        try leader.send(.insert([.text("VW")]))
        let state = try #require(leader.writer).nodeState()
        let sent = leader.command(.set(1, 0, .text("Kia")))
        disk.fail(fault)
        #expect(try leader.commit([sent])[0].error?.code == .outcomeUnknown)
        #expect(log.entries.count == 2)
        let writer = try #require(leader.writer)
        #expect(writer.lacksEntry && leader.batches.count == 1)
        #expect(try writer.nodeState() == state)
        let late = leader.command(.insert([.text("BMW")]))
        #expect(try leader.commit([late])[0].error?.code == .storageFailed, "Not before it has it")
        disk.fail(nil)
        try writer.follow([log.entries[1]], keeping: log.state)
        #expect(!writer.lacksEntry)
        let again = try leader.commit([sent, late]).map { try $0.get() }
        #expect(again[0].verdict.isApplied && again[1].verdict.isApplied)
        #expect(log.entries.count == 3)
        let other = try Follower(copies[0])
        try other.follow(log)
        try LoggedFiles.expectSame(other.path, leader, areNodes: true)
        #expect(try leader.query("SELECT make FROM cars") == [["Kia"], ["BMW"]])
    }

    @Test func aNodeDecidesNothingByItself() throws {
        let (leader, log, _) = try nodes()
        leader.agreement = nil
        let sent = leader.command(.insert([.text("VW")]))
        let refused = try leader.commit([sent])[0].error
        #expect(refused?.code == .busy)
        #expect(try leader.count() == 0 && log.entries.isEmpty)
    }

    /// Entries come in their order, each once, and only to rows that are what they were.
    @Test func whatDoesNotFollowIsRefused() throws {
        let (leader, log, copies) = try nodes()
        for make in ["VW", "Kia", "BMW"] { try leader.send(.insert([.text(make)])) }
        try leader.send(.set(1, 0, .text("Opel")))
        let node = try Follower(copies[0])
        func refused(_ entries: [[UInt8]], _ words: String) {
            expectFailure(saying: words) { try node.writer.follow(entries, keeping: [9]) }
        }
        refused([log.entries[1]], "does not follow")
        refused([log.entries[0], log.entries[0]], "does not follow")
        refused([log.entries[0], Array(log.entries[1].dropLast())], "can't be read")
        #expect(try node.writer.nodeState() == Array("0".utf8), "Nothing is kept of them")
        try node.writer.follow(log.entries, keeping: log.state)
        try LoggedFiles.expectSame(copies[0], leader, areNodes: true)
    }

    /// What others do to a node's file is in no log.
    @Test func aChangeByAnotherProgramEndsTheService() throws {
        let (leader, log, copies) = try nodes()
        try leader.send(.insert([.text("VW")]))
        let node = try Follower(copies[0])
        try TemporaryFolder.change(copies[0], "INSERT INTO cars VALUES ('Seat', 1)")
        expectFailure(.readOnly, saying: "diverged") {
            try node.writer.follow(log.entries, keeping: log.state)
        }
        try leader.change("INSERT INTO cars VALUES ('Seat', 1)")
        let sent = leader.command(.insert([.text("Kia")]))
        #expect(try leader.commit([sent])[0].error?.message.contains("diverged") == true)
        #expect(log.entries.count == 1)
    }

    /// Neither is served as the other, and a file that has left the cluster is as others are.
    @Test func aNodesFileIsNoOthers() throws {
        let (leader, _, copies) = try nodes()
        try leader.send(.insert([.text("VW")]))
        leader.close()
        let file = leader.path
        expectFailure(.readOnly, saying: "with --cluster") {
            _ = try Writer(of: Database(path: file), address: "alone")
        }
        expectFailure(.readOnly, saying: "of a cluster's node") {
            try NodeMark.make(inFile: file, [], at: 0)
        }
        let revision = try Database(path: copies[0]).watch.look()
        try NodeMark.remove(fromFile: copies[0])
        #expect(try NodeMark.state(inFile: copies[0]) == nil)
        do {
            let alone = try Writer(of: Database(path: copies[0]), address: "alone")
            #expect(try alone.database.watch.look() > revision, "An opening draws one again")
        }
        expectFailure(.readOnly, saying: "is of no cluster") {
            _ = try Writer(of: Database(path: copies[0]), address: "node", isOfNode: true).file()
        }
        expectFailure(saying: "is of no cluster") { try NodeMark.remove(fromFile: copies[0]) }
        try TemporaryFolder.change(file, "DELETE FROM _valet_node")
        expectFailure(saying: "no mark of its cluster") {
            _ = try Writer(of: Database(path: file), address: "node", isOfNode: true).file()
        }
    }

    /// Revisions that were told before are not given again.
    @Test func entriesBeginAboveWhatWasTold() throws {
        let file = try WrittenDatabase(makes: "VW")
        let told = try #require(file.writer?.highestTold)
        try file.joinCluster([0])
        let log = AgreedLog()
        file.agreement = log.agreement()
        let opened = try file.database.watch.look()
        #expect(opened >= told)
        try file.reopen()
        #expect(try file.database.watch.look() == opened, "An opening draws none")
        #expect(try file.outcome(.insert([.text("Kia")])).revision == opened + 1)
        try file.reopen()
        #expect(try file.database.watch.look() == opened + 1)
    }

    /// What no other node could take in is refused before it is in the log.
    @Test func whatOthersCanNotApplyIsRefused() throws {
        let (leader, log, _) = try nodes(
            """
            \(WrittenDatabase.cars);
            CREATE TABLE codes (code TEXT PRIMARY KEY) WITHOUT ROWID;
            CREATE TRIGGER coded AFTER INSERT ON cars WHEN NEW.year = 1 BEGIN
              INSERT INTO codes VALUES (NEW.make); END;
            """)
        let refusal = try leader.send(.insert([.text("VW"), .integer(1)])).refusal
        #expect(refusal?.contains("“codes”") == true)
        #expect(try leader.count() == 0 && leader.count("codes") == 0)
        #expect(log.entries.count == 1, "The refusal is an outcome")
        let long = String(repeating: "x", count: Limits.bytesPerNodeEntry)
        let sent = leader.command(.insert([.text(long)]))
        #expect(try leader.commit([sent])[0].error?.code == .limitExceeded)
        #expect(try leader.count() == 0 && log.entries.count == 1)
        let many = (0..<6).map { leader.command(.insert([.text("\($0)" + long.prefix(200_000))])) }
        for result in try leader.commit(many) { #expect(try result.get().verdict.isApplied) }
        #expect(log.entries.count > 2, "They don't fit into one entry")
        #expect(log.entries.allSatisfy { $0.count <= Limits.bytesPerNodeEntry })
    }
}
