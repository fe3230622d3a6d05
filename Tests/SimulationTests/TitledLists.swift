import TestSupport
import ValetClient
import ValetModel

@testable import ValetStore

/// A list that shows titles of rows of three lists, one of which is the list itself, while stations
/// and another program change all of them at random. What it shows is compared with what SQLite
/// joins.
final class TitledLists {
    struct Mistake: Error {
        let text: String
    }

    struct Figures {
        var applied = 0
        var byOthers = 0
        /// Looks that had to be right at once.
        var atOnce = 0
        /// Rows that showed a title, and keys that name no row.
        var (titles, dangling) = (0, 0)

        var haveAll: Bool {
            [applied, byOthers, atOnce, titles, dangling].allSatisfy { $0 > 0 }
        }
    }

    private static let names = (0..<6).map { "name \($0)" }
    private static let people = "maker last_name first_name"
    private static let codes = ["A", "a", "Ä", "b", "C", "7"]
    private static let rows = 90

    /// Foreign keys that other programs don't keep, of numbers and of texts.
    private static let sql = """
        PRAGMA foreign_keys = OFF;
        PRAGMA journal_mode = wal;
        CREATE TABLE genres (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE makers (number INTEGER, last_name TEXT, code TEXT UNIQUE, first_name TEXT);
        CREATE TABLE tracks (
            id INTEGER PRIMARY KEY, name TEXT,
            genre_id INTEGER REFERENCES genres ON DELETE SET NULL,
            maker VARCHAR REFERENCES makers (code) ON UPDATE CASCADE ON DELETE SET NULL,
            nextId INT REFERENCES tracks (id) ON DELETE SET NULL, seconds INTEGER);
        CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
        CREATE TRIGGER renamed AFTER INSERT ON notes BEGIN
            UPDATE genres SET name = new.text WHERE id = new.id % 8;
        END;
        INSERT INTO genres VALUES (1, 'name 1'), (2, 'name 2'), (3, NULL), (4, 'name 1'), (5, '');
        INSERT INTO makers VALUES
            (1, 'name 3', 'A', 'x'), (2, 'name 4', 'a', NULL), (3, NULL, 'Ä', '');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO tracks SELECT i, 'track ' || i,
            CASE i % 7 WHEN 6 THEN NULL ELSE i % 7 END,
            CASE i % 4 WHEN 0 THEN 'A' WHEN 1 THEN 'a' WHEN 2 THEN 'Ä' END,
            CASE i % 3 WHEN 0 THEN i * 5 % \(rows) END, i FROM n;
        """

    private static let joined = """
        SELECT s.id, s.name, s.genre_id, s.maker, s.nextId, s.seconds,
            g.name AS genre, CASE
                WHEN m.last_name > '' AND m.first_name > '' THEN m.last_name || ' ' || m.first_name
                WHEN m.last_name > '' THEN m.last_name
                WHEN m.first_name > '' THEN m.first_name END AS maker, t.name AS next
        FROM tracks AS s LEFT JOIN genres AS g ON g.id = s.genre_id
        LEFT JOIN makers AS m ON m.code = s.maker LEFT JOIN tracks AS t ON t.id = s.nextId
        """

    private let folder = TemporaryFolder()
    private let path: String
    private let server: TestServer
    private let stations: [ValetStation]
    private let reader: ValetConnection
    private let views: [String: ValetView]
    private let lists: [String: ListDescription]
    private var numbers: SeededNumbers
    private var isBehind = false
    private(set) var figures = Figures()

