import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// The power is lost at any moment, again and again, and chance decides what of that which was not
/// synced is found: what was acknowledged is there, once, and nothing else but possibly all of the
/// batch that was being committed.
@Suite struct PowerLossTests {

    /// With 173937 a note is cut before its last word.
    @Test(arguments: [173_937] + runSeeds(24))
    func whatWasAcknowledgedOutlivesALossOfPower(seed: UInt64) throws {
        let found = try PowerLosses.complaint(seed: seed)
        #expect(found == nil, "seed \(seed)")
    }

    /// SQLite would put what is in the log into it.
    @Test func anOlderCopyBesideTheLogThatALossOfPowerHasLeftIsRefused() throws {
        let folder = TemporaryFolder()
        let disk = FaultyDisk(folder, losesPower: true)
        let file = try WrittenDatabase(makes: "VW", in: folder)
        try file.reopen()
        let older = bytes(of: file.path)
        try file.send(.insert([.text("Seat")]))
        try file.reopen()
        try file.send(.insert([.text("Kia")]))
        disk.losePower()
        file.closeAll()
        let note = try #require(disk.bytesAtLoss(of: file.path + "-valet"))
        var random = SeededNumbers(seed: runSeed)
        try disk.powerReturns(&random)
        try TemporaryFolder.overwrite(file.path + "-valet", with: Data(note.afterRestart))
        try LeftLog.check(file.path)
        // A sector that was written in part may end within the log's ID, which is no other then.
        let left = bytes(of: file.path)
        let logID = try #require(LoggedCommand(inFileAt: file.path)?.logID)
        let id = try #require(left.firstRange(of: withUnsafeBytes(of: logID.bigEndian, Array.init)))
        var torn = left
        for place in id.dropFirst(2) { torn[place] ^= 0xFF }
        try TemporaryFolder.overwrite(file.path, with: Data(torn))
        try LeftLog.check(file.path)
        #expect(LeftLog.isTorn(logID ^ 0xFFFF_FFFF_FFFF, of: logID))
        #expect(!LeftLog.isTorn(logID ^ 1 << 48, of: logID) && !LeftLog.isTorn(nil, of: logID))
        try TemporaryFolder.overwrite(file.path, with: Data(older))
        expectFailure(.storageFailed, saying: "/test.db-wal”") { try LeftLog.check(file.path) }
        #expect(bytes(of: file.path) == older)
    }

    /// What was acknowledged is lost.
    @Test func aDiskThatDoesNotSyncIsFoundOut() throws {
        let found = try (0..<12).compactMap { try PowerLosses.complaint(seed: $0, .idleSyncs) }
        #expect(found.count > 6, "\(found)")
    }
}

/// A file, what was acknowledged of it, and random losses of power.
private struct PowerLosses {
    private struct Complaint: Error {
        let text: String
    }

    private let disk: FaultyDisk
    private let file: WrittenDatabase
    private var random: SeededNumbers
    /// The year of each make.
    private var rows: [String: Int64] = [:]
    private var rowIDs: [String: Int64] = [:]
    private var acknowledged: [(sent: SentCommand, result: CommandResult)] = []
    /// What was sent last and not acknowledged.
    private var underWay: [SentCommand] = []
    /// The notes beside the file that may be found: each since the last that was synced.
    private var notes: [[UInt8]] = []
    private var makes = 0

    /// What is wrong after a loss; nil if all is right after each.
    static func complaint(seed: UInt64, _ fault: FaultyDisk.Fault? = nil) throws -> String? {
        var losses = try PowerLosses(seed: seed, fault)
        do {
            try losses.run()
            return nil
        } catch let complaint as Complaint {
            return complaint.text
        } catch let error as ValetError {
            return error.description
        }
    }

    private init(seed: UInt64, _ fault: FaultyDisk.Fault?) throws {
        let folder = TemporaryFolder()
        disk = FaultyDisk(folder, losesPower: true)
        random = SeededNumbers(seed: seed)
        let pageSize = [512, 1_024, 4_096][random.below(3)]
        file = try WrittenDatabase(
            "PRAGMA page_size = \(pageSize); \(WrittenDatabase.cars)", hasLog: false, in: folder)
        disk.syncAll()
        disk.fail(fault)
    }

    private mutating func run() throws {
        for round in 0..<5 {
            disk.losePower(afterSteps: random.below([40, 150, 500][random.below(3)]))
            do {
                if round > 0 { try openAndCheck() }
                try work()
            } catch  where !disk.hasPower {}
            try losePower()
        }
        try openAndCheck()
    }

    /// Until the power is lost, or not.
    private mutating func work() throws {
        for _ in 0..<10 where disk.hasPower {
            switch random.below(10) {
            case 0:
                try file.writer?.file().pagesInLog = .max >> 20
                try file.writer?.tidy()
            case 1: try file.reopen()
            case _: try commit(batch())
            }
            noteIsWritten()
        }
    }

    /// Changes of different cars.
    private mutating func batch() -> [SentCommand] {
        var others = rowIDs.keys.filter { rows[$0] != nil }.sorted()
        // The first command has a transaction of its own.
        let more = acknowledged.isEmpty ? 0 : random.below(4)
        return (0...more).map { _ in
            makes += 1
            var change = Change.insert([.text(make(makes)), .integer(Int64(makes))])
            if !others.isEmpty, random.below(2) == 0 {
                let rowID = rowIDs[others.remove(at: random.below(others.count))] ?? 0
                change =
                    random.below(3) == 0
                    ? .delete(rowID) : .set(rowID, 1, .integer(Int64(makes)))
            }
            return file.command(change, from: random.below(3) == 0 ? .bert : .anna)
        }
    }

