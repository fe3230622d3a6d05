import CSQLite
import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Between the look at a row and a command that names what was seen, anything happens to the file
/// and to its server: no revision is told for two states, and no stale command is carried out.
@Suite struct RevisionRoundsTests {
    @Test(arguments: runSeeds(5))
    func noStaleCommandIsCarriedOut(seed: UInt64) throws {
        let file = try LivingFile(seed: seed)
        for _ in 0..<10 {
            do {
                try file.round()
            } catch {
                Issue.record(error, "seed \(seed): \(file.story.joined(separator: "; "))")
                return
            }
        }
    }
}

/// A file that goes through lives of servers, and what clients have seen of it.
private final class LivingFile {
    struct Row: Hashable {
        let name: String
        let place: Int64
    }

    typealias Rows = [Int64: Row]

    /// What a client has seen.
    struct Look {
        let epoch: UInt64
        let revision: UInt64
        let rows: Rows
        let turn: Int
    }

    enum Event: CaseIterable {
        case edit, otherProgram, restart, kill, openingAnew, backup, restored, putBack,
            restoredByAnotherProgram, copied
    }

    private static let catalog = """
        lists:
          - name: blocks
            position: place
            groupings: [{name: By hand, order: manual}]
        """

    private(set) var story: [String] = []
    private let folder = TemporaryFolder()
    private let catalogPath: String
    private var path: String
    private var random: SeededNumbers
    private var highest: UInt64 = 0
    private var database: Database
    private var writer: Writer?
    private var senders: [Station: WriterID] = [:]
    private var commands: UInt64 = 0
    private var epoch: UInt64 = 0
    private var rows: Rows = [:]
    /// Counts everything that happens.
    private var turn = 0
    /// By row: the turn at which somebody changed, made, deleted or moved it, and at which somebody
    /// moved it.
    private var changed: [Int64: Int] = [:]
    private var moved: [Int64: Int] = [:]
    private var looks: [Look] = []
    /// By the log's ID.
    private var told: [UInt64: [UInt64: Rows]] = [:]
    private var positions: [(logID: UInt64, after: LogPosition)] = []
    private var backups: [String] = []

    init(seed: UInt64) throws {
        random = SeededNumbers(seed: seed)
        path = try folder.database(
            """
            CREATE TABLE blocks (id INTEGER PRIMARY KEY, name TEXT, place INTEGER);
            CREATE INDEX places ON blocks (place);
            \(numbers(to: 6)) INSERT INTO blocks SELECT i, 'new', i * 10 FROM n
            """)
        catalogPath = folder.write(Self.catalog, to: "catalog.yaml")
        database = try Database(path: path, catalogPath: catalogPath, newLogID: 1, epoch: 1)
        epoch = 1
        try openWriter()
        rows = try read()
    }

    private func number() -> UInt64 {
        highest += 1
        return highest
    }

    // MARK: Lives

    private func open(above told: UInt64 = 0) throws {
        epoch = 1_000 + number()
        database = try Database(
            path: path, catalogPath: catalogPath, newLogID: 1_000 + number(), above: told,
            epoch: epoch)
        try openWriter()
    }

    private func openWriter() throws {
        let writer = try Writer(of: database, address: "test")
        _ = try writer.file(at: 1)
        senders = [.anna: writer.newWriter(for: .anna, at: 1)]
        senders[.bert] = writer.newWriter(for: .bert, at: 1)
        self.writer = writer
    }

    private func close() {
        writer = nil
        database.watch.close()
    }

    /// Everything has ended at once: what was committed is in the log alone.
    private func kill() throws {
        let next = folder.file("life-\(number()).db")
        for suffix in ["", "-wal", "-valet"] where FilePath.exists(path + suffix) {
            try #require(rename(path + suffix, next + suffix) == 0)
        }
        // Where there is another log, this one is not moved into the file at the end.
        try Data([1]).write(to: URL(filePath: path + "-wal"))
        close()
        for suffix in ["-wal", "-shm"] { FilePath.remove(path + suffix) }
        path = next
        try LeftLog.check(path)
    }

    private func openAnew() throws {
        let told = try database.watch.look()
        close()
        try open(above: told + UInt64(Limits.revisionsAhead))
    }

