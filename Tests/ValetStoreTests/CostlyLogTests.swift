import Synchronization
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

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
