import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// How long commands, their outcomes and effects, and writers are remembered.
@Suite struct ExpiryTests {
    private static let day: Int64 = 86_400 * 1_000_000

    private func send(
        _ number: UInt64, of writer: WriterID? = nil, in file: WrittenDatabase
    ) throws -> CommandResult {
        var name = try file.name(number)
        if let writer { name.writer = writer }
        return try file.commit([SentCommand(name, .insert([.text("VW")]))])[0]
    }

    @Test func outcomesAreKeptForSevenDays() throws {
        let file = try WrittenDatabase()
        let first = try send(10, in: file)
        file.time += 7 * Self.day - 10_000
        try file.send(.insert([.text("Kia")]), from: .bert)
        #expect(try send(10, in: file) == first)
        file.time += 20_000
        try file.send(.insert([.text("Kia")]), from: .bert)
        #expect(try send(10, in: file).error?.code == .expired, "it was carried out")
        #expect(try file.count() == 3)
        #expect(try send(9, in: file).get().verdict.isApplied, "it was left out")
        try file.reopen()
        #expect(try send(10, in: file).error?.code == .expired)
        #expect(try file.count() == 4)
    }

    @Test func theNewestOutcomeIsKeptHoweverOld() throws {
        let file = try WrittenDatabase()
        let only = try send(1, in: file)
        file.time += 1_000 * Self.day
        #expect(try send(1, in: file) == only)
        #expect(try send(2, in: file).get().revision == 2)
    }

    @Test func aMillionOutcomesAreKept() throws {
        let file = try WrittenDatabase()
        let first = try send(1, in: file)
        // As if so many commands of another writer had come, and revisions had gaps.
        func add(_ count: Int, from revision: Int) throws {
            try file.change(
                """
                \(numbers(to: count)) INSERT INTO _valet_log
                SELECT \(revision) + 3 * i, time, 2, \(revision) + i, station, name, list, kind,
                  outcome, digest, 0
                FROM _valet_log, n WHERE revision = 1
                """)
            try file.reopen()
        }
        try add(Limits.outcomes - 2, from: 10)
        _ = try send(2, in: file)
        #expect(try send(1, in: file) == first)
        try add(1, from: 10 * Limits.outcomes)
        _ = try send(3, in: file)
        #expect(try send(1, in: file).error?.code == .expired)
        #expect(try file.count() == 3)
    }

    /// As if the last entry were as large as all may be.
    private func fillLog(_ file: WrittenDatabase) throws {
        try file.change(
            """
            UPDATE _valet_entries SET bytes = bytes + \(Limits.bytesOfLog)
            WHERE revision = (SELECT max(revision) FROM _valet_entries)
            """)
        try file.reopen()
    }

    @Test func effectsAreKeptUpToTheirBytes() throws {
        let file = try WrittenDatabase(makes: "VW", "Kia", "Fiat")
        #expect(try file.count("_valet_entries") == 3)
        try fillLog(file)
        try file.send(.insert([.text("BMW")]))
        #expect(try file.query("SELECT revision FROM _valet_entries")[0] == ["3"])
        #expect(try file.count("_valet_log") == 4, "outcomes have limits of their own")
        #expect(try file.count("_valet_rows") == 2)
        for _ in 0..<2 { #expect(try file.send(.undo).isApplied) }
        #expect(
            try file.send(.undo).refusal == "there is nothing to undo in “cars” that is still kept")
        #expect(try file.count("_valet_undo") == 2, "what can be done again")
    }

    /// Whoever makes one change never comes again.
    @Test func aChangeThatCannotBeUndoneAnyMoreIsNoStep() throws {
        let file = try WrittenDatabase()
        let stations = (1...300).map { Station(name: "\($0)", id: StationID(high: 5, low: $0)) }
        for station in stations {
            try file.newWriter(station)
            try file.send(.insert([.text("VW")]), from: station)
        }
        #expect(try file.count("_valet_undo") == 300)
        try fillLog(file)
        for _ in 0..<2 { try file.send(.insert([.text("Kia")]), from: stations[299]) }
        #expect(try file.count("_valet_entries") == 3)
        #expect(try file.count("_valet_undo") == 3)
    }

