import TestSupport
import ValetClient
import ValetModel

@testable import ValetStore

/// A server of four lists that are made of two tables, which a station and another program change
/// at random: a table with triggers, some of its rows as a list of their own, a table WITHOUT
/// ROWID, and a view of both. What the lists show is compared with what SQLite finds.
final class RelatedLists {
    struct Mistake: Error {
        let text: String
    }

    struct Figures {
        var applied = 0
        var byOthers = 0
    }

    private static let tables = """
        CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, price INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO cars SELECT i, 'make ' || (i % 7), i * 37 % 100 FROM n;
        CREATE TABLE owners (name TEXT PRIMARY KEY, car INTEGER, paid INTEGER) WITHOUT ROWID;
        INSERT INTO owners SELECT 'owner ' || id, id, price FROM cars WHERE id % 2;
        CREATE TRIGGER sold AFTER DELETE ON cars BEGIN
            DELETE FROM owners WHERE car = old.id;
        END;
        CREATE TRIGGER bought AFTER INSERT ON cars BEGIN
            INSERT OR REPLACE INTO owners VALUES ('owner ' || new.id, new.id, new.price);
        END;
        CREATE TRIGGER paid AFTER UPDATE OF price ON cars BEGIN
            UPDATE owners SET paid = new.price WHERE car = new.id;
        END;
        CREATE VIEW owned AS
            SELECT o.name, c.make, c.price FROM owners AS o JOIN cars AS c ON c.id = o.car
            ORDER BY o.name;
        """
    private static let catalog = """
        lists:
          - {name: cars}
          - {name: dear, table: cars, conditions: [price >= 50]}
          - {name: owners}
          - {name: owned}
        """
    private static let dearFrom: Int64 = 50
    private static let queries = [
        "cars": "SELECT * FROM cars ORDER BY id",
        "dear": "SELECT * FROM cars WHERE price >= 50 ORDER BY id",
        "owners": "SELECT * FROM owners ORDER BY name",
        "owned": "SELECT * FROM owned ORDER BY name",
    ]
    /// The ids of rows are given once each.
    private static let idsTried = 100

    private let folder = TemporaryFolder()
    private let path: String
    private let server: TestServer
    private let station: ValetStation
    private var lists: [String: ListDescription] = [:]
    private var numbers: SeededNumbers
    private var hasNote = false
    private(set) var figures = Figures()

    init(seed: UInt64) async throws {
        path = try folder.database(Self.tables)
        let catalog = folder.write(Self.catalog, to: "catalog.yaml")
        let server = try await TestServer(path) { $0.catalogPath = catalog }
        self.server = server
        numbers = SeededNumbers(seed: seed)
        station = try await ValetStation.connect { () throws(ValetError) in
            try await Self.connect(server, as: 1)
        }
        try await readCatalog()
    }

    func stop() async {
        await station.close()
        await server.server.stop()
    }

    private static func connect(
        _ server: TestServer, as number: UInt64
    ) async throws(ValetError) -> ValetConnection {
        try await ValetConnection.connect(
            host: "127.0.0.1", port: server.port,
            station: Station(name: "station \(number)", id: StationID(high: 8, low: number)))
    }

    func run(steps: Int) async throws {
        for _ in 0..<steps {
            switch numbers.below(20) {
            case 0: try TemporaryFolder.vacuum(path)
            case 1: try await alter()
            case 2..<6: try changeAsAnotherProgram()
            default: try await submit()
            }
            if numbers.below(3) == 0 { try await look() }
        }
        try await look()
    }

    // MARK: Changes

    private func submit() async throws {
        let name = numbers.below(2) == 0 ? "cars" : "dear"
        guard let list = lists[name] else { return }
        let (change, isPossible) = try change(in: name)
        let outcome: Outcome
        do throws(ValetError) {
            outcome = try await station.submit(change, list: list)
        } catch {
            // Nobody knows by their numbers alone which rows another program's VACUUM left.
            guard error.code == .catalogChanged else { throw error }
            return try await readCatalog()
        }
        switch (outcome.verdict, isPossible) {
        case (.applied, true?), (.applied, nil): figures.applied += 1
        case (.conflict, false?), (.refused, false?): break
        // Whether undo can take back its step depends on what others did since.
        case (_, nil): break
        default:
            throw Mistake(text: "\(change) in “\(name)” became \(outcome.verdict)")
        }
        try await look(at: name, since: outcome.revision)
    }

