import TestSupport
import ValetClient
import ValetModel

@testable import ValetStore

/// A server of lists that are made of tables of each kind, which a station and another program
/// change at random. What the lists show is compared with what SQLite finds.
final class RelatedLists {
    struct Mistake: Error {
        let text: String
    }

    struct Figures {
        var applied = 0
        var byOthers = 0
        /// Answers that had to be right at once, and those that had to be as before a command.
        var atOnce = 0
        var pinned = 0

        /// Whether each has happened.
        var haveAll: Bool { applied > 0 && byOthers > 0 && atOnce > 0 && pinned > 0 }
    }

    /// The ids of rows are given once each.
    static let idsTried = 100

    private let tables: RelatedTables
    private let folder = TemporaryFolder()
    private let path: String
    private let server: TestServer
    private let station: ValetStation
    private var lists: [String: ListDescription] = [:]
    private var numbers: SeededNumbers
    private var hasNote = false
    /// Lists that may not show yet what another program has done.
    private var behind: Set<String>
    private(set) var figures = Figures()

    init(seed: UInt64) async throws {
        numbers = SeededNumbers(seed: seed)
        tables = RelatedTables(&numbers)
        behind = Set(tables.lists.map(\.name))
        path = try folder.database(tables.sql)
        let catalog = folder.write(tables.catalog, to: "catalog.yaml")
        let server = try await TestServer(path) { $0.catalogPath = catalog }
        self.server = server
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

    /// Chance leaves something out at times, so it may take some steps more.
    func run(steps: Int) async throws {
        for step in 0..<10 * steps where step < steps || !figures.haveAll {
            switch numbers.below(20) {
            case 0: try byAnother { try TemporaryFolder.vacuum(path) }
            case 1: try await alter()
            case 2..<6:
                let change = RelatedTables.change(&numbers)
                try byAnother { try TemporaryFolder.change(path, change) }
                figures.byOthers += 1
            default: try await submit()
            }
            if numbers.below(4) == 0 { try await look() }
        }
        try await look()
    }

    // MARK: Changes

    private func submit() async throws {
        let name = numbers.below(2) == 0 ? "cars" : "some_cars"
        guard let list = lists[name], let table = tables[name] else { return }
        let (change, isPossible) = try change(in: table)
        let pinned = try await pin()
        let outcome: Outcome
        do throws(ValetError) {
            outcome = try await station.submit(change, list: list)
        } catch {
            await pinned?.connection.close()
            // Nobody knows by their numbers alone which rows another program's VACUUM left.
            guard error.code == .catalogChanged else { throw error }
            return try await readCatalog()
        }
        if let pinned { try await check(pinned) }
        switch (outcome.verdict, isPossible) {
        case (.applied, true?), (.applied, nil): figures.applied += 1
        case (.conflict, false?), (.refused, false?): break
        // Whether undo can take back its step depends on what others did since.
        case (_, nil): break
        default:
            throw Mistake(text: "\(change) in “\(name)” became \(outcome.verdict)")
        }
        try await look(at: table, since: outcome.revision)
        for list in tables.lists where numbers.below(3) == 0 {
            try await look(at: list, since: outcome.revision)
        }
    }

    /// - Returns: also whether it can be carried out; nil for undo.
    private func change(in list: RelatedTables.List) throws -> (Change, isPossible: Bool?) {
        let rowID = Int64(1 + numbers.below(Self.idsTried))
        let price = numbers.below(10) == 0 ? nil : Int64(numbers.below(RelatedTables.prices))
        let value = price.map { Cell.integer($0) } ?? .null
        let test = list.filter?.sql ?? "1"
        func has(_ rows: String) throws -> Bool {
            try TemporaryFolder.number(path, "SELECT count(*) FROM \(rows) AND \(test)") == 1
        }
        let isThere = try has("cars WHERE id = \(rowID)")
        switch numbers.below(8) {
        case 0: return (.undo, nil)
        case 1..<3:
            let make = RelatedTables.makes[numbers.below(RelatedTables.makes.count)]
            let values = [
                ColumnValue(column: 1, value: .text(make)), ColumnValue(column: 2, value: value),
            ]
            let number = price.map { "\($0)" } ?? "NULL"
            let isListed = try has("(SELECT '\(make)' AS make, \(number) AS price) WHERE 1")
            return (.insert([values]), isListed)
        case 3: return (.delete([RowDeletion(rowID: rowID, seen: nil)]), isThere)
        default:
            let edit = CellEdit(column: 2, value: value, seen: .anything)
            return (.update([RowEdit(rowID: rowID, cells: [edit])]), isThere)
        }
    }

    private func byAnother(_ change: () throws -> Void) throws {
        try change()
        behind = Set(tables.lists.map(\.name))
    }

    /// Another program adds a column, or takes it out again.
    private func alter() async throws {
        let change = hasNote ? "DROP COLUMN note" : "ADD COLUMN note TEXT"
        try byAnother { try TemporaryFolder.change(path, "ALTER TABLE cars \(change)") }
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
        for list in tables.lists { try await look(at: list, since: nil) }
    }

    /// At times with conditions beside those of the list.
    ///
    /// - Parameter revision: of an outcome, from which on the list is what the file is; nil if it
    ///   may still be what it was before another program's change.
    private func look(at list: RelatedTables.List, since revision: UInt64?) async throws {
        let name = list.name
        let filter = numbers.below(3) == 0 ? list.randomFilter(&numbers) : nil
        let expected = try stored(list.query(filter))
        var shown: [[Cell]] = []
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(20) {
            let window = try await asking { connection throws(ValetError) in
                let view = try await connection.openView(
                    list: name, try self.query(list, filter))
                return try await view.window(at: .ordinal(0), rows: 4 * Self.idsTried)
            }
            if let revision, window.revision < revision {
                throw Mistake(text: "“\(name)” is at \(window.revision) after \(revision)")
            }
            shown = window.rows.map { $0?.cells ?? [] }
            let isRight = isSame(shown, expected, in: list) && window.totalRows == expected.count
            if !behind.contains(name) { figures.atOnce += 1 }
            if isRight {
                // With conditions it may be right and the list itself is not yet.
                if filter == nil { behind.remove(name) }
                return
            }
            // Another program's change may still be on its way, with ours behind it.
            guard behind.contains(name) else { break }
        }
        throw difference(shown, expected, in: list, filter)
    }

    private func query(
        _ list: RelatedTables.List, _ filter: RandomFilter?
    ) throws(ValetError) -> Query {
        var query = Query(grouping: "None")
        guard let filter, let description = lists[list.name] else { return query }
        do throws(ConditionError) {
            let reader = ConditionReader(columns: description.columns)
            for text in filter.conditions { query.conditions.append(try reader.condition(text)) }
        } catch {
            throw ValetError(.malformed, "\(error)")
        }
        return query
    }

    private func isSame(
        _ shown: [[Cell]], _ stored: [[Cell]], in list: RelatedTables.List
    ) -> Bool {
        // Other rows have no order of their own.
        if list.table == "cars" { return shown == stored }
        func counted(_ rows: [[Cell]]) -> [[Cell]: Int] {
            rows.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        return counted(shown) == counted(stored)
    }

    private func difference(
        _ shown: [[Cell]], _ stored: [[Cell]], in list: RelatedTables.List, _ filter: RandomFilter?
    ) -> Mistake {
        let difference = Set(shown).symmetricDifference(stored)
        return Mistake(text: "\(list.query(filter)) has other rows: \(difference)")
    }

    private func stored(_ query: String) throws -> [[Cell]] {
        let statement = try Connection(path: path).prepare(query)
        var rows: [[Cell]] = []
        while try statement.step() {
            rows.append(
                (0..<statement.columnCount).map {
                    statement.cell($0, limit: Limits.bytesPerValue)
                })
        }
        return rows
    }

    // MARK: Pinned views

    private struct Pinned {
        let list: RelatedTables.List
        let connection: ValetConnection
        let view: ValetView
        let rows: [[Cell]]
    }

    /// A view that stays as one of the lists is now; nil while what they show may be older.
    private func pin() async throws -> Pinned? {
        let settled = tables.lists.filter { !behind.contains($0.name) }
        if settled.isEmpty { return nil }
        let list = settled[numbers.below(settled.count)]
        let connection = try await Self.connect(server, as: 3)
        let view = try await connection.openView(
            list: list.name, Query(grouping: "None"), isPinned: true)
        return Pinned(
            list: list, connection: connection, view: view, rows: try stored(list.query()))
    }

    private func check(_ pinned: Pinned) async throws {
        let window: Window
        do throws(ValetError) {
            window = try await pinned.view.window(at: .ordinal(0), rows: 4 * Self.idsTried)
        } catch {
            await pinned.connection.close()
            // What is not kept is not shown.
            guard error.code == .expired else { throw error }
            return
        }
        await pinned.connection.close()
        let shown = window.rows.map { $0?.cells ?? [] }
        guard window.revision == pinned.view.summary.revision,
            isSame(shown, pinned.rows, in: pinned.list)
        else { throw difference(shown, pinned.rows, in: pinned.list, nil) }
        figures.pinned += 1
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