    /// However far the log is behind its limits, it comes to them.
    @Test func manyOldEntriesAreDroppedOverSomeCommits() throws {
        let file = try WrittenDatabase()
        let old = 600
        for _ in 0..<old { try file.send(.insert([.text("VW")])) }
        try fillLog(file)
        file.time += 8 * Self.day
        try file.newWriter(.bert)
        let left = [old + 1 - Limits.entriesDropped, old + 2 - 2 * Limits.entriesDropped]
        for (effects, commands) in zip(left + [4], left + [3]) {
            try file.send(.insert([.text("Kia")]), from: .bert)
            #expect(try file.count("_valet_entries") == effects)
            #expect(try file.count("_valet_log") == commands)
        }
    }

    /// Bert has set the row since, but the log has dropped that.
    @Test func aDroppedEntryMayHaveChangedAnyRow() throws {
        let file = try WrittenDatabase(after: .insert([.text("VW")], [.text("Kia")]))
        let seen = try file.database.watch.look()
        try file.send(.set(1, 0, .text("Opel")), from: .bert)
        try file.writer?.file().log.bytesOfEntries += Int64(Limits.bytesOfLog)
        try file.send(.insert([.text("BMW")]))
        #expect(try file.query("SELECT revision FROM _valet_entries") == [["3"]])
        let deletion = Change.delete([RowDeletion(rowID: 1, seen: seen)])
        #expect(try file.send(deletion).conflicts.map(\.theirs) == [.rowChanged])
        let now = try file.database.watch.look()
        #expect(try file.send(.delete([RowDeletion(rowID: 1, seen: now)])).isApplied)
    }

    @Test func writersAreKeptFor400Days() throws {
        let file = try WrittenDatabase()
        _ = try send(1, in: file)
        file.time += 8 * Self.day
        // Now its outcome is dropped, and the writer's row is all that is left.
        for _ in 0..<2 { try file.send(.insert([.text("Kia")]), from: .bert) }
        file.time += 391 * Self.day
        try sendAsANewWriter(in: file)
        #expect(try send(1, in: file).error?.code == .expired)
        #expect(try file.count("_valet_writers") == 3)
        try file.reopen()
        file.time += 2 * Self.day
        try sendAsANewWriter(in: file)
        #expect(try file.count("_valet_writers") == 3)
        #expect(try send(2, in: file).error?.code == .expired, "nobody knows the writer")
        #expect(try file.count() == 5)
    }

    private func sendAsANewWriter(in file: WrittenDatabase) throws {
        try file.newWriter(.bert)
        try file.send(.insert([.text("Fiat")]), from: .bert)
    }

    @discardableResult
    private func retire(in file: WrittenDatabase) throws -> WriterID {
        let retired = try file.name(1).writer
        try #require(file.writer).retire(writer: retired, of: .anna, at: file.time)
        return retired
    }

