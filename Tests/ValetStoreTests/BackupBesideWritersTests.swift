import TestSupport
import Testing
import ValetModel

import struct Synchronization.Atomic

@testable import ValetStore

/// A backup that is made while several threads and another program commit.
@Suite(.offThePool) struct BackupBesideWritersTests {
    @Test(arguments: runSeeds(3))
    func aBackupIsOneStateWithAllThatWasAcknowledgedBefore(seed: UInt64) async throws {
        let file = try BackedUpFile()
        var random = SeededNumbers(seed: seed)
        // Some copies may be faster than any commit.
        for round in 0..<40 where round < 4 || file.copiesBesideCommits < 2 {
            let isOfWriter = random.below(2) == 0
            let pages = 1 + random.below(40)
            // Each of the other program's commits makes the writer's copy begin again.
            let others = isOfWriter ? random.below(3) : Int.max
            let copy = try await file.backUp(
                isOfWriter: isOfWriter, pages: pages, others: others, "copy-\(round).db")
            try file.check(copy, "seed \(seed), round \(round)")
        }
        #expect(file.copiesBesideCommits > 1, "seed \(seed)")
    }
}

/// Each writer has a number in two rows that are far from each other, and raises it.
private final class BackedUpFile: Sendable {
    private struct State {
        let writer: Writer
        let sender: WriterID
        var commands: UInt64 = 0
        /// By writer, what was acknowledged; the last is the other program.
        var numbers = [Int64](repeating: 0, count: writers + 1)
        var log: [(revision: UInt64, writer: Int, number: Int64)] = []
        var copy: FileCopy?
        var copiesBesideCommits = 0
    }

    struct Backup {
        let path: String
        /// What was acknowledged when it began, and when it ended.
        let begun: [Int64]
        let ended: [Int64]
    }

    private static let writers = 4
    /// Between the two rows of a writer.
    private static let distance = 600
    private let folder = TemporaryFolder()
    private let path: String
    private let database: Database
    private let state: Mutex<State>
    /// Whether writers commit.
    private let goesOn = Atomic(false)

    init() throws {
        path = try folder.database(
            """
            PRAGMA journal_mode = wal;
            CREATE TABLE cars (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, filler TEXT);
            \(numbers(to: 1_300)) INSERT INTO cars SELECT i, 0, hex(zeroblob(400)) FROM n
            """)
        database = try Database(path: path)
        let writer = try Writer(of: database, address: "test")
        let sender = writer.newWriter(for: .anna, at: 1)
        state = Mutex(State(writer: writer, sender: sender))
        try raise(0)
    }

    /// How many were made while something was committed.
    var copiesBesideCommits: Int { state.withLock(\.copiesBesideCommits) }

    private static func rows(of writer: Int) -> [Int64] {
        [Int64(writer + 1), Int64(writer + 1 + distance)]
    }

    // MARK: Commits

    private func raise(_ writer: Int) throws {
        try state.withLock { state in
            let number = state.numbers[writer] + 1
            let edits = Self.rows(of: writer).map { RowEdit($0, 1, .integer(number)) }
            state.commands += 1
            let name = CommandName(writer: state.sender, number: state.commands)
            let outcome = try state.writer.commit([SentCommand(name, .update(edits))], at: 1)[0]
                .get()
            try #require(outcome.verdict.isApplied)
            state.numbers[writer] = number
            state.log.append((outcome.revision, writer, number))
            try state.writer.tidy()
        }
    }

    private func raiseByAnotherProgram(_ connection: Connection) throws {
        let (writer, number) = (Self.writers, state.withLock { $0.numbers[Self.writers] + 1 })
        let rows = Self.rows(of: writer).map { "\($0)" }.joined(separator: ", ")
        do throws(ValetError) {
            try connection.run("UPDATE cars SET number = \(number) WHERE id IN (\(rows))")
        } catch {
            // The writer leaves others little room.
            guard error.code == .busy else { throw error }
            return
        }
        state.withLock { $0.numbers[writer] = number }
    }

    // MARK: Backups

    /// - Parameters:
    ///   - isOfWriter: whether the writer makes it between commits, so many pages at a time; else a
    ///     reader does.
    ///   - others: how many commits the other program makes at most.
    func backUp(
        isOfWriter: Bool, pages: Int, others: Int, _ name: String
    ) async throws -> Backup {
        let copy = folder.file(name)
        goesOn.store(true, ordering: .relaxed)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let isOver: @Sendable () -> Bool = { [self] in !goesOn.load(ordering: .relaxed) }
            for writer in 0..<Self.writers {
                group.addTask { [self] in while !isOver() { try raise(writer) } }
            }
            group.addTask { [self] in
                let connection = try Connection(path: path, access: .write)
                var made = 0
                while made < others, !isOver() {
                    try raiseByAnotherProgram(connection)
                    made += 1
                }
            }
            defer { goesOn.store(false, ordering: .relaxed) }
            let begun = state.withLock(\.numbers)
            if isOfWriter {
                try copyBetweenCommits(to: copy, pages: pages)
            } else {
                try database.makeReader().copy(to: copy) { false }
            }
            let ended = state.withLock { state in
                if state.numbers != begun { state.copiesBesideCommits += 1 }
                return state.numbers
            }
            goesOn.store(false, ordering: .relaxed)
            try await group.waitForAll()
            return Backup(path: copy, begun: begun, ended: ended)
        }
    }

    private func copyBetweenCommits(to path: String, pages: Int) throws {
        try state.withLock { $0.copy = try $0.writer.beginCopy(to: path) }
        while try state.withLock({ try $0.copy?.step(pages: pages) }) == false {}
        state.withLock { $0.copy = nil }
    }

    func check(_ backup: Backup, _ place: String) throws {
        let copied = try CopiedFile(backup.path)
        try copied.check()
        let restored = folder.file("restored.db")
        _ = try Restoring.restore(backup.path, to: restored, at: 5_000_000)
        for path in [backup.path, restored] {
            var numbers: [Int64] = []
            for writer in 0...Self.writers {
                let ids = Self.rows(of: writer).map { "\($0)" }.joined(separator: ", ")
                let pair = try TemporaryFolder.integers(
                    in: path, "SELECT number FROM cars WHERE id IN (\(ids))")
                #expect(Set(pair).count == 1, "a commit in half: \(pair), \(place)")
                numbers += pair.prefix(1)
            }
            for writer in 0...Self.writers {
                #expect(
                    (backup.begun[writer]...max(backup.begun[writer], backup.ended[writer] + 1))
                        .contains(numbers[writer]), "writer \(writer): \(place)")
            }
            let log = state.withLock(\.log).filter { $0.revision <= copied.revision }
            for writer in 0..<Self.writers {
                let last = log.last { $0.writer == writer }?.number ?? 0
                #expect(numbers[writer] == last, "all up to \(copied.revision): \(place)")
            }
        }
    }
}
