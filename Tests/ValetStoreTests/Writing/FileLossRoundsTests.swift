import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A person takes a file or its log away, cuts it, puts another in its place, and puts it back, at
/// any moment of the edits: what was acknowledged is in the file that was open or in the one that
/// is at the path, and no file is a mixture of two.
@Suite struct FileLossRoundsTests {
    @Test(arguments: runSeeds(5))
    func whatIsAcknowledgedIsInAFileAndNoFileIsMixed(seed: UInt64) throws {
        let file = try LostFile(seed: seed)
        for _ in 0..<6 {
            do {
                try file.round()
            } catch {
                Issue.record(error, "seed \(seed): \(file.story.joined(separator: "; "))")
                return
            }
        }
    }

    /// What is committed to a log that was cut stands behind a hole: the next opening does not find
    /// it, however long the log is.
    @Test(arguments: [100, 4_100, 20_000], [true, false])
    func nothingIsAcknowledgedBehindAHole(byteCount: Int64, isOwn: Bool) throws {
        let file = try WrittenDatabase(makes: "VW", "Kia", "Fiat", "Seat", "Opel", "Lada")
        let log = file.path + "-wal"
        let whole = try #require(FilePath.stamp(of: log)).byteCount
        func cut() { #expect(truncate(log, off_t(whole - byteCount)) == 0) }
        if isOwn {
            let batch = [file.command(.insert([.text("BMW")]))]
            let results = try #require(file.writer).commit(batch, at: 1, willCommit: { _ in cut() })
            #expect(results[0].error?.code == .outcomeUnknown)
        } else {
            cut()
            try? file.change("CREATE TABLE boats (make TEXT)")
            #expect(throws: ValetError.self) { try file.send(.insert([.text("BMW")])) }
        }
        #expect(try #require(FilePath.stamp(of: log)).byteCount > whole)
        // Nor does it become a part of the file.
        file.closeAll()
        #expect(try file.query("PRAGMA integrity_check") == [["ok"]])
        let makes = try file.query("SELECT make FROM cars ORDER BY rowid").map { $0[0] }
        #expect(makes == Array(["VW", "Kia", "Fiat", "Seat", "Opel", "Lada"].prefix(makes.count)))
        #expect(makes.count == (byteCount < 5_000 ? 5 : makes.count))
    }

    /// Another program has removed the log and the index, made its own, moved all into the file
    /// and gone, all after the last look before the commit.
    @Test func aLogThatBeginsAnewStaysOutOfAFileThatAnotherHasWritten() throws {
        let file = try WrittenDatabase(makes: "VW", "Kia")
        try file.writer?.file().pagesInLog = .max >> 20
        try file.writer?.tidy()
        let before = bytes(of: file.path)
        func change() throws {
            for suffix in ["-wal", "-shm"] { FilePath.remove(file.path + suffix) }
            let other = file.folder.file("other.db")
            try Data(before).write(to: URL(filePath: other))
            let connection = try Connection(path: other, access: .write)
            try connection.run("UPDATE cars SET make = 'Fiat'; PRAGMA wal_checkpoint(TRUNCATE)")
            try LostFile.writeUntilItShows(in: file.path) {
                try write(bytes(of: other), at: 0, to: file.path)
            }
        }
        var failure: (any Error)?
        let batch = [file.command(.insert([.text("BMW")]))]
        let results = try #require(file.writer).commit(
            batch, at: 1,
            willCommit: { _ in
                do { try change() } catch { failure = error }
            })
        #expect(failure == nil)
        #expect(results[0].error?.code == .outcomeUnknown)
        file.closeAll()
        #expect(try file.query("PRAGMA integrity_check") == [["ok"]])
        #expect(try file.query("SELECT make FROM cars") == [["Fiat"], ["Fiat"]])
    }

    /// The system kills a process that reads memory whose file is gone (SIGBUS).
    @Test func anIndexThatIsCutEndsNoProcess() async {
        await #expect(processExitsWith: .success) {
            let file = try WrittenDatabase(makes: "VW")
            try #require(truncate(file.path + "-shm", 0) == 0)
            expectFailure(.shuttingDown) { try file.send(.insert([.text("Kia")])) }
            #expect(throws: ValetError.self) {
                try file.writer?.keepRevisions(upTo: UInt64(Limits.revisionsAhead))
            }
            #expect(try file.database.watch.change() == .contents)
            file.closeAll()
            #expect(try file.count() == 1)
        }
    }
}

/// A file under edits, with all states that any file at its path has had.
final class LostFile {
    /// What each row says, by its key: something else after each edit, in any file.
    typealias Rows = [Int64: String]

    enum Loss: CaseIterable {
        case removed, movedAway, movedAwayWithItsLog, emptied, cut, movedOver, copiedOver,
            logRemoved, indexRemoved, bothRemoved, logEmptied, logCut, logAway, logPutBack,
            logReplaced, logReplacedAndMoved, noteRemoved, touched
    }

