import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// How long a revision, and a log's ID, mean the same: through restarts and crashes, and no longer
/// than the file is the one that it was.
@Suite struct RevisionLifetimeTests {
    /// The file and its log as they are now, as a process that is killed leaves them.
    private func killed(_ path: String, in folder: TemporaryFolder) throws -> String {
        let copy = folder.file("killed-\(UUID().uuidString).db")
        for suffix in ["", "-wal", "-valet"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        return copy
    }

    /// Revisions of other programs' commits are in no log, and clients have seen them.
    @Test(arguments: [false, true])
    func noRevisionIsToldTwice(isKilled: Bool) throws {
        let folder = TemporaryFolder()
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW")], [.text("Kia")]))
        var seen: UInt64 = 0
        for _ in 0..<10 {
            try file.change("UPDATE cars SET year = 1")
            seen = try file.database.watch.look()
        }
        let path = isKilled ? try killed(file.path, in: folder) : file.path
        if !isKilled { file.close() }
        let database = try Database(path: path)
        #expect(try database.watch.look() > seen)
        if !isKilled { #expect(try database.watch.look() == seen + 1) }
        let writer = try Writer(of: database, address: "restarted")
        // Somebody else changes the row, and a deletion of before comes.
        func send(_ number: UInt64, _ change: Change) throws -> Verdict {
            let command = Command(
                name: CommandName(writer: 2, number: number), list: "cars", change: change)
            return try writer.commit([SentCommand(command, from: WrittenDatabase.bert)], at: 9)[0]
                .get().verdict
        }
        #expect(try send(1, .set(1, 1, .integer(7))).isApplied)
        let deletion = try send(2, .delete([RowDeletion(rowID: 1, seen: seen)]))
        #expect(deletion.conflicts.map(\.theirs) == [.rowChanged])
    }

    @Test func openingsThatAreKilledTellDifferentRevisions() throws {
        let folder = TemporaryFolder()
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW")]))
        var (told, path): (Set<UInt64>, String) = ([], file.path)
        var lives: [Writer] = []
        for _ in 0..<3 {
            path = try killed(path, in: folder)
            let database = try Database(path: path)
            #expect(told.insert(try database.watch.look()).inserted)
            lives.append(try Writer(of: database, address: "life \(lives.count)"))
        }
    }

    /// Long before they reach it, the mark moves on.
    @Test func theMarkStaysAheadOfOtherProgramsCommits() throws {
        let file = try WrittenDatabase()
        let mark = try #require(file.writer?.highestTold)
        try file.writer?.keepRevisions(upTo: mark - UInt64(Limits.revisionsAhead / 2))
        #expect(file.writer?.highestTold == mark)
        try file.writer?.keepRevisions(upTo: mark)
        #expect(file.writer?.highestTold == mark + UInt64(Limits.revisionsAhead))
        #expect(
            try file.query("SELECT told FROM _valet_state")
                == [["\(mark + UInt64(Limits.revisionsAhead))"]])
    }

    /// Several processes start at once, and another was the first to write.
    @Test func commandsOfAnotherProcessSinceTheOpeningAreNotRepeated() throws {
        let file = try WrittenDatabase()
        let early = try Database(path: file.path)
        for _ in 0..<5 { try file.send(.insert([.text("VW")])) }
        file.close()
        let writer = try Writer(of: early, address: "later")
        let command = Command(
            name: CommandName(writer: 2, number: 1), list: "cars", change: .insert([.text("Kia")]))
        let outcome = writer.commit([SentCommand(command, from: WrittenDatabase.bert)], at: 9)
        #expect(try outcome[0].get().revision > 5)
    }

    enum Copying: CaseIterable {
        case elsewhere, elsewhereWithItsNote, olderState, movedAway, noteRemoved
    }

    /// The log of a copy, or of an older state, gets another ID: positions of the other mean
    /// nothing in it.
    @Test(arguments: Copying.allCases)
    func aCopyHasALogOfItsOwn(copying: Copying) throws {
        let folder = TemporaryFolder()
        let file = try WrittenDatabase()
        let files = FileManager.default
        for make in ["VW", "Kia"] { try file.send(.insert([.text(make)])) }
        let id = try #require(file.writer?.logID)
        file.close()
        file.database.watch.close()
        var path = file.path
        switch copying {
        case .elsewhere, .elsewhereWithItsNote:
            path = folder.file("copy.db")
            try files.copyItem(atPath: file.path, toPath: path)
            if copying == .elsewhereWithItsNote {
                try files.copyItem(atPath: file.path + "-valet", toPath: path + "-valet")
            }
        case .olderState:
            let older = try Data(contentsOf: URL(filePath: path))
            try file.reopen()
            try file.send(.insert([.text("Fiat")]))
            file.close()
            // Into the same file, so that only its log tells.
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: older)
            try handle.close()
        case .movedAway:
            try files.moveItem(atPath: path, toPath: folder.file("moved.db"))
            path = folder.file("moved.db")
        case .noteRemoved: try files.removeItem(atPath: path + "-valet")
        }
        let database = try Database(path: path)
        let reader = try database.makeReader()
        let start = (logID: id, after: LogPosition.end(of: 1))
        #expect(failure { _ = try reader.feedStart(list: 0, from: start) }?.code == .expired)
        let told = try reader.feedStart(list: 0, from: nil).logID
        #expect(told != id)
        let writer = try Writer(of: database, address: "copy")
        #expect(writer.logID == told)
        #expect(try reader.feedStart(list: 0, from: nil).logID == told)
        // Those who wrote to the other have no namesakes.
        #expect(try writer.newWriter(for: WrittenDatabase.anna, at: 9) > 1 << 32)
    }

