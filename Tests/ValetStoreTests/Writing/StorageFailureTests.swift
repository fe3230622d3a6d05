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

    /// One step alone fails, the first, the second, … until none is left: a write, a sync or a
    /// truncation, or when SQLite opens or deletes a file. Each case takes every fourth of them.
    @Test(arguments: 0..<4) func aDiskThatFailsOnceNeverLies(first: Int) throws {
        for steps in sequence(first: first, next: { $0 + 4 }) {
            let folder = TemporaryFolder()
            let disk = FaultyDisk(folder)
            let file = try WrittenDatabase(hasLog: false, in: folder)
            disk.failOnce(afterSteps: steps)
            var sent: [(command: SentCommand, result: CommandResult)] = []
            /// One whose outcome is unknown may be there, whole.
            var allowed: [Int] {
                let told = sent.count { $0.result.error == nil }
                let unknown = sent.count { $0.result.error?.code == .outcomeUnknown }
                return [2 * told, 2 * (told + unknown)]
            }
            for number in 0..<3 {
                let hadFailed = !disk.isToFail
                let cell = Cell.text(String(repeating: "x", count: 1_000) + "\(number)")
                let insert = file.command(.insert([cell], [cell]))
                let result = try file.commit([insert])[0]
                sent.append((insert, result))
                if hadFailed { #expect(result.error == nil, "after \(steps) steps: \(result)") }
                if result.error != nil {
                    #expect(!disk.isToFail && !hadFailed, "after \(steps) steps: \(result)")
                    // Whoever kills the server now finds no more either.
                    let killed = try folder.killedWithJournal(file.path)
                    let left = try TemporaryFolder.number(killed, "SELECT count(*) FROM cars")
                    #expect(allowed.contains(Int(left)), "after \(steps) steps: \(result)")
                    #expect(try file.count() == allowed[0], "after \(steps) steps")
                }
                switch number {
                case 0:
                    try again(disk) {
                        try file.writer?.file().pagesInLog = .max >> 20
                        try file.writer?.tidy()
                    }
                case 1: try again(disk) { try file.reopen() }
                case _: break
                }
            }
            let hasPassed = disk.isToFail
            disk.failOnce(afterSteps: nil)
            try file.reopen()
            let count = try #require(try file.count())
            #expect(allowed.contains(count), "after \(steps) steps")
            #expect(try file.query("PRAGMA integrity_check") == [["ok"]], "after \(steps) steps")
            for (command, first) in sent {
                let result = try file.commit([command])[0]
                #expect(first.error != nil || result == first, "after \(steps) steps")
                #expect(try result.get().verdict.isApplied, "after \(steps) steps")
            }
            #expect(try file.count() == 6, "after \(steps) steps")
            #expect(try file.count("_valet_log") == 3, "after \(steps) steps")
            if hasPassed { return #expect(steps > 100) }
        }
    }

    /// What the disk's only failure kept from being done is done now.
    private func again(_ disk: FaultyDisk, _ body: () throws -> Void) throws {
        let hadFailed = !disk.isToFail
        do {
            try body()
        } catch let error as ValetError where !hadFailed && !disk.isToFail {
            #expect([.storageFailed, .outcomeUnknown, .readOnly].contains(error.code), "\(error)")
            try body()
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

extension TemporaryFolder {
    /// A file as a process that is killed leaves it, maybe in the midst of its first transaction.
    fileprivate func killedWithJournal(_ path: String) throws -> String {
        let copy = file("killed-\(UUID().uuidString).db")
        for suffix in ["", "-wal", "-journal"]
        where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        return copy
    }
}