    enum Moment: CaseIterable {
        case betweenCommands, duringACommit, whileAnotherProgramWrites
    }

    /// For the message of a failure.
    var story: [String] = []
    let folder = TemporaryFolder()
    let path: String
    var random: SeededNumbers
    private var highest: Int64 = 0
    private var database: Database
    private var writer: Writer?
    private var sender: WriterID = 0
    private var commands: UInt64 = 0
    var states: Set<Rows> = []
    /// What the open file may have: several if nobody was told what became of an edit.
    var expected: Set<Rows> = []
    /// Whole files of before.
    var older: [[UInt8]] = []
    /// The file as it was just before something happened to it.
    var before: [UInt8] = []
    /// Whether somebody has thrown away what was acknowledged.
    var isDestroyed = false

    var log: String { path + "-wal" }
    var index: String { path + "-shm" }
    var away: String { path + "-away" }

    init(seed: UInt64) throws {
        random = SeededNumbers(seed: seed)
        path = try folder.database(
            """
            PRAGMA journal_mode = wal;
            CREATE TABLE cars (key INTEGER, make TEXT, filler TEXT);
            \(numbers(to: 16)) INSERT INTO cars SELECT i, 'new', hex(zeroblob(600)) FROM n
            """)
        database = try Database(path: path, newLogID: 1)
        try openWriter()
        expected = [try current()]
        states = expected
    }

    private func openWriter() throws {
        let writer = try Writer(of: database, address: "test")
        _ = try writer.file(at: 1)
        (sender, commands) = (writer.newWriter(for: .anna, at: 1), 0)
        self.writer = writer
    }

    /// Another one each time.
    func number() -> Int64 {
        highest += 1
        return highest
    }

    func happens() -> Bool { random.below(2) == 0 }

    // MARK: A round

