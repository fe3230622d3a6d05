import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A file gets Valet's tables with the first command that is applied, and not before.
@Suite struct FirstCommandTests {
    private static let tables = """
        CREATE TABLE cars (make TEXT CHECK (make <> 'none'), year INTEGER);
        INSERT INTO cars VALUES ('VW', 1);
        CREATE TRIGGER ended BEFORE INSERT ON cars WHEN NEW.make = 'end'
          BEGIN SELECT RAISE(ROLLBACK, 'ended'); END;
        """
    private static let ownTables =
        "SELECT count(*) FROM sqlite_schema WHERE name LIKE '!_valet!_%' ESCAPE '!'"

    private func file(isWAL: Bool = false) throws -> WrittenDatabase {
        let mode = isWAL ? "PRAGMA journal_mode = wal; " : ""
        return try WrittenDatabase(mode + Self.tables, hasLog: false)
    }

    @Test(arguments: [false, true])
    func aCommandThatIsNotAppliedLeavesTheFileAsItIs(isWAL: Bool) throws {
        let file = try file(isWAL: isWAL)
        let before = try Data(contentsOf: URL(filePath: file.path))
        let conflict = file.command(.set(1, 1, .integer(3), seen: .cell(.integer(2))))
        let broken = file.command(.insert([.text("none")]))
        let ended = file.command(.insert([.text("end")]))
        let results = try file.commit([conflict, broken, ended])
        #expect(try results[0].get().verdict.conflicts.count == 1)
        #expect(try results[1].get().verdict.refusal != nil)
        #expect(try results[2].get().verdict.refusal == "ended")
        #expect(try results.map { try $0.get().revision } == [0, 0, 0])
        let unknown = SentCommand(CommandName(writer: 1, number: 1), .delete(1))
        #expect(try file.commit([unknown])[0].error?.code == .expired)
        file.close()
        #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
        #expect(try file.query(Self.ownTables) == [["0"]])
        #expect(file.batches.isEmpty)
        for suffix in ["-wal", "-journal"] where !isWAL {
            #expect(!FilePath.exists(file.path + suffix))
        }
    }

    @Test func theLogComesInTheTransactionOfTheFirstCommand() throws {
        let file = try file()
        let batch = [
            file.command(.insert([.text("none")])), file.command(.insert([.text("Kia")])),
            file.command(.insert([.text("none")])),
        ]
        var tables: [Int64] = []
        let look = { (_: CommittedBatch) in
            tables.append((try? TemporaryFolder.number(file.path, Self.ownTables)) ?? -1)
        }
        let results = try #require(file.writer).commit(
            batch, at: file.time, willCommit: look, didCommit: look)
        #expect(try results.map { try $0.get().revision } == [0, 1, 2])
        #expect(tables[0] == 0 && tables[1] > 0)
        #expect(try Connection(path: file.path).isInWALMode())
        #expect(try file.query("SELECT revision FROM _valet_log") == [["1"], ["2"]])
        #expect(file.writer?.logID == 7)
        try file.reopen()
        #expect(file.writer?.logID == 7, "it was noted")
        #expect(Array(try file.commit(batch)[1...]) == Array(results[1...]))
    }

    @Test func aFirstCommandThatCannotBeStoredBringsNoTables() throws {
        let folder = TemporaryFolder()
        let disk = FaultyDisk(folder)
        let file = try WrittenDatabase(hasLog: false, in: folder)
        let insert = file.command(.insert([.text("Kia")]))
        disk.fail(.full)
        #expect(try file.commit([insert])[0].error?.code == .storageFailed)
        disk.fail(nil)
        #expect(try file.query(Self.ownTables) == [["0"]])
        #expect(try file.commit([insert])[0].get().revision == 1)
        #expect(try file.query("SELECT make FROM cars") == [["Kia"]])
    }

    /// What was told stays so, though nothing is stored.
    @Test func aCommandSentAgainGetsItsFirstOutcome() throws {
        let file = try file()
        let edit = file.command(.set(1, 1, .integer(3), seen: .cell(.integer(2))))
        let conflict = try file.commit([edit])[0]
        try file.change("UPDATE cars SET year = 2")
        #expect(try file.commit([edit]) == [conflict])
        var command = edit.command
        command.change = .delete(1)
        var other = SentCommand(command, from: edit.station)
        #expect(try file.commit([other])[0].error?.code == .unexpected)
        other.station = .bert
        #expect(try file.commit([other])[0].error?.code == .expired)
        #expect(try file.send(.insert([.text("Kia")])).isApplied)
        let again = try file.commit([file.command(.insert([.text("BMW")])), edit])
        #expect(again[1] == conflict && again[0].error == nil)
        #expect(try file.query("SELECT year FROM cars WHERE rowid = 1") == [["2"]])
    }

    @Test func anOutcomeThatDoesNotFitIntoMemoryIsStored() throws {
        let file = try file()
        for _ in 0..<Limits.outcomesInMemory { try file.send(.insert([.text("none")])) }
        #expect(try file.query(Self.ownTables) == [["0"]])
        let stored = file.command(.insert([.text("end")]))
        let result = try file.commit([stored])[0]
        #expect(try result.get().revision == 1)
        try file.reopen()
        #expect(try file.commit([stored]) == [result])
    }

    @Test func anotherProgramsCommitIsReportedWithTheFirstCommand() throws {
        let file = try file()
        try file.change("UPDATE cars SET year = 2")
        let edit = Change.set(1, 1, .integer(3), seen: .cell(.integer(2)))
        #expect(try file.send(edit).isApplied)
        #expect(file.batches[0].foreignChange?.revision == 1 && file.batches[0].revision == 2)
    }
}

