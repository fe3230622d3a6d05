import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// How long a revision, and a log's ID, mean the same: through restarts and crashes, and no longer
/// than the file is the one that it was.
@Suite struct RevisionLifetimeTests {
    /// Revisions of other programs' commits are in no log, and clients have seen them.
    @Test(arguments: [false, true])
    func noRevisionIsToldTwice(isKilled: Bool) throws {
        let file = try WrittenDatabase(after: .insert([.text("VW")], [.text("Kia")]))
        var seen: UInt64 = 0
        for _ in 0..<10 {
            try file.change("UPDATE cars SET year = 1")
            seen = try file.database.watch.look()
        }
        let path = isKilled ? try file.folder.killed(file.path) : file.path
        if !isKilled { file.close() }
        let database = try Database(path: path)
        #expect(try database.watch.look() > seen)
        if !isKilled { #expect(try database.watch.look() == seen + 1) }
        let writer = try Writer(of: database, address: "restarted")
        // Somebody else changes the row, and a deletion of before comes.
        func send(_ change: Change) throws -> Verdict {
            let sent = file.command(change, from: .bert)
            return try writer.commit([sent], at: file.time)[0].get().verdict
        }
        #expect(try send(.set(1, 1, .integer(7))).isApplied)
        let deletion = try send(.delete([RowDeletion(rowID: 1, seen: seen)]))
        #expect(deletion.conflicts.map(\.theirs) == [.rowChanged])
    }

    @Test func openingsThatAreKilledTellDifferentRevisions() throws {
        let file = try WrittenDatabase(makes: "VW")
        var (told, path): (Set<UInt64>, String) = ([], file.path)
        var lives: [Writer] = []
        for _ in 0..<3 {
            path = try file.folder.killed(path)
            let database = try Database(path: path)
            #expect(told.insert(try database.watch.look()).inserted)
            lives.append(try Writer(of: database, address: "life \(lives.count)"))
        }
    }

    /// Long before they reach it, the mark moves on.
    @Test func theMarkStaysAheadOfOtherProgramsCommits() throws {
        let file = try WrittenDatabase()
        let writer = try #require(file.writer)
        let mark = try #require(writer.highestTold)
        try writer.keepRevisions(upTo: mark - UInt64(Limits.revisionsAhead / 2))
        #expect(writer.highestTold == mark)
        try writer.keepRevisions(upTo: mark)
        let moved = mark + UInt64(Limits.revisionsAhead)
        #expect(writer.highestTold == moved)
        #expect(try file.query("SELECT told FROM _valet_state") == [["\(moved)"]])
    }

    /// The file has the old mark, whatever was about to be written.
    @Test func aMarkThatCouldNotBeStoredIsNotMoved() throws {
        let folder = TemporaryFolder()
        let disk = FaultyDisk(folder)
        let file = try WrittenDatabase(in: folder)
        let writer = try #require(file.writer)
        let mark = try #require(writer.highestTold)
        disk.fail(.full)
        expectFailure(.storageFailed) { try writer.keepRevisions(upTo: mark) }
        #expect(writer.highestTold == mark)
        disk.fail(nil)
        try writer.keepRevisions(upTo: mark)
        let moved = mark + UInt64(Limits.revisionsAhead)
        #expect(writer.highestTold == moved)
        #expect(try file.query("SELECT told FROM _valet_state") == [["\(moved)"]])
    }

    /// Several processes start at once, and another was the first to write.
    @Test func commandsOfAnotherProcessSinceTheOpeningAreNotRepeated() throws {
        let file = try WrittenDatabase()
        let early = try Database(path: file.path)
        for _ in 0..<5 { try file.send(.insert([.text("VW")])) }
        file.close()
        let writer = try Writer(of: early, address: "later")
        let sent = file.command(.insert([.text("Kia")]), from: .bert)
        #expect(try writer.commit([sent], at: file.time)[0].get().revision > 5)
    }

    enum Copying: CaseIterable {
        case elsewhere, elsewhereWithItsNote, olderState, movedAway, noteRemoved
    }

    /// The log of a copy, or of an older state, gets another ID: positions of the other mean
    /// nothing in it.
    @Test(arguments: Copying.allCases)
    func aCopyHasALogOfItsOwn(copying: Copying) throws {
        let file = try WrittenDatabase(makes: "VW", "Kia")
        let id = try #require(file.writer?.logID)
        file.closeAll()
        var path = file.path
        switch copying {
        case .elsewhere: path = try file.folder.copy(of: path)
        case .elsewhereWithItsNote: path = try file.folder.copy(of: path, with: "-valet")
        case .olderState:
            let older = Data(bytes(of: path))
            try file.reopen()
            try file.send(.insert([.text("Fiat")]))
            file.close()
            // Into the same file, so that only its log tells.
            try TemporaryFolder.overwrite(path, with: older)
        case .movedAway:
            path = file.folder.file("moved.db")
            try #require(rename(file.path, path) == 0)
        case .noteRemoved: try #require(unlink(path + "-valet") == 0)
        }
        let database = try Database(path: path)
        let reader = try database.makeReader()
        let start = (logID: id, after: LogPosition.end(of: 1))
        expectFailure(.expired) { try reader.feedStart(list: 0, from: start) }
        let told = try reader.feedStart(list: 0, from: nil).logID
        #expect(told != id)
        let writer = try Writer(of: database, address: "copy")
        #expect(writer.logID == told)
        #expect(try reader.feedStart(list: 0, from: nil).logID == told)
    }

    @Test func aRestartAndARestartAfterACrashKeepTheLog() throws {
        let file = try WrittenDatabase(makes: "VW")
        let id = file.writer?.logID
        try file.reopen()
        #expect(file.writer?.logID == id)
        // The note is of before the last commit.
        let note = try String(contentsOfFile: file.path + "-valet", encoding: .utf8)
        try file.send(.insert([.text("Kia")]))
        file.close()
        try Self.putBack(note, at: file.path + "-valet")
        try file.reopen()
        #expect(file.writer?.logID == id)
    }

    /// As if its owner had written it just now: its last line is the time, which must be that of
    /// the file. On a busy machine, time may pass in between.
    private static func putBack(_ note: String, at path: String) throws {
        let lines = note.split(separator: "\n").prefix(2).joined(separator: "\n")
        for _ in 0..<100 {
            let now = WallClock.now()
            try "\(lines)\n\(now)\n".write(toFile: path, atomically: false, encoding: .utf8)
            let values = try FileManager.default.attributesOfItem(atPath: path)
            let written = (values[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            if abs(written * 1e6 - Double(now)) < 20_000 { return }
        }
    }

    /// Its rows can be looked at; nothing of it is written.
    @Test func aFileOfALaterFormatIsNotWritten() throws {
        let file = try WrittenDatabase(makes: "VW")
        file.close()
        try file.change("UPDATE _valet_state SET format = \(WrittenFile.format + 1)")
        try file.change("PRAGMA wal_checkpoint(TRUNCATE)")
        let before = bytes(of: file.path)
        let database = try Database(path: file.path)
        let error = failure { _ = try Writer(of: database, address: "later") }
        #expect(error?.code == .readOnly)
        #expect(error?.message.hasSuffix("by another version of Valet: use that one") == true)
        #expect(try database.makeReader().everything(list: 0).map(\.id) == [1])
        #expect(bytes(of: file.path) == before)
    }

    /// A file of an earlier version goes on with its log.
    @Test(arguments: [3, 4])
    func aFileOfAnEarlierFormatIsMadeOneOfThisFormat(format: Int) throws {
        let file = try WrittenDatabase()
        // As those formats counted them.
        func send(_ number: UInt64, _ change: Change) throws -> CommandResult {
            let name = CommandName(writer: 1, number: number)
            return try file.commit([SentCommand(name, group: 1, change)])[0]
        }
        let id = file.writer?.logID
        try file.writer?.file().prepared.run(
            SQL.addWriter,
            WriterID(high: 0, low: 1).cells + [Station.anna.id.cell, .integer(file.time)])
        let first = try send(1, .insert([.text("VW")]))
        _ = try send(2, .insert([.text("Kia")]))
        let history = try file.history()
        file.close()
        try Self.storeEffects(inFile: file.path)
        if format == 3 { try #require(unlink(file.path + "-valet") == 0) }
        try file.change(Self.tables(ofFormat: format))
        let reader = try Database(path: file.path).makeReader()
        #expect(try reader.feedStart(list: 0, from: nil).logID == id)
        #expect(try reader.history(HistoryQuery(list: 0, most: 9)).changes == [])
        try file.reopen()
        #expect(try file.history() == history && history.count == 2)
        #expect(file.writer?.logID == id)
        #expect(try file.query("SELECT format, told > 0 FROM _valet_state") == [["6", "1"]])
        #expect(try send(1, .insert([.text("VW")])) == first)
        #expect(try file.send(.undo).isApplied)
        #expect(try file.count() == 0, "one group was undone")
        let kept = try file.query("SELECT high, low FROM _valet_writers ORDER BY high")
        #expect(kept[0] == ["0", "1"])
        let stranger = SentCommand(CommandName(writer: 2, number: 1), .undo)
        #expect(try file.commit([stranger])[0].error?.code == .expired)
    }

    /// A kill in the midst of that leaves the old tables or the new ones, which go on.
    @Test(arguments: [3, 4, 5])
    func anUpgradeThatIsKilledLeavesOneFormatWhole(format: Int64) throws {
        for steps in 0... {
            let folder = TemporaryFolder()
            let disk = FaultyDisk(folder)
            let file = try WrittenDatabase(makes: "VW", "Kia", in: folder)
            file.close()
            if format == 5 {
                try file.change("DROP TABLE _valet_row_ids; UPDATE _valet_state SET format = 5")
            } else {
                try Self.storeEffects(inFile: file.path)
                try file.change(Self.tables(ofFormat: Int(format)))
            }
            let old = try Connection(path: file.path).logTables()
            try file.reopenDatabase()
            disk.fail(afterSteps: steps)
            let isOpened = (try? file.reopenWriter()) != nil
            let killed = try folder.killed(file.path)
            disk.fail(afterSteps: nil)
            let found = try TemporaryFolder.number(killed, "SELECT format FROM _valet_state")
            #expect(found == (isOpened ? WrittenFile.format : found), "\(steps) steps")
            #expect([format, WrittenFile.format].contains(found), "\(steps) steps")
            let tables = try Connection(path: killed).logTables()
            #expect(tables == (found == format ? old : SQL.namesOfLogTables), "\(steps) steps")
            #expect(try TemporaryFolder.number(killed, "SELECT count(*) FROM _valet_log") == 2)
            let database = try Database(path: killed)
            let writer = try Writer(of: database, address: "next")
            let reader = try database.makeReader()
            #expect(try reader.history(HistoryQuery(list: 0, most: 9)).changes.count == 2)
            withExtendedLifetime(writer) {}
            if isOpened { return #expect(steps > 3) }
        }
    }

    /// Before format 5, effects stood alone, and named their tables by numbers.
    private static func storeEffects(inFile path: String) throws {
        let connection = try Connection(path: path, access: .write)
        try connection.run(
            """
            CREATE TABLE _valet_effects (
              revision INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, effects BLOB NOT NULL);
            CREATE TABLE _valet_shapes (
              id INTEGER PRIMARY KEY, tab INTEGER NOT NULL, columns BLOB NOT NULL,
              UNIQUE (tab, columns))
            """)
        let prepared = PreparedStatements(connection)
        var entries: [Entry] = []
        try prepared.rows(SQL.entriesAfter, [.integer(0)]) { row in
            Entry(stored: row.byteArray(0)).map { entries.append($0) }
            return true
        }
        for entry in entries {
            for (place, command) in entry.commands.enumerated() {
                let revision = entry.first + UInt64(place)
                var (columns, effects) = (LogBytes(), LogBytes())
                for name in entry.tables[0].columns { columns.write(name) }
                var stored = command.effects
                for place in stored.indices { stored[place].table = 5 }
                stored.write(to: &effects, at: revision)
                try prepared.run(
                    "INSERT OR IGNORE INTO _valet_shapes VALUES (5, 1, ?)",
                    [.block(columns.bytes)])
                try prepared.run(
                    "INSERT INTO _valet_effects VALUES (?, 0, ?)",
                    [.integer(Int64(revision)), .block(effects.bytes)])
            }
        }
        try connection.run("DROP TABLE _valet_entries; DROP TABLE _valet_consumers")
    }

    /// Makes the tables what they were in a format.
    private static func tables(ofFormat format: Int) -> String {
        let later = format > 3 ? "told INTEGER NOT NULL DEFAULT 0, epochs BLOB NOT NULL" : ""
        let (laterNames, comma) = format > 3 ? ("told, epochs", ",") : ("", "")
        return """
            CREATE TEMP TABLE state AS SELECT * FROM _valet_state;
            CREATE TEMP TABLE writers AS SELECT * FROM _valet_writers;
            DROP TABLE _valet_state; DROP TABLE _valet_writers; DROP INDEX _valet_commands;
            CREATE TABLE _valet_state (
              id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, log INTEGER NOT NULL,
              writers INTEGER NOT NULL \(comma) \(later));
            INSERT INTO _valet_state (id, format, log, writers \(comma) \(laterNames))
              SELECT id, \(format), log, 2 \(comma) \(laterNames) FROM temp.state;
            CREATE TABLE _valet_writers (
              id INTEGER PRIMARY KEY, station BLOB NOT NULL, used INTEGER NOT NULL,
              retired INTEGER, highest INTEGER NOT NULL, applied BLOB NOT NULL);
            INSERT INTO _valet_writers SELECT low, station, used, retired, highest, applied
              FROM temp.writers;
            DROP TABLE _valet_row_ids;
            ALTER TABLE _valet_log DROP COLUMN writer_high;
            ALTER TABLE _valet_undo DROP COLUMN writer_high;
            CREATE UNIQUE INDEX _valet_commands ON _valet_log (writer, number)
            """
    }
}

/// Which commands of before mean the same after a restart.
@Suite struct CatalogEpochTests {
    private func restarted(_ file: WrittenDatabase, epoch: UInt64) throws -> Set<UInt64> {
        let database = try Database(path: file.path, epoch: epoch)
        // Its end writes nothing that the next life needs.
        _ = try Writer(of: database, address: "life \(epoch)")
        return database.validEpochs
    }

    @Test func epochsLastWhileNobodyChangesTablesOrRowIDs() throws {
        let file = try WrittenDatabase(makes: "VW")
        file.close()
        #expect(try restarted(file, epoch: 1) == [0, 1])
        #expect(try restarted(file, epoch: 2) == [0, 1, 2])
        for (number, change) in ["ALTER TABLE cars ADD COLUMN fuel", "VACUUM"].enumerated() {
            try file.change(change)
            let epoch = UInt64(10 * number + 10)
            #expect(try restarted(file, epoch: epoch) == [epoch])
            #expect(try restarted(file, epoch: epoch + 1) == [epoch, epoch + 1])
        }
    }

    /// As after a dump that was read into another file and copied over this one: the version is the
    /// same.
    @Test func rowsThatMoveEndTheEpochsWhateverTheVersion() throws {
        let file = try WrittenDatabase(makes: "VW")
        file.close()
        #expect(try restarted(file, epoch: 1) == [0, 1])
        let version = try file.query("PRAGMA schema_version")[0][0]
        try TemporaryFolder.vacuum(file.path, version: version)
        #expect(try restarted(file, epoch: 2) == [2])
        #expect(try restarted(file, epoch: 3) == [2, 3])
    }

    @Test func aCopyAndAnotherCatalogHaveOtherEpochs() throws {
        let file = try WrittenDatabase(makes: "VW")
        file.close()
        let copy = try file.folder.copy(of: file.path)
        #expect(try Database(path: copy, epoch: 5).validEpochs == [5])
        let catalog = file.folder.write("lists: [{name: autos, table: cars}]", to: "other.yaml")
        let other = try Database(path: file.path, catalogPath: catalog, epoch: 5)
        #expect(other.validEpochs == [5])
    }

    @Test func epochsAreBoundedAndDamagedOnesAreNone() {
        var epochs = CatalogEpochs(schemaVersion: 3, catalog: 7)
        for epoch in 0..<UInt64(2 * Limits.epochsRemembered) { epochs.add(epoch) }
        #expect(epochs.epochs.count == Limits.epochsRemembered)
        #expect(epochs.epochs.last == UInt64(2 * Limits.epochsRemembered - 1))
        #expect(epochs.known(from: epochs.stored) == epochs.epochs)
        for length in 0..<epochs.stored.count {
            let cut = epochs.known(from: Array(epochs.stored.prefix(length)))
            #expect(cut == Array(epochs.epochs.prefix(cut.count)))
        }
        #expect(epochs.known(from: [UInt8](repeating: 0xFF, count: 40)) == [])
        #expect(CatalogEpochs(schemaVersion: 4, catalog: 7).known(from: epochs.stored) == [])
    }
}