    func round() throws {
        for _ in 0..<random.below(4) { try edit() }
        if happens() { try changeByAnotherProgram() }
        if random.below(3) == 0 {
            try TemporaryFolder.change(path, "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        if random.below(3) == 0 { try keepACopy() }
        for _ in 0..<random.below(3) { try edit() }
        // Wherever it stands later, and even if it has no name. If nobody has it open, the next
        // file may get its number.
        let opened = random.below(4) > 0 ? open(path, O_RDONLY) : nil
        defer { if let opened { close(opened) } }
        isDestroyed = false
        let loss = Loss.allCases[random.below(Loss.allCases.count)]
        let moment = Moment.allCases[random.below(3)]
        story.append("\(loss) \(moment)")
        switch moment {
        case .betweenCommands: try happen(loss)
        case .duringACommit: try edit { try self.happen(loss) }
        case .whileAnotherProgramWrites: try changeByAnotherProgram { try self.happen(loss) }
        }
        for _ in 0..<random.below(3) { try edit() }
        if happens() { try putBack() }
        for _ in 0..<random.below(2) { try edit() }
        let change = try? database.watch.change()
        story.append("\(change.map { "\($0)" } ?? "unknown")")
        if let change, change != .none {
            try reopen(change)
        } else if rows(bytes(of: path), log: logBytes(log)) == nil {
            // Nothing is acknowledged until somebody has put a file there.
            try restart()
        }
        if opened == nil, [.removed, .movedOver].contains(loss) { isDestroyed = true }
        try check(opened)
        // What is at the path is the file from now on.
        expected = [try current()]
        for left in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where left.contains("-away") || left.contains("-replaced-") {
            try FileManager.default.removeItem(atPath: folder.file(left))
        }
        try edit()
        #expect(try expected == [current()], "edits go on: \(story)")
    }

    private func check(_ opened: CInt?) throws {
        let atPath = try current()
        let isKnown = states.contains(atPath)
        #expect(isKnown, "a mixture at the path: \(story)")
        let wherever = opened.map(contents) ?? []
        var found = [atPath, rows(wherever, log: nil)]
        if FilePath.exists(away) {
            let moved = rows(bytes(of: away), log: logBytes(away + "-wal"))
            #expect(moved.map(states.contains) ?? false, "a mixture was moved away: \(story)")
            found.append(moved)
        }
        for kept in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where kept.contains("-wal-replaced-") {
            let log = bytes(of: folder.file(kept))
            found += [rows(before, log: log), rows(wherever, log: log)]
        }
        let isFound = found.contains { $0.map(expected.contains) ?? false }
        #expect(isFound || isDestroyed, "acknowledged, and in no file: \(story)")
    }

    // MARK: Edits

    /// Makes a change to what the file may have.
    /// - Parameter isCertain: whether it was made.
    private func expect(isCertain: Bool, _ change: (inout Rows) -> Void) {
        let after = Set(
            expected.map { rows in
                var rows = rows
                change(&rows)
                return rows
            })
        states.formUnion(after)
        expected = isCertain ? after : expected.union(after)
    }

    /// Rows that the file has in any case, often on several pages; their ids are their keys. Those
    /// that were inserted are left as they are.
    private func someRows() -> [Int64] {
        let all = expected.dropFirst().reduce(Set(expected.first?.keys ?? [:].keys)) {
            $0.intersection($1.keys)
        }
        return all.filter { $0 < 1_000 }.sorted().filter { _ in random.below(4) == 0 }
    }

    private func edit(willCommit: () throws -> Void = {}) throws {
        var changes: [Change] = []
        var steps: [(inout Rows) -> Void] = []
        var taken: Set<Int64> = []
        for _ in 0...random.below(3) {
            let rows = someRows().filter { taken.insert($0).inserted }
            let name = number()
            let text = "edit \(name)"
            switch random.below(4) {
            case 0:
                changes.append(.insert([.integer(1_000 + name), .text(text), .text(text)]))
                steps.append { $0[1_000 + name] = text }
            case 1:
                changes.append(.delete(rows.prefix(1).map { RowDeletion(rowID: $0) }))
                steps.append { if let row = rows.first { $0[row] = nil } }
            default:
                changes.append(.update(rows.map { RowEdit($0, 1, .text(text)) }))
                steps.append { for row in rows { $0[row] = text } }
            }
        }
        let batch = changes.map { change in
            commands += 1
            return SentCommand(CommandName(writer: sender, number: commands), change)
        }
        var failed: (any Error)?
        var published: [CommandName] = []
        let results = try #require(writer).commit(
            batch, at: 2,
            willCommit: { _ in
                do { try willCommit() } catch { failed = error }
            }, didCommit: { published += $0.commands.map(\.name) })
        if let failed { throw failed }
        let codes = results.map { $0.error?.code }
        story.append("edit: \(codes.map { $0.map { "\($0)" } ?? "ok" })")
        // Rows may be in a part of the file that is gone.
        let made = batch.indices.filter { codes[$0] == nil }
        #expect(made.map { batch[$0].command.name } == published, "\(story)")
        for place in made {
            let verdict = try results[place].get().verdict
            #expect(verdict.isApplied, "\(verdict): \(story)")
        }
        if codes.allSatisfy({ $0 == .outcomeUnknown }) {
            expect(isCertain: false) { rows in for step in steps { step(&rows) } }
        } else if !made.isEmpty {
            expect(isCertain: true) { rows in for place in made { steps[place](&rows) } }
        }
    }

    /// What another program commits while something happens to the file may be lost.
    private func changeByAnotherProgram(meanwhile: (() throws -> Void)? = nil) throws {
        let (rows, text) = (someRows(), "other \(number())")
        let connection = try Connection(path: path, access: .write)
        try connection.run("BEGIN IMMEDIATE")
        for row in rows {
            try connection.run("UPDATE cars SET make = '\(text)' WHERE key = \(row)")
        }
        try meanwhile?()
        let isMade = (try? connection.run("COMMIT")) != nil
        guard isMade || meanwhile != nil else { throw Unexpected("another program can't write") }
        expect(isCertain: meanwhile == nil) { now in for row in rows { now[row] = text } }
    }

    // MARK: Opening again, as a server does

    private func restart() throws {
        writer = nil
        database.watch.close()
        if rows(bytes(of: path), log: logBytes(log)) == nil {
            isDestroyed = true
            try put(isCopied: false)
            // As the server asks for.
            for suffix in ["-wal", "-shm"] { FilePath.remove(path + suffix) }
        }
        try LeftLog.check(path)
        database = try Database(path: path, newLogID: UInt64(number() + 1))
        try openWriter()
    }

    private func reopen(_ change: FileWatch.Change) throws {
        let (old, leftovers) = (database, LeftoverLog(of: database.watch))
        let told = (try? old.watch.look()) ?? 0
        func opened() throws -> Database {
            try Database(
                path: path, newLogID: UInt64(number() + 1),
                above: told + UInt64(Limits.revisionsAhead))
        }
        func close() throws {
            writer = nil
            if try old.watch.keepRemovedLog() != nil { story.append("log kept") }
            old.watch.close()
        }
        if [.back, .file].contains(change) {
            _ = try leftovers.setAside(isClosed: false)
            if let new = try? opened() {
                try close()
                database = new
                return try openWriter()
            }
        }
        try close()
        if happens() { try putBack() }
        if FilePath.exists(path) { _ = try leftovers.setAside(isClosed: true) }
        // Until there is a file.
        while rows(FilePath.exists(path) ? bytes(of: path) : [], log: logBytes(log)) == nil {
            story.append("put")
            try put(isCopied: happens())
            _ = try leftovers.setAside(isClosed: true)
        }
        database = try opened()
        try openWriter()
    }
}