/// Which writers a server takes that have sent nothing yet.
@Suite struct NewWriterTests {
    private static let day: Int64 = 86_400 * 1_000_000

    private func code(_ file: WrittenDatabase, _ station: Station = .anna) throws -> ErrorCode? {
        let sent = SentCommand(try file.name(1), .insert([.text("VW")]), from: station)
        return try file.commit([sent])[0].error?.code
    }

    @Test(arguments: [false, true])
    func aWriterIsTakenForADayAfterARestart(hasLog: Bool) throws {
        for (age, expected) in [(Self.day - 2_000, nil), (Self.day + 1_000, ErrorCode.expired)] {
            let file = try WrittenDatabase(hasLog: hasLog)
            file.time = 1_000 * Self.day
            try file.newWriter(.anna)
            try file.reopen()
            file.time += age
            #expect(try code(file) == expected)
        }
    }

    @Test func aWriterOfThisLifeIsTakenHoweverOld() throws {
        let file = try WrittenDatabase()
        file.time += 100 * Self.day
        #expect(try code(file) == nil)
    }

    @Test func aWriterOfTheFutureIsNotTaken() throws {
        for (ahead, expected) in [(500, nil), (700, ErrorCode.expired)] as [(Int64, ErrorCode?)] {
            let file = try WrittenDatabase()
            file.time = 1_000 * Self.day + ahead * 1_000_000
            try file.newWriter(.anna)
            try file.reopen()
            file.time = 1_000 * Self.day
            #expect(try code(file) == expected)
        }
    }

    @Test(arguments: [false, true])
    func anotherStationCannotTakeAWriterBefore(hasLog: Bool) throws {
        let file = try WrittenDatabase(hasLog: hasLog)
        #expect(try code(file, .bert) == .expired)
        try file.writer?.retire(
            writer: file.name(1).writer, of: .bert, at: file.time)
        #expect(try code(file) == nil)
        #expect(try code(file, .bert) == .expired)
        try file.reopen()
        #expect(try code(file, .bert) == .expired)
    }

    /// Nobody knows any more what its writers have sent.
    @Test func theWritersOfALogThatWasRemovedAreNotTaken() throws {
        let file = try WrittenDatabase()
        #expect(try code(file) == nil)
        file.close()
        #expect(try FileLog.remove(fromFile: file.path) > 0)
        try file.reopen()
        #expect(try code(file) == .expired)
        try file.newWriter(.anna)
        #expect(try code(file) == nil)
        #expect(try file.query("SELECT count(*) FROM cars") == [["2"]])
    }

    @Test func aWriterBeginsWithItsTime() {
        let writer = WriterID(at: 1_709_251_199_999_999, random: (0xABCD, 7))
        #expect(writer.milliseconds == 1_709_251_199_999)
        #expect(writer.high & 0xFFFF == 0xABCD && writer.low == 7)
        #expect("\(WriterID(high: 0xAB, low: 1))" == "00000000000000ab0000000000000001")
        #expect(WriterID(at: -5, random: (1, 1)).milliseconds == 0)
        #expect(WriterID(high: .max, low: 0).milliseconds == 1 << 48 - 1)
    }

    @Test(arguments: SQL.namesOfLogTables.sorted())
    func aLogThatLacksATableIsRefusedUntilItIsRemoved(table: String) throws {
        let file = try WrittenDatabase()
        func insert() throws -> Verdict { try file.send(.insert([.text("VW"), .integer(1)])) }
        #expect(try insert().isApplied)
        file.close()
        #expect(try !FileCheck(path: file.path, time: .seconds(60)).hasPartOfLog)
        try TemporaryFolder.change(file.path, "DROP TABLE \(table)")
        expectFailure(.readOnly, saying: "“valetd log remove”") {
            try file.reopen()
            return try insert()
        }
        file.close()
        let check = try FileCheck(path: file.path, time: .seconds(60))
        #expect(check.hasPartOfLog == SQL.namesOfLogTablesInAllFormats.contains(table))
        #expect(try FileLog.exists(inFile: file.path))
        #expect(try FileLog.remove(fromFile: file.path) == 9)
        try file.reopen()
        try file.newWriter(.anna)
        #expect(try insert().isApplied)
    }
}