    @Test func aRestartAndARestartAfterACrashKeepTheLog() throws {
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW")]))
        let id = file.writer?.logID
        try file.reopen()
        #expect(file.writer?.logID == id)
        // The note is of before the last commit.
        let note = try String(contentsOfFile: file.path + "-valet", encoding: .utf8)
        try file.send(.insert([.text("Kia")]))
        file.close()
        try note.write(
            to: URL(filePath: file.path + "-valet"), atomically: false, encoding: .utf8)
        try file.reopen()
        #expect(file.writer?.logID == id)
    }

    /// A file of an earlier version goes on with its log.
    @Test func aFileOfFormat3IsMadeOneOfFormat4() throws {
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW")]))
        let id = file.writer?.logID
        file.close()
        try FileManager.default.removeItem(atPath: file.path + "-valet")
        try file.change(
            """
            ALTER TABLE _valet_state DROP COLUMN told; ALTER TABLE _valet_state DROP COLUMN epochs;
            UPDATE _valet_state SET format = 3
            """)
        let reader = try Database(path: file.path).makeReader()
        #expect(try reader.feedStart(list: 0, from: nil).logID == id)
        try file.reopen()
        #expect(file.writer?.logID == id)
        #expect(try file.query("SELECT format, told > 0 FROM _valet_state") == [["4", "1"]])
        #expect(try file.send(.insert([.text("Kia")])).isApplied)
    }

    /// A copy of it is whole.
    @Test func theFileHasEverythingAfterACleanEnd() throws {
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW")]))
        file.close()
        let copy = file.folder.file("copy.db")
        try FileManager.default.copyItem(atPath: file.path, toPath: copy)
        #expect(try TemporaryFolder.number(copy, "SELECT count(*) FROM cars") == 1)
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
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW")]))
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

    @Test func aCopyAndAnotherCatalogHaveOtherEpochs() throws {
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW")]))
        file.close()
        let copy = file.folder.file("copy.db")
        try FileManager.default.copyItem(atPath: file.path, toPath: copy)
        #expect(try Database(path: copy, epoch: 5).validEpochs == [5])
        let catalog = file.folder.write(
            "lists: [{name: autos, table: cars}]", to: "other.yaml")
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