    /// Some are longer than a page.
    private func make(_ number: Int) -> String {
        String(repeating: "make ", count: number % 7 == 0 ? 1_000 : 1) + "\(number)"
    }

    private mutating func commit(_ batch: [SentCommand]) throws {
        underWay = batch
        let results = try file.commit(batch)
        for result in results {
            if disk.hasPower { try complain(unless: result.error == nil, "\(result)") }
        }
        // One transaction has all of them.
        guard results.allSatisfy({ $0.error == nil }) else { return }
        for (sent, result) in zip(batch, results) {
            try complain(unless: result.get().verdict.isApplied, "\(result)")
            if case .insert(let cells) = sent.command.change,
                case .text(let make) = cells[0][0].value,
                case .applied(let made) = try result.get().verdict
            {
                rowIDs[make] = made[0]
            }
        }
        rows = rowsAfterAll
        acknowledged += zip(batch, results).map { ($0, $1) }
        underWay = []
    }

    /// With the effects of what is under way.
    private var rowsAfterAll: [String: Int64] {
        var after = rows
        let makes = Dictionary(uniqueKeysWithValues: rowIDs.map { ($1, $0) })
        for change in underWay.map(\.command.change) {
            switch change {
            case .insert(let cells):
                if case .text(let make) = cells[0][0].value,
                    case .integer(let year) = cells[0][1].value
                {
                    after[make] = year
                }
            case .update(let edits):
                if case .integer(let year) = edits[0].cells[0].value,
                    let make = makes[edits[0].rowID]
                {
                    after[make] = year
                }
            case .delete(let deletions):
                if let make = makes[deletions[0].rowID] { after[make] = nil }
            case _: break
            }
        }
        return after
    }

    // MARK: Loss

    private mutating func losePower() throws {
        disk.losePower()
        file.closeAll()
        if let note = disk.bytesAtLoss(of: notePath) { notes.append(note) }
        try disk.powerReturns(&random)
        try leaveNote()
    }

    private var notePath: String { file.path + "-valet" }

    private mutating func noteIsWritten() {
        if disk.hasPower, FileManager.default.fileExists(atPath: notePath) {
            notes.append(bytes(of: notePath))
        }
    }

    /// The note is not SQLite's: it is found as some writing of it left it, cut, or not at all.
    private mutating func leaveNote() throws {
        guard let newest = notes.last, random.below(8) > 0 else {
            try? FileManager.default.removeItem(atPath: notePath)
            notes = []
            return
        }
        var note = random.below(2) == 0 ? newest : notes[random.below(notes.count)]
        note = note.afterRestart
        if random.below(8) == 0 { note.removeLast(random.below(note.count)) }
        try TemporaryFolder.overwrite(notePath, with: Data(note))
        notes = [note]
    }

    // MARK: What is found

    private mutating func openAndCheck() throws {
        try LeftLog.check(file.path)
        try open()
        // Only a file with a log has a note, which is synced then.
        if file.database.hasLog { notes = [] }
        noteIsWritten()
        let integrity = try file.query("PRAGMA integrity_check")
        try complain(unless: integrity == [["ok"]], "\(integrity)")
        try checkRows(with: [rows, rowsAfterAll])
        let again = try file.commit(acknowledged.map(\.sent))
        for (now, before) in zip(again, acknowledged) {
            try complain(unless: now == before.result, "\(before) became \(now)")
        }
        try commit(underWay)
        try checkRows(with: [rows])
        guard !acknowledged.isEmpty else { return }
        let logged = try file.query("SELECT revision FROM _valet_log ORDER BY revision")
        let told = try acknowledged.map { try $0.result.get().revision }
        try complain(unless: logged == told.map { ["\($0)"] }, "\(told) became \(logged)")
    }

    /// As a server does it, which opens its file anew when it was changed: here by a journal that
    /// takes back the beginning of the write-ahead log.
    private func open() throws {
        try file.reopen()
        guard try file.database.watch.change() != .none else { return }
        let leftovers = LeftoverLog(of: file.database.watch)
        file.closeAll()
        _ = try leftovers.setAside(isClosed: true)
        try file.reopen()
    }

    private func checkRows(with allowed: [[String: Int64]]) throws {
        let found = try file.query("SELECT make, year FROM cars").map { ($0[0], Int64($0[1]) ?? 0) }
        let unique = Dictionary(found, uniquingKeysWith: max)
        try complain(unless: unique.count == found.count, "rows are there twice")
        let lost = Set(rows.keys).subtracting(unique.keys).count
        try complain(
            unless: allowed.contains(unique), "\(lost) of \(rows.count) rows are lost, or others")
    }

    private func complain(unless isRight: Bool, _ text: String) throws {
        if !isRight, disk.hasPower { throw Complaint(text: text) }
    }
}

extension [UInt8] {
    /// A note as it is found: its machine was started again since, and the system has kept the time
    /// at which it was written, which is now.
    fileprivate var afterRestart: [UInt8] {
        var lines = String(decoding: self, as: UTF8.self)
            .replacing(MachineStart.name, with: "earlier")
            .split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 2 { lines[2] = "\(WallClock.now())" }
        return Array(lines.joined(separator: "\n").utf8)
    }
}