    /// - Returns: also whether it can be carried out; nil for undo.
    private func change(in list: String) throws -> (Change, isPossible: Bool?) {
        let rowID = Int64(1 + numbers.below(Self.idsTried))
        let price = Int64(numbers.below(100))
        let filter = list == "dear" ? " AND price >= \(Self.dearFrom)" : ""
        let isThere =
            try TemporaryFolder.number(
                path, "SELECT count(*) FROM cars WHERE id = \(rowID)\(filter)") == 1
        let isListed = list == "cars" || price >= Self.dearFrom
        switch numbers.below(8) {
        case 0: return (.undo, nil)
        case 1..<3:
            let values = [
                ColumnValue(column: 1, value: .text("new")),
                ColumnValue(column: 2, value: .integer(price)),
            ]
            return (.insert([values]), isListed)
        case 3: return (.delete([RowDeletion(rowID: rowID, seen: nil)]), isThere)
        default:
            let edit = CellEdit(column: 2, value: .integer(price), seen: .anything)
            return (.update([RowEdit(rowID: rowID, cells: [edit])]), isThere)
        }
    }

    private func changeAsAnotherProgram() throws {
        let (id, price) = (1 + numbers.below(Self.idsTried), numbers.below(100))
        let statements = [
            "UPDATE cars SET price = \(price) WHERE id = \(id)",
            "DELETE FROM cars WHERE id = \(id)",
            "INSERT OR IGNORE INTO cars (id, make, price) VALUES (\(id), 'other', \(price))",
            "UPDATE owners SET paid = \(price) WHERE car = \(id)",
            "INSERT OR REPLACE INTO owners VALUES ('owner \(id) and more', \(id), \(price))",
            "DELETE FROM owners WHERE name = 'owner \(id) and more'",
        ]
        try TemporaryFolder.change(path, statements[numbers.below(statements.count)])
        figures.byOthers += 1
    }

    /// Another program adds a column, or takes it out again.
    private func alter() async throws {
        try TemporaryFolder.change(
            path, "ALTER TABLE cars \(hasNote ? "DROP COLUMN note" : "ADD COLUMN note TEXT")")
        hasNote.toggle()
        repeat {
            try await readCatalog()
        } while lists["cars"]?.columns.count != (hasNote ? 4 : 3)
    }

    private func readCatalog() async throws {
        try await asking { connection throws(ValetError) in
            let catalog = try await connection.catalog(countingRows: false).catalog
            for list in catalog.lists { self.lists[list.name] = list }
        }
    }

    // MARK: What is shown

    /// All lists become what the file is.
    private func look() async throws {
        for name in Self.queries.keys.sorted() { try await look(at: name, since: nil) }
    }

    /// - Parameter revision: of an outcome, from which on the list is what the file is; nil if it
    ///   may still be what it was before another program's change.
    private func look(at name: String, since revision: UInt64?) async throws {
        let expected = try stored(in: name)
        var shown: [[Cell]] = []
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(20) {
            let window = try await asking { connection throws(ValetError) in
                let view = try await connection.openView(list: name, Query(grouping: "None"))
                return try await view.window(at: .ordinal(0), rows: 4 * Self.idsTried)
            }
            if let revision, window.revision < revision {
                throw Mistake(text: "“\(name)” is at \(window.revision) after \(revision)")
            }
            shown = window.rows.map { $0?.cells ?? [] }
            // Row ids of a table WITHOUT ROWID are in the order in which its keys came.
            if name.hasPrefix("own") { shown.sort { "\($0[0])" < "\($1[0])" } }
            if shown == expected { return }
            // Another program's change may still be on its way, with ours behind it.
        }
        let difference = Set(shown).symmetricDifference(expected)
        throw Mistake(text: "“\(name)” shows other rows than there are: \(difference)")
    }

    private func stored(in name: String) throws -> [[Cell]] {
        let statement = try Connection(path: path).prepare(Self.queries[name] ?? "")
        var rows: [[Cell]] = []
        while try statement.step() {
            rows.append(
                (0..<statement.columnCount).map {
                    statement.cell($0, limit: Limits.bytesPerValue)
                })
        }
        return name.hasPrefix("own") ? rows.sorted { "\($0[0])" < "\($1[0])" } : rows
    }

    /// A new connection each time; while the file is opened again there is none.
    private func asking<Answer>(
        _ body: (ValetConnection) async throws(ValetError) -> Answer
    ) async throws(ValetError) -> Answer {
        while true {
            do throws(ValetError) {
                let connection = try await Self.connect(server, as: 2)
                do throws(ValetError) {
                    let answer = try await body(connection)
                    await connection.close()
                    return answer
                } catch {
                    await connection.close()
                    throw error
                }
            } catch {
                guard [.shuttingDown, .busy].contains(error.code) else { throw error }
            }
        }
    }
}