    /// - Parameter areNoted: whether triggers tell which rows another program changes.
    init(seed: UInt64, areNoted: Bool) async throws {
        numbers = SeededNumbers(seed: seed)
        path = try folder.database(Self.sql)
        if areNoted { _ = try FileTriggers.add(toFile: path) }
        let server = try await TestServer(path)
        self.server = server
        var stations: [ValetStation] = []
        for number in 0..<3 as Range<UInt64> {
            stations.append(
                try await ValetStation.connect { () throws(ValetError) in
                    try await Self.connect(server, as: number)
                })
        }
        self.stations = stations
        reader = try await Self.connect(server, as: 9)
        let catalog = try await reader.catalog(countingRows: false).catalog
        lists = Dictionary(uniqueKeysWithValues: catalog.lists.map { ($0.name, $0) })
        // They stay open, so that pages which they hold must get other names.
        var views: [String: ValetView] = [:]
        for grouping in ["None", "genre", Self.people, "next"] {
            views[grouping] = try await reader.openView(
                list: "tracks", Query(grouping: grouping, sort: [Query.Sort(column: "id")]))
        }
        self.views = views
    }

    func stop() async {
        for station in stations { await station.close() }
        await reader.close()
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
        try await look(since: nil)
        for step in 0..<10 * steps where step < steps || !figures.haveAll {
            if numbers.below(8) == 0 {
                try TemporaryFolder.change(path, "PRAGMA foreign_keys = OFF; " + otherChange())
                figures.byOthers += 1
                isBehind = true
                try await look(since: nil)
            } else {
                try await submit()
            }
        }
    }

    // MARK: Changes

    private func name() -> Cell {
        switch numbers.below(8) {
        case 0: .null
        case 1: .text("")
        default: .text(Self.names[numbers.below(Self.names.count)])
        }
    }

    private func code() -> Cell { .text(Self.codes[numbers.below(Self.codes.count)]) }

    private func change() -> (list: String, Change) {
        let genre = Int64(1 + numbers.below(8))
        let track = Int64(1 + numbers.below(Self.rows))
        switch numbers.below(13) {
        case 0: return ("genres", .set(genre, 1, name()))
        case 1: return ("genres", .delete(genre))
        case 2: return ("genres", .insert([.null, name()]))
        case 3: return ("makers", .set(Int64(1 + numbers.below(6)), 1, name()))
        case 4: return ("makers", .set(Int64(1 + numbers.below(6)), 2, code()))
        case 5: return ("makers", .insert([.null, name(), code(), name()]))
        case 12: return ("makers", .set(Int64(1 + numbers.below(6)), 3, name()))
        case 6: return ("tracks", .set(track, 1, name()))
        case 7: return ("tracks", .set(track, 2, numbers.below(3) == 0 ? .null : .integer(genre)))
        case 8: return ("tracks", .set(track, 3, numbers.below(4) == 0 ? .null : code()))
        case 9:
            return numbers.below(2) == 0
                ? ("tracks", .set(track, 4, .integer(Int64(1 + numbers.below(Self.rows)))))
                : ("tracks", .delete(track))
        case 10:
            return ("tracks", .insert([.null, name(), .integer(genre), code(), .integer(track)]))
        default:
            return numbers.below(2) == 0
                ? ("notes", .insert([.null, name()])) : ("tracks", .undo)
        }
    }

    /// Another program may leave keys of rows that are not there.
    private func otherChange() -> String {
        let (genre, track) = (1 + numbers.below(8), 1 + numbers.below(Self.rows))
        let name = Self.names[numbers.below(Self.names.count)]
        let statements = [
            "UPDATE genres SET name = '\(name)' WHERE id = \(genre)",
            "DELETE FROM genres WHERE id = \(genre)",
            "INSERT OR REPLACE INTO genres VALUES (\(genre), '\(name)')",
            "UPDATE OR IGNORE makers SET code = 'b' WHERE number = 1",
            "UPDATE tracks SET genre_id = \(genre), maker = 'C' WHERE id = \(track)",
            "UPDATE tracks SET nextId = \(2 * Self.rows) WHERE id = \(track)",
            "DELETE FROM tracks WHERE id = \(track)",
            "UPDATE tracks SET name = '\(name)' WHERE id = \(track)",
        ]
        return statements[numbers.below(statements.count)]
    }

