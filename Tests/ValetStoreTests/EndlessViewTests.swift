import TestSupport
import Testing
import ValetModel

import struct Synchronization.Atomic

@testable import ValetStore

/// Views that never end, or take longer than anybody waits.
struct EndlessViewTests {
    private let folder = TemporaryFolder()

    /// One gives no row for ever, the other rows for ever.
    enum View: String, CaseIterable, Sendable {
        case silent
        case talking

        var sql: String {
            let condition = self == .silent ? "WHERE x < 0" : ""
            return """
                CREATE VIEW \(self) AS
                WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c WHERE x > 0)
                SELECT x, hex(zeroblob(100)) AS text FROM c \(condition)
                """
        }
    }

    private func database(_ view: View, _ adjust: (inout Budgets) -> Void) throws -> Database {
        let sql = view.sql + "; CREATE TABLE t (a); INSERT INTO t VALUES ('x')"
        return try Database(path: try folder.database(sql), budgets: .with(adjust))
    }

    /// Every call that needs the copy, by the code of its error.
    private static func codes(_ reader: Reader, _ cancelled: () -> Bool) -> Set<ErrorCode?> {
        [
            failure { try reader.rowIDBounds(list: 0, cancelled: cancelled) }?.code,
            failure { try reader.scan(list: 0, columns: [0], cancelled: cancelled) { _ in } }?.code,
            failure {
                try reader.rows(list: 0, ids: [1], columns: [0], cancelled: cancelled) { _, _ in }
            }?.code,
            failure { try reader.detail(list: 0, id: 1, cancelled: cancelled) }?.code,
            failure {
                try reader.piece(
                    list: 0, id: 1, column: 1, offset: 0, count: 1, cancelled: cancelled)
            }?.code,
        ]
    }