    private func happen(_ event: Event) throws {
        story.append("\(event)")
        let backup = backups.isEmpty ? nil : backups[random.below(backups.count)]
        var isMoved = false
        switch (event, backup) {
        case (.edit, _): return try edit()
        case (.otherProgram, _):
            let name = "other \(number())"
            let column = random.below(2) == 0 ? "name = '\(name)'" : "place = \(random.below(99))"
            let sql =
                random.below(4) == 0
                ? "DELETE FROM blocks WHERE id = (SELECT max(id) FROM blocks)"
                : "UPDATE blocks SET \(column) WHERE id = \(someRow() ?? 0)"
            try TemporaryFolder.change(path, sql)
            if random.below(3) == 0 {
                // It may get the id of the one that was deleted.
                try TemporaryFolder.change(
                    path, "INSERT INTO blocks (name, place) VALUES ('\(name)', 500)")
            }
            isMoved = true
        case (.restart, _):
            close()
            try open()
        case (.kill, _):
            try kill()
            try open()
        case (.openingAnew, _): try openAnew()
        case (.backup, _), (.restored, nil), (.putBack, nil), (.restoredByAnotherProgram, nil):
            let backup = folder.file("backup-\(number()).db")
            try Connection(path: path).copy(to: backup)
            backups.append(backup)
        case (.restored, let backup?):
            close()
            _ = try Restoring.restore(backup, to: path, at: 5_000_000)
            try open()
            isMoved = true
        case (.putBack, let backup?):
            close()
            try TemporaryFolder.overwrite(path, with: Data(bytes(of: backup)))
            if random.below(2) == 0 { FilePath.remove(path + "-valet") }
            try open()
            isMoved = true
        case (.restoredByAnotherProgram, let backup?):
            try restore(backup)
            isMoved = true
        case (.copied, _):
            path =
                random.below(2) == 0
                ? try folder.killed(path)
                : try folder.copy(of: path, to: "copy-\(number()).db", with: "-wal")
            close()
            try open()
        }
        try observe(isMoved: isMoved)
    }

    /// Another program puts a backup into the served file. Until that is noticed, commands come.
    private func restore(_ backup: String) throws {
        var (from, to): (OpaquePointer?, OpaquePointer?)
        try #require(sqlite3_open(backup, &from) == SQLITE_OK)
        try #require(sqlite3_open(path, &to) == SQLITE_OK)
        let run = sqlite3_backup_init(to, "main", from, "main")
        try #require(sqlite3_backup_step(run, -1) == SQLITE_DONE)
        try #require(sqlite3_backup_finish(run) == SQLITE_OK)
        sqlite3_close(from)
        sqlite3_close(to)
        try observe(isMoved: true)
        if random.below(2) == 0 { try sendStale() }
        let change = try database.watch.change()
        story.append("\(change)")
        if change != .none { try openAnew() }
    }

    // MARK: A round

    func round() throws {
        try look()
        let events = Event.allCases
        for _ in 0...random.below(3) {
            // Half of what happens is edits.
            try happen(random.below(2) == 0 ? .edit : events[random.below(events.count)])
        }
        for _ in 0..<3 { try sendStale() }
        try look()
        try sendStale(isFresh: true)
        try askForFeeds()
    }

    /// What clients get to see.
    private func look() throws {
        let reader = try database.makeReader()
        let revision = try reader.reading(list: 0) { (revision) throws(ValetError) in revision }
        try #require(writer).keepRevisions(upTo: revision)
        try tell(revision)
        looks.append(Look(epoch: epoch, revision: revision, rows: rows, turn: turn))
    }

    private func tell(_ revision: UInt64) throws {
        let logID = try #require(writer?.logID)
        let known = told[logID]?[revision] ?? rows
        #expect(known == rows, "\(revision) was told for another state: \(story)")
        told[logID, default: [:]][revision] = rows
    }

    private func askForFeeds() throws {
        let reader = try database.makeReader()
        let logID = try reader.feedStart(list: 0, from: nil).logID
        #expect(logID == writer?.logID)
        for _ in 0..<4 where !positions.isEmpty {
            let start = positions[random.below(positions.count)]
            let query = FeedQuery(list: 0, logID: start.logID, after: start.after, bytes: 1_000)
            let codes = [
                failure { try reader.feedStart(list: 0, from: start) }?.code,
                failure { try reader.changes(query) }?.code,
            ]
            let code: ErrorCode? = start.logID == logID ? nil : .expired
            #expect(codes == [code, code], "\(start), now \(logID): \(story)")
        }
    }

    // MARK: Commands

    private func someRow() -> Int64? {
        let all = rows.keys.sorted()
        return all.isEmpty ? nil : all[random.below(all.count)]
    }