    /// Several stations at once, whose commands may come in one transaction.
    private func submit() async throws {
        let changes = stations.map { ($0, change()) }
        let count = 1 + numbers.below(changes.count)
        let lists = lists
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (station, change) in changes.prefix(count) {
                guard let list = lists[change.0] else { continue }
                group.addTask { try await station.submit(change.1, list: list) }
            }
            return try await group.reduce(into: [Outcome]()) { $0.append($1) }
        }
        for case .applied in outcomes.map(\.verdict) { figures.applied += 1 }
        try await look(since: outcomes.map(\.revision).max())
    }

    // MARK: What is shown

    /// - Parameter revision: of an outcome, from which on the list is what the file is, unless it
    ///   may still be what it was before another program's change.
    private func look(since revision: UInt64?) async throws {
        let expected = try stored(Self.joined + " ORDER BY s.id")
        figures.titles += expected.count { $0[6...].contains { $0 != .null } }
        figures.dangling += expected.count { $0[2] != .null && $0[6] == .null }
        let start = ContinuousClock.now
        var mistake: String?
        repeat {
            mistake = try await difference(from: expected, since: revision)
            if mistake == nil {
                if !isBehind { figures.atOnce += 1 }
                // What another program did may show nothing, and be on its way still.
                if revision != nil { isBehind = false }
                return
            }
        } while isBehind && ContinuousClock.now - start < .seconds(20)
        throw Mistake(text: mistake ?? "")
    }

    private func difference(
        from expected: [[Cell]], since revision: UInt64?
    ) async throws -> String? {
        for (grouping, column) in [("None", nil), ("genre", 6), (Self.people, 7), ("next", 8)]
            as [(String, Int?)]
        {
            guard let view = views[grouping] else { return "no view by \(grouping)" }
            let window = try await view.window(at: .ordinal(0), rows: 4 * Self.rows)
            if let revision, window.revision < revision {
                return "“\(grouping)” is at \(window.revision) after \(revision)"
            }
            let shown = window.rows.compactMap { $0?.cells }
            let wanted = column.map { sectioned(expected, by: $0) } ?? expected
            if shown != wanted {
                let rows = Set(shown).symmetricDifference(wanted).prefix(3)
                return "by \(grouping): \(rows.isEmpty ? "another order" : "\(rows)")"
            }
        }
        // What is found is what is shown.
        let name = Self.names[numbers.below(Self.names.count)]
        let queries = [
            Query(
                grouping: "None",
                conditions: [Condition(column: "genre", .isOneOf, [.text(name)])]),
            Query(grouping: "None", search: Query.Search(text: "\"\(name)\"")),
        ]
        let counts = [
            expected.count { $0[6] == .text(name) },
            expected.count { row in [1, 6, 7, 8].contains { row[$0].has(name) } },
        ]
        for (query, count) in zip(queries, counts) {
            let view = try await reader.openView(list: "tracks", query)
            let (total, found) = (view.summary.totalRows, view.summary.revision)
            try await view.close()
            if let revision, found < revision { return "a query is at \(found)" }
            if total != count { return "\(query): \(total) rows, not \(count)" }
        }
        return nil
    }

    /// Missing ones last, and rows of a section by id.
    private func sectioned(_ rows: [[Cell]], by column: Int) -> [[Cell]] {
        func key(_ row: [Cell]) -> (Int, String) {
            if case .text(let text) = row[column], !text.isEmpty { return (0, text) }
            return (1, "")
        }
        return rows.enumerated().sorted { one, other in
            let (left, right) = (key(one.element), key(other.element))
            return left == right ? one.offset < other.offset : left < right
        }.map(\.element)
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
}

extension Cell {
    /// As words.
    fileprivate func has(_ name: String) -> Bool {
        guard case .text(let text) = self else { return false }
        return " \(text) ".contains(" \(name) ")
    }
}
