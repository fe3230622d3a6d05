import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Disks that are full or broken, and files that others hold: nothing is acknowledged that is not
/// in the file, reads go on, and so does writing when it can.
@Suite struct StorageFailureTests {

    /// What could be written and not synced may be found by the next opening.
    @Test(arguments: [FaultyDisk.Fault.full, .brokenWrites, .brokenSyncs])
    func aCommitThatFailsChangesNothing(fault: FaultyDisk.Fault) throws {
        let code = fault == .brokenSyncs ? ErrorCode.outcomeUnknown : .storageFailed
        let folder = TemporaryFolder()
        let disk = FaultyDisk(folder)
        let file = try WrittenDatabase(after: .insert([.text("VW")], [.text("Kia")]), in: folder)
        let rows = try file.query("SELECT rowid, * FROM cars")
        disk.fail(fault)
        let batch = [file.command(.set(1, 0, .text("BMW"))), file.command(.delete(2))]
        for result in try file.commit(batch) {
            expectFailure(code, saying: fault == .full ? "the disk is full" : "") {
                try result.get()
            }
        }
        #expect(try file.query("SELECT rowid, * FROM cars") == rows)
        #expect(file.batches.count == 1)
        disk.fail(nil)
        #expect(try file.commit(batch).map { try $0.get().revision } == [2, 3])
        #expect(try file.query("SELECT rowid, make FROM cars") == [["1", "BMW"]])
        #expect(try file.database.watch.lookForOthers() == 0)
        try file.reopen()
        #expect(try file.commit(batch).map { try $0.get().revision } == [2, 3])
    }

    /// The log has the whole commit, so a restart brings it: it is not told as failed, and what is
    /// sent again gets the outcome.
    @Test(arguments: [false, true])
    func aCommitThatCouldNotBeSyncedIsUnknownUntilItIsLookedUp(isRestarted: Bool) throws {
        let folder = TemporaryFolder()
        let disk = FaultyDisk(folder)
        let file = try WrittenDatabase(after: .insert([.text("VW"), .integer(1)]), in: folder)
        let sale = file.command(.set(1, 1, .integer(0), seen: .cell(.integer(1))))
        disk.fail(.brokenSyncs)
        #expect(try file.commit([sale])[0].error?.code == .outcomeUnknown)
        disk.fail(nil)
        if isRestarted {
            // As when the process is killed: all connections are gone, and the log stays.
            let copy = try folder.copy(of: file.path, with: "-wal")
            let year = try TemporaryFolder.number(copy, "SELECT year FROM cars")
            #expect(year == 0, "the failed commit is found")
            let writer = try Writer(of: Database(path: copy), address: "restarted")
            #expect(try writer.commit([sale], at: file.time)[0].get().revision == 2)
        } else {
            #expect(try file.commit([sale])[0].get().verdict.isApplied)
            #expect(try file.query("SELECT year FROM cars") == [["0"]])
        }
    }

    /// The disk breaks for good after 0, 1, 2, … steps, until it breaks no more.
    @Test func aDiskThatBreaksNeverLies() throws {
        for steps in 0... {
            let folder = TemporaryFolder()
            let disk = FaultyDisk(folder)
            let file = try WrittenDatabase(in: folder)
            disk.fail(afterSteps: steps)
            var told: [Int] = []
            for number in 0..<6 {
                let cell = Cell.text(String(repeating: "x", count: 3_000) + "\(number)")
                let insert = file.command(.insert([cell], [cell]))
                if case .success = try file.commit([insert])[0] { told.append(number) }
                try? file.writer?.tidy()
            }
            #expect(told == Array(0..<told.count), "after \(steps) steps")
            disk.fail(afterSteps: nil)
            try file.reopen()
            // The one that failed first may be there, whole.
            let count = try #require(try file.count())
            #expect([2 * told.count, 2 * told.count + 2].contains(count), "after \(steps) steps")
            #expect(try file.query("PRAGMA integrity_check") == [["ok"]])
            #expect(try file.count("_valet_log") == count / 2, "after \(steps) steps")
            if told.count == 6 { return }
        }
    }

    @Test(arguments: [true, false]) func aFileThatIsLockedIsBusy(hasLog: Bool) throws {
        let file = try WrittenDatabase(hasLog: hasLog)
        let insert = file.command(.insert([.text("VW")]))
        try TemporaryFolder.locking(file.path) { () throws in
            expectFailure(.busy, saying: "is locked by another program") {
                try file.commit([insert])[0].get()
            }
            if hasLog { #expect(try file.count() == 0) }
        }
        #expect(try file.commit([insert])[0].get().revision == 1)
    }

    @Test func aFileThatCannotBeWrittenIsReadOnly() throws {
        let folder = TemporaryFolder()
        let disk = FaultyDisk(folder)
        let file = try WrittenDatabase(
            WrittenDatabase.cars + "; INSERT INTO cars VALUES ('VW', 1)", hasLog: false, in: folder)
        disk.fail(.readOnly)
        let deletion = file.command(.delete(1))
        #expect(try file.commit([deletion])[0].error?.code == .readOnly)
        #expect(try file.query("SELECT count(*) FROM cars") == [["1"]])
        disk.fail(nil)
        #expect(try file.commit([deletion])[0].get().verdict.isApplied)
    }
}