    /// - Returns: whether it was applied.
    private func send(_ change: Change, from station: Station) throws -> Bool {
        commands += 1
        let name = CommandName(writer: try #require(senders[station]), number: commands)
        let sent = SentCommand(name, change, list: "blocks", from: station)
        let result = try #require(writer).commit([sent], at: 2)[0]
        let isApplied = (try? result.get().verdict.isApplied) ?? false
        var movedRows: [Int64] = []
        if isApplied, case .move(let rowIDs, _) = change { movedRows = rowIDs }
        try observe(isMoved: false, movedRows: movedRows)
        switch result {
        case .success(let outcome):
            try tell(outcome.revision)
            let logID = try #require(writer?.logID)
            positions.append((logID, .end(of: outcome.revision)))
        case .failure(let error):
            // What was restored has not been noticed yet.
            #expect(error.code == .shuttingDown, "\(error): \(story)")
        }
        return isApplied
    }

    /// Somebody else changes something, whatever was seen of it.
    private func edit() throws {
        let name = Cell.text("edit \(number())")
        guard let row = someRow(), let other = someRow() else {
            _ = try send(.insert([1: name]), from: .bert)
            return
        }
        let change: Change =
            switch random.below(5) {
            case 0: .insert([1: name])
            case 1 where rows.count > 3: .delete(row)
            case 2, 3: .set(row, 1, name)
            default:
                .move(rowIDs: [row], to: row == other ? .last : .behind(.init(rowID: other)))
            }
        #expect(try send(change, from: .bert), "\(change): \(story)")
    }

    /// A command that names what was seen in some look.
    ///
    /// - Parameter isFresh: in the last one, since when nothing has happened: it is carried out.
    private func sendStale(isFresh: Bool = false) throws {
        let look = isFresh ? looks[looks.count - 1] : looks[random.below(looks.count)]
        let seen = look.rows.keys.sorted()
        guard !seen.isEmpty else { return }
        let row = seen[random.below(seen.count)]
        // The server refuses a command of another catalog, or of another file, before.
        guard database.validEpochs.contains(look.epoch) else {
            #expect(!isFresh)
            return
        }
        let before = rows
        let (change, isHarmless): (Change, Bool)
        switch random.below(3) {
        case 0:
            change = .delete([RowDeletion(rowID: row, seen: look.revision)])
            isHarmless = before[row] != nil && changed[row, default: 0] <= look.turn
        case 1:
            let name = look.rows[row]?.name ?? ""
            change = .set(row, 1, .text("mine \(number())"), seen: .cell(.text(name)))
            isHarmless = before[row]?.name == name
        default:
            guard let other = before.keys.sorted().first(where: { $0 != row }) else { return }
            let neighbour = MoveDestination.Neighbour(rowID: row, seen: look.revision)
            change = .move(
                rowIDs: [other],
                to: random.below(2) == 0 ? .behind(neighbour) : .before(neighbour))
            // Who was moved away and back is where it was.
            isHarmless =
                before[row].map {
                    moved[row, default: 0] <= look.turn || $0.place == look.rows[row]?.place
                } ?? false
        }
        let isApplied = try send(change, from: .anna)
        #expect(!isApplied || isHarmless, "\(change) is stale: \(story)")
        #expect(isApplied || !isFresh, "\(change) is of what is there: \(story)")
        story.append("\(change): \(isApplied ? "applied" : "not applied")")
    }

    // MARK: Reading

    /// Something has happened.
    ///
    /// - Parameters:
    ///   - isMoved: whether rows in other places were moved; else some have made room.
    ///   - movedRows: rows that somebody has moved.
    private func observe(isMoved: Bool, movedRows: [Int64] = []) throws {
        turn += 1
        let now = try read()
        for row in Set(rows.keys).union(now.keys) {
            let (old, new) = (rows[row], now[row])
            if old?.name != new?.name { changed[row] = turn }
            let isElsewhere =
                old?.place != new?.place && (isMoved || movedRows.contains(row))
            if (old == nil) != (new == nil) || isElsewhere {
                (changed[row], moved[row]) = (turn, turn)
            }
        }
        rows = now
    }

    private func read() throws -> Rows {
        let statement = try Connection(path: path).prepare("SELECT id, name, place FROM blocks")
        var rows: Rows = [:]
        while try statement.step() {
            rows[statement.integer(0)] = Row(
                name: statement.text(1) ?? "", place: statement.integer(2))
        }
        return rows
    }
}