    @Test(arguments: [false, true])
    func aWriterThatSaidGoodbyeIsKeptForADay(isRestarted: Bool) throws {
        let file = try WrittenDatabase()
        let first = try send(1, in: file)
        let retired = try retire(in: file)
        if isRestarted { try file.reopen() }
        file.time += Self.day - 10_000
        try sendAsANewWriter(in: file)
        #expect(try send(1, in: file) == first)
        #expect(try send(2, in: file).get().verdict.isApplied)
        file.time += 20_000
        try sendAsANewWriter(in: file)
        #expect(try send(1, in: file) == first, "its outcomes are kept as long as others")
        #expect(try send(3, in: file).error?.code == .expired)
        #expect(try file.count() == 4)
        // It was forgotten, whatever the clock says: it is not taken for a new one.
        file.time -= Self.day
        #expect(try send(3, in: file).error?.code == .expired)
        #expect(
            try file.query("SELECT forgotten FROM _valet_state") == [["\(retired.milliseconds)"]])
    }

    /// Also by the process that made the writer, once nothing of it is kept in the file.
    @Test func aCommandOfAForgottenWriterIsNotCarriedOutAgain() throws {
        let file = try WrittenDatabase()
        _ = try send(1, in: file)
        try retire(in: file)
        file.time += 8 * Self.day
        try sendAsANewWriter(in: file)
        try file.send(.insert([.text("Kia")]), from: .bert)
        #expect(try file.count("_valet_writers") == 1)
        #expect(try send(1, in: file).error?.code == .expired)
        #expect(try file.count() == 3)
    }

    /// It has sent nothing, so there is nothing that could be done twice.
    @Test func aWriterThatSaidGoodbyeBeforeItsFirstCommandIsStillNew() throws {
        let file = try WrittenDatabase()
        try retire(in: file)
        file.time += 8 * Self.day
        try sendAsANewWriter(in: file)
        #expect(try send(1, in: file).get().verdict.isApplied)
    }

    /// Whoever can write the file can't stop the server.
    @Test(arguments: [Int64.min, -1, 0, .max])
    func forgedNumbersDoNoHarm(number: Int64) throws {
        for column in ["revision", "number", "time"] {
            let file = try WrittenDatabase(makes: "VW", "Kia")
            try file.change("UPDATE _valet_log SET \(column) = \(number) WHERE revision = 1")
            try file.reopen()
            file.time += 8 * Self.day
            for _ in 0..<2 { _ = try file.commit([file.command(.insert([.text("BMW")]))]) }
            file.time -= 8 * Self.day
            _ = try file.commit([file.command(.insert([.text("BMW")]))])
        }
        let file = try WrittenDatabase(makes: "VW")
        try file.change("UPDATE _valet_entries SET bytes = \(number)")
        try file.reopen()
        for _ in 0..<2 { #expect(try file.send(.insert([.text("BMW")])).isApplied) }
    }

    /// A log entry is one value, which has to fit.
    @Test func aCommandThatChangesTooMuchIsRefused() throws {
        let file = try WrittenDatabase()
        let long = Cell.text(String(repeating: "x", count: 1_000))
        try file.send(.insert([long], [long], [long]))
        try file.writer?.file().decider.recorder.mostBytes = 3_000
        let all = Change.delete(1, 2, 3)
        #expect(failure { try file.send(all) }?.code == .limitExceeded)
        #expect(try file.count() == 3)
        #expect(try file.send(.delete(1, 2)).isApplied)
        let added = Change.insert([long], [long], [long])
        #expect(throws: ValetError.self) { try file.send(added) }
        #expect(try file.count() == 1)
    }

    // MARK: Those who take entries

    @Test func entriesAreKeptForTheSlowestConsumer() throws {
        let file = try WrittenDatabase(makes: "VW", "VW", "VW")
        let writer = try #require(file.writer)
        try writer.keepEntries(after: 1, for: "slow")
        try writer.keepEntries(after: 3, for: "fast")
        func oldest() throws -> String {
            try file.query("SELECT min(revision) FROM _valet_entries")[0][0]
        }
        try writer.file().log.bytesOfEntries += Int64(Limits.bytesOfLog)
        try file.send(.insert([.text("VW")]))
        #expect(try oldest() == "2", "the first was taken by both")
        try writer.keepEntries(after: 2, for: "slow")
        try file.send(.insert([.text("VW")]))
        #expect(try oldest() == "3")
        #expect(throws: ValetError.self) { try writer.keepEntries(after: 1, for: "late") }
        // One that comes no more fills no disk.
        try writer.file().log.bytesOfEntries += Int64(Limits.bytesOfLogForConsumers)
        try file.send(.insert([.text("VW")]))
        #expect(try oldest() == "6", "all but the newest")
        #expect(try file.query("SELECT count(*) FROM _valet_consumers") == [["0"]])
        #expect(failure { try writer.keepEntries(after: 2, for: "slow") }?.code == .expired)
        for number in 0..<Limits.consumersOfLog {
            try writer.keepEntries(after: 9, for: "\(number)")
        }
        #expect(failure { try writer.keepEntries(after: 9, for: "x") }?.code == .limitExceeded)
        try writer.keepEntries(after: nil, for: "0")
        try writer.keepEntries(after: 9, for: "x")
    }
}