    @Test(arguments: View.allCases)
    func aCopyThatTakesTooLongIsRefusedInWords(view: View) throws {
        let database = try database(view) { $0.copy.time = .milliseconds(50) }
        let reader = try database.makeReader()
        let error = try #require(failure { try reader.detail(list: 0, id: 1) })
        #expect(error.code == .overBudget)
        #expect(
            error.message.hasPrefix("view “\(view)” of “\(database.path)” took longer than "))
        #expect(
            error.message.hasSuffix(
                " seconds to copy (secondsPerCopy): select less in it, or keep its rows in a table "
                    + "with row ids"))
        #expect(Self.codes(reader, { false }) == [.overBudget])
        #expect(try reader.rowCount(list: 1) == 1)
    }

    /// Outside WAL mode a reader keeps writers from committing.
    @Test func aViewThatGivesNoRowLetsOtherProgramsWrite() throws {
        let database = try database(.silent) { $0.untilYielding = .milliseconds(50) }
        let other = try Connection(path: database.path, access: .write)
        try other.run("BEGIN IMMEDIATE; INSERT INTO t VALUES ('y')")
        let error = try #require(failure { try database.makeReader().detail(list: 0, id: 1) })
        #expect(error.code == .overBudget && error.message.contains("another program has waited"))
        #expect(error.message.contains("view “silent” of “\(database.path)”"))
        #expect(failure { try other.run("COMMIT") } == nil)
        // In WAL mode nobody waits, and so the time of copies holds.
        try other.run("PRAGMA journal_mode=WAL")
        let logged = try self.database(.silent) {
            ($0.untilYielding, $0.copy.time) = (.milliseconds(50), .milliseconds(200))
        }
        let writing = try Connection(path: logged.path, access: .write)
        try writing.run("PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; INSERT INTO t VALUES ('y')")
        expectFailure(saying: "secondsPerCopy") { try logged.makeReader().detail(list: 0, id: 1) }
    }

    /// After a copy has taken too long, it is not retried until some time has passed.
    @Test func aRepeatedRequestIsRefusedWithoutAnotherTry() throws {
        let database = try database(.silent) { $0.copy.time = .milliseconds(50) }
        let reader = try database.makeReader()
        let first = failure { _ = try reader.detail(list: 0, id: 1) }
        var asked = 0
        let second = failure {
            try database.makeReader().detail(
                list: 0, id: 1,
                cancelled: {
                    asked += 1
                    return false
                })
        }
        #expect(first != nil && second == first)
        #expect(asked == 1, "the view was not run again")

        let forgetful = try self.database(.silent) {
            ($0.copy.time, $0.untilRetry) = (.milliseconds(50), .zero)
        }
        let retrying = try forgetful.makeReader()
        expectFailure(.overBudget) { try retrying.detail(list: 0, id: 1) }
        // It runs until it is cancelled.
        expectFailure(.superseded) {
            try retrying.detail(list: 0, id: 1, cancelled: cancelled(after: 10))
        }
    }

    @Test(arguments: View.allCases)
    func everyCallEndsWhenItIsCancelled(view: View) throws {
        let reader = try database(view) { _ in }.makeReader()
        var asked = 0
        let codes = Self.codes(reader) {
            asked += 1
            return asked % 100 == 0
        }
        #expect(codes == [.superseded])
        #expect(try reader.rowCount(list: 1) == 1)
    }

    @Test(arguments: View.allCases)
    func everyCallEndsWhenTheReadersOwnerStops(view: View) throws {
        let ticks = Atomic(0)
        let reader = try database(view) { _ in }.makeReader(isStopping: {
            ticks.wrappingAdd(1, ordering: .relaxed).newValue > 1_000
        })
        #expect(Self.codes(reader) { false } == [.shuttingDown])
        for list in 0...1 { expectFailure(.shuttingDown) { try reader.rowCount(list: list) } }
        expectFailure(.shuttingDown) { try reader.detail(list: 1, id: 1) }
    }

    @Test func aTaskThatWaitsForACopyLeavesWhenCancelled() throws {
        let database = try database(.silent) { _ in }
        let (first, second) = (try database.makeReader(), try database.makeReader())
        var asked = 0
        expectFailure(.superseded) {
            try first.detail(
                list: 0, id: 1,
                cancelled: {
                    asked += 1
                    guard asked == 10 else { return asked > 10 }
                    // The copy is being made, and this reader has to wait.
                    expectFailure(.superseded) {
                        try second.detail(list: 0, id: 1, cancelled: cancelled(after: 2))
                    }
                    return false
                })
        }
        #expect(asked > 10)
    }

    @Test func countingDoesNotCopyAndEndsWithItsTime() throws {
        let silent = try database(.silent) { $0.copy.time = .zero }.makeReader()
        expectFailure(.overBudget, ending: "seconds to count (secondsOfCounting)") {
            try silent.rowCount(list: 0, within: .milliseconds(20))
        }
        let view = "CREATE VIEW v AS SELECT 1 AS a UNION ALL SELECT 2"
        let reader = try folder.reader(view, budgets: .with { $0.copy.time = .zero })
        #expect(try reader.rowCount(list: 0) == 2)
    }

    /// A generated column may take any time, for each row.
    @Test func rowsThatTakeTooLongAreRefused() throws {
        let reader = try folder.reader(
            """
            CREATE TABLE t (a, b AS (length(replace(hex(zeroblob(a)), '0', 'xy'))));
            \(numbers(to: 500)) INSERT INTO t SELECT i FROM n
            """, budgets: .with { ($0.lookup.time, $0.row.time) = (.zero, .zero) })
        expectFailure(.overBudget, ending: "seconds to give the next row (secondsPerRow)") {
            try reader.scan(list: 0, columns: [1]) { _ in }
        }
        expectFailure(.overBudget, ending: "seconds to read (secondsPerLookup)") {
            try reader.rows(list: 0, ids: [1, 2], columns: [1]) { _, _ in }
        }
        expectFailure(.overBudget) { try reader.detail(list: 0, id: 1) }
    }

    /// The time is for one row and not for all: a table of any size can be read.
    @Test func aScanGoesOnAsLongAsRowsCome() throws {
        let reader = try folder.reader(
            "CREATE TABLE t (a); \(numbers(to: 1_000)) INSERT INTO t SELECT i FROM n",
            budgets: .with { $0.row.time = .milliseconds(200) })
        var rows = 0
        let start = ContinuousClock.now
        try reader.scan(list: 0, columns: [0]) { _ in
            rows += 1
            // As slow as a bad disk.
            while start.duration(to: .now) < .milliseconds(rows / 2) {}
        }
        #expect(rows == 1_000)
    }
}

struct SlowInferenceTests {
    private let folder = TemporaryFolder()

    private static let slowView = """
        WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000000)
        SELECT x, length(replace(hex(zeroblob(200000)), '0', 'xy')) AS slow FROM c
        """

    /// One slow view takes part of the time, not that of the others.
    @Test func viewsOfCostlyFunctionsTakeTheirPartOfTheTime() throws {
        let views = (0..<8).map { "CREATE VIEW v\($0) AS \(Self.slowView)" }
        let path = try folder.database(
            (views + ["CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x'), ('x'), ('y'), ('y')"])
                .joined(separator: ";"))
        let connection = try Connection(path: path)
        let tables = try Schema(of: connection).tables
        let samples = Sampler(connection, time: .seconds(2)).samples(of: tables)
        #expect(samples.count == 9)
        #expect(samples[8][0].texts == 4, "tables are looked at before views")
        for view in 0..<8 {
            #expect(samples[view][0].rows < 4_096, "the view's sample ended early")
        }
    }

