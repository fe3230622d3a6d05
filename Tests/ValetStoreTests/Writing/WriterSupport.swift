import CSQLite
import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A database with its writer, and stations that send commands.
final class WrittenDatabase {
    let folder: TemporaryFolder
    let path: String
    private let catalogPath: String
    private(set) var database: Database
    private(set) var writer: Writer?
    private(set) var batches: [CommittedBatch] = []
    var time: Int64 = 1_000_000
    /// Of a node's file: what decides about its entries.
    var agreement: Agreement?
    private var isOfNode = false
    private(set) var writers: [Station: WriterID] = [:]
    private var numbers: [Station: UInt64] = [:]

    static let cars = "CREATE TABLE cars (make TEXT, year INTEGER)"
    /// A car of the year 1 makes a boat, too.
    static let carsAndBoats = """
        \(cars);
        CREATE TABLE boats (make TEXT, year INTEGER);
        CREATE TRIGGER copied AFTER INSERT ON cars WHEN new.year = 1 BEGIN
          INSERT INTO boats VALUES (new.make, new.year);
        END;
        """

    /// - Parameter hasLog: whether the file gets its log at once.
    init(
        _ sql: String = WrittenDatabase.cars, catalog: String = "{}", hasLog: Bool = true,
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws {
        self.folder = folder
        path = try folder.database(sql)
        catalogPath = folder.write(catalog, to: "catalog.yaml")
        database = try Database(path: path, catalogPath: catalogPath, newLogID: 7)
        writer = try Writer(of: database, address: "test")
        if hasLog { _ = try writer?.file() }
        for station in [Station.anna, .bert] { try newWriter(station) }
    }

    /// Cars after these changes, each by a command of its own.
    convenience init(
        after first: Change, _ others: Change..., in folder: TemporaryFolder = TemporaryFolder()
    ) throws {
        try self.init(in: folder)
        for change in [first] + others { try send(change) }
    }

    /// Cars, each of which was added by a command of its own.
    convenience init(
        makes first: String, _ others: String..., in folder: TemporaryFolder = TemporaryFolder()
    ) throws {
        try self.init(in: folder)
        for make in [first] + others { try send(.insert([.text(make)])) }
    }

    /// Cars whose columns, `c0` and so on, are declared like this and take any cell.
    convenience init(declared: [String], isStrict: Bool = false) throws {
        let columns = declared.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ")
        let types = declared.indices.map { "c\($0): {type: blob}" }.joined(separator: ", ")
        try self.init(
            "CREATE TABLE cars (\(columns))\(isStrict ? " STRICT" : "")",
            catalog: "lists: [{name: cars, columns: {\(types)}}]")
    }

    /// The station's next commands are of it.
    @discardableResult
    func newWriter(_ station: Station) throws -> WriterID {
        let made = try #require(writer).newWriter(for: station, at: time)
        (writers[station], numbers[station]) = (made, 0)
        return made
    }

    /// The name of a command by a station's writer.
    func name(_ number: UInt64, of station: Station = .anna) throws -> CommandName {
        CommandName(writer: try #require(writers[station]), number: number)
    }

    /// As when the server has stopped.
    func close() { writer = nil }

    /// As when nothing of the file is open any more.
    func closeAll() {
        close()
        database.watch.close()
    }

    /// As after a restart of the server.
    func reopen() throws {
        try reopenDatabase()
        try reopenWriter()
    }

    func reopen(catalog: String) throws {
        try Data(catalog.utf8).write(to: URL(filePath: catalogPath))
        try reopen()
    }

    func reopenDatabase() throws {
        close()
        database = try Database(path: path, catalogPath: catalogPath, newLogID: 8)
    }

    func reopenWriter() throws {
        writer = try Writer(of: database, address: "test", isOfNode: isOfNode)
    }

    /// The file is a node's from now on.
    func joinCluster(_ state: [UInt8]) throws {
        close()
        try NodeMark.make(inFile: path, state, at: time)
        isOfNode = true
        try reopen()
    }

    /// What is reported of other programs' commits without a command.
    func othersTakenIn() throws -> ForeignChange? {
        var change: ForeignChange?
        try #require(writer).takeInOthers(at: time) {
            change = $0.foreignChange
            batches.append($0)
        }
        return change
    }

    func forgetBatches() { batches = [] }

    func command(
        _ change: Change, list: String = "cars", from station: Station = .anna,
        group: UInt64? = nil
    ) -> SentCommand {
        numbers[station, default: 0] += 1
        let name = CommandName(writer: writers[station] ?? 0, number: numbers[station] ?? 0)
        return SentCommand(
            Command(name: name, group: group, list: list, change: change), from: station)
    }

    @discardableResult
    func commit(_ batch: [SentCommand]) throws -> [CommandResult] {
        time += 1_000
        return try #require(writer).commit(
            batch, at: time, agreement: agreement, didCommit: { batches.append($0) })
    }

    /// Sends one command.
    @discardableResult
    func send(
        _ change: Change, list: String = "cars", from station: Station = .anna,
        group: UInt64? = nil
    ) throws -> Verdict {
        let sent = command(change, list: list, from: station, group: group)
        return try commit([sent])[0].get().verdict
    }

    /// What undo would take back now, by its revision; nil if it is carried out.
    func step() throws -> UInt64? { try outcome(.undo).step }

    /// How many rows a table has.
    func count(_ table: String = "cars") throws -> Int? {
        Int(try query("SELECT count(*) FROM \(table)")[0][0])
    }

    /// Undo makes what the last command left what it was before, and redo the other way round.
    func expectTurns<State: Equatable>(
        _ before: State, _ after: State, list: String = "cars",
        sourceLocation: SourceLocation = #_sourceLocation, of state: () throws -> State
    ) throws {
        for (turn, expected) in [(Change.undo, before), (.redo, after), (.undo, before)] {
            let verdict = try send(turn, list: list)
            #expect(verdict.isApplied, "\(verdict)", sourceLocation: sourceLocation)
            #expect(try state() == expected, sourceLocation: sourceLocation)
        }
    }

    func outcome(_ change: Change, list: String = "cars") throws -> Outcome {
        try commit([command(change, list: list)])[0].get()
    }

    /// All of a list's history, or of a row's, page by page.
    func history(
        of list: Int = 0, rowID: Int64? = nil, pages most: Int = 256
    ) throws -> [LoggedChange] {
        var query = HistoryQuery(list: list, rowID: rowID, most: most)
        var changes: [LoggedChange] = []
        while true {
            let page = try database.makeReader().history(query)
            #expect(page.changes.count <= most)
            changes += page.changes
            guard page.hasMore else { return changes }
            query.before = try #require(page.changes.last).position
        }
    }

    /// A table's rows with these columns, by their ids.
    func rows(
        _ columns: String, of table: String = "cars", where condition: String = "1"
    ) throws -> [Int64: [Cell]] {
        let statement = try Connection(path: path).prepare(
            "SELECT rowid, \(columns) FROM \(table) WHERE \(condition)")
        var rows: [Int64: [Cell]] = [:]
        while try statement.step() {
            rows[statement.integer(0)] = (1..<statement.columnCount).map {
                statement.cell($0, limit: 1_000)
            }
        }
        return rows
    }

    func query(_ sql: String) throws -> [[String]] {
        let statement = try Connection(path: path).prepare(sql)
        var rows: [[String]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.text($0) ?? "NULL" })
        }
        return rows
    }

    /// What another program does.
    func change(_ sql: String) throws {
        let connection = try Connection(path: path, access: .write)
        // VACUUM attaches a database.
        sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 1)
        try connection.run(sql)
    }
}

/// Adds so many cars that no sample of their file has all pages.
let manyCars =
    "\(numbers(to: 60_000)) INSERT INTO cars SELECT 'make ' || i || hex(zeroblob(30)), 1 FROM n"

extension TemporaryFolder {
    /// A file and its log as they are now, as a process that is killed leaves them.
    func killed(_ path: String) throws -> String {
        try copy(of: path, to: "killed-\(UUID().uuidString).db", with: "-wal", "-valet")
    }
}

extension Station {
    static let anna = Station(name: "Anna", id: StationID(high: 0, low: 1))
    static let bert = Station(name: "Bert", id: StationID(high: 0, low: 2))
}

extension CommandResult {
    var error: ValetError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension SentCommand {
    /// A command under a name that a test gives it.
    init(
        _ name: CommandName, group: UInt64? = nil, _ change: Change, list: String = "cars",
        from station: Station = .anna
    ) {
        self.init(Command(name: name, group: group, list: list, change: change), from: station)
    }
}

extension Verdict {
    var isApplied: Bool {
        if case .applied = self { true } else { false }
    }

    /// What undo or redo has left as it was.
    var rest: [Conflict] {
        if case .appliedButFor(_, let rest) = self { rest } else { [] }
    }

    var refusals: [Refusal] {
        if case .refused(let refusals) = self { refusals } else { [] }
    }

    /// The message of the first refusal.
    var refusal: String? { refusals.first?.message }

    var conflicts: [Conflict] {
        if case .conflict(let conflicts) = self { conflicts } else { [] }
    }
}