    @Test func theStepsOfATableAreBounded() throws {
        let path = try folder.database(
            """
            CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
            SELECT x FROM c WHERE x % 100 = 0
            """)
        let connection = try Connection(path: path)
        let tables = try Schema(of: connection).tables
        let sampled = { (ticks: Int) in
            Sampler(connection, time: .seconds(100), ticksPerTable: ticks)
                .samples(of: tables)[0][0].rows
        }
        // Spent while the rows are counted, so that none is looked at.
        #expect(sampled(1_000) == 0)
    }
}

struct SharedTimeTests {
    @Test func eachPieceMayTakeHalfOfWhatIsLeftAndTheLastOneAll() throws {
        let shared = SharedTime(.seconds(1_000))
        let half = try #require(shared.part(ofNext: 3))
        let all = try #require(shared.part(ofNext: 1))
        #expect(half <= .seconds(500) && half > .seconds(400))
        #expect(all <= .seconds(1_000) && all > .seconds(900))
        #expect(SharedTime(.zero).part(ofNext: 2) == nil)
    }
}

/// Files whose tables `_valet_…` take very long to read.
@Suite struct CostlyLogTests {
    private let folder = TemporaryFolder()

    enum Part: CaseIterable {
        case commands, state

        /// Reading it takes a second or more.
        var sql: String {
            switch self {
            case .commands:
                """
                CREATE TABLE _valet_log (n, revision AS (length(hex(zeroblob(20000 + n)))));
                \(numbers(to: 20_000)) INSERT INTO _valet_log (n) SELECT i FROM n
                """
            case .state:
                """
                CREATE TABLE _valet_log (revision);
                CREATE VIEW _valet_state AS \(numbers(to: 3_000_000))
                SELECT i AS format, i AS log, i AS told, i AS epochs FROM n WHERE i < 0
                """
            }
        }
    }

    /// Not a file without a log: its revisions would be told again.
    @Test(arguments: Part.allCases)
    func anOpeningThatTakesTooLongIsAnError(part: Part) throws {
        let path = try folder.database(WrittenDatabase.cars + ";" + part.sql)
        let budgets = Budgets.with { $0.opening.time = .milliseconds(50) }
        expectFailure(.overBudget, ending: "seconds to open (secondsToOpen)") {
            try Database(path: path, budgets: budgets)
        }
    }

    /// It stops while the work is asked whether it is still wanted.
    @Test func workThatIsCancelledSinceItsOwnerStopsSaysSo() throws {
        let isStopping = Atomic(false)
        let file = try WrittenDatabase(makes: "VW")
        file.close()
        let reader = try Database(path: file.path).makeReader(
            isStopping: { isStopping.load(ordering: .relaxed) })
        expectFailure(.shuttingDown) {
            try reader.scan(
                list: 0, columns: [0],
                cancelled: {
                    isStopping.store(true, ordering: .relaxed)
                    return true
                }
            ) { _ in }
        }
    }

    @Test(arguments: Part.allCases)
    func anOpeningEndsWhenItsOwnerStops(part: Part) throws {
        let path = try folder.database(WrittenDatabase.cars + ";" + part.sql)
        let ticks = Atomic(0)
        expectFailure(.shuttingDown) {
            try Database(
                path: path,
                isStopping: { ticks.wrappingAdd(1, ordering: .relaxed).newValue > 100 })
        }
    }

    /// What clients have sent is answered to the end.
    @Test func afterTheOpeningTheFileIsLookedAtToTheEnd() throws {
        let file = try WrittenDatabase("CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT)")
        try file.send(.insert([.null, .text("VW")]))
        file.close()
        let isStopping = Atomic(false)
        let database = try Database(
            path: file.path, isStopping: { isStopping.load(ordering: .relaxed) })
        isStopping.store(true, ordering: .relaxed)
        try file.change("INSERT INTO cars VALUES (7, 'Kia'); CREATE INDEX by_make ON cars (make)")
        #expect(try database.watch.change() == .none)
        #expect(try database.watch.look() > database.watch.opening.revision)
    }

    /// The next look would take as long, and others wait for it.
    @Test func aLogThatBecomesCostlyIsAnotherOne() throws {
        let file = try WrittenDatabase(makes: "VW")
        file.close()
        let budgets = Budgets.with { $0.lookup.time = .milliseconds(50) }
        let database = try Database(path: file.path, budgets: budgets)
        try file.change("DROP TABLE _valet_log;" + Part.commands.sql)
        #expect(try database.watch.change() == .contents)
    }
}
