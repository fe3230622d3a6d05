import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetClient

/// Copies of a file with some bytes changed, from the disk to the client: each request is answered
/// with data or an error that says what is wrong, and the server goes on.
///
/// Serialized: opening a file takes a thread of the pool that other suites' clients wait for.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DamagedFileTests {
    private static let copiesPerSeed = 40

    /// Small pages, so that a small file has trees of several levels.
    private static let schema = """
        PRAGMA page_size = 512;
        CREATE TABLE cars (make TEXT, year INTEGER, price REAL, sold DATE, picture BLOB, note);
        CREATE INDEX byMake ON cars (make, year);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
        INSERT INTO cars SELECT 'Make ' || (i % 9), 1990 + i % 30, i / 4.0,
            date(1700000000 + 86400 * i, 'unixepoch'), zeroblob(i % 7 * 100),
            CASE i % 4 WHEN 0 THEN i WHEN 1 THEN hex(zeroblob(i)) WHEN 2 THEN x'0102' END FROM n;
        CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
        INSERT INTO keyed SELECT make || rowid, note FROM cars LIMIT 100;
        CREATE VIEW makes AS SELECT make, count(*) AS n, max(note) FROM cars GROUP BY make;
        CREATE VIRTUAL TABLE words USING fts5(text);
        INSERT INTO words SELECT make || ' ' || year FROM cars LIMIT 50;
        """

    private static let queries = [
        Query(), Query(grouping: "year", sort: [.init(column: "make", isDescending: true)]),
        Query(grouping: "None", search: Query.Search(text: "make 1")),
    ]

    @Test(arguments: [1, 2] + runSeeds(0))
    func everyRequestIsAnswered(seed: UInt64) async throws {
        let folder = TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: folder.database(Self.schema)))
        for copy in 0..<Self.copiesPerSeed {
            // For a crash, which leaves no other trace.
            FileHandle.standardError.write(Data("damaged file: seed \(seed), \(copy)\n".utf8))
            var random = SeededNumbers(seed: seed, index: copy)
            let path = folder.write(Self.damaged(whole, &random), to: "copy.db")
            let server: TestServer
            do {
                server = try await TestServer(path) {
                    $0.budgets.copy.time = .seconds(2)
                    $0.budgets.row.time = .seconds(2)
                    $0.budgets.lookup.time = .seconds(2)
                }
            } catch is ValetError {
                continue
            }
            let connection = try await server.connect()
            try await askAll(connection, "seed \(seed), copy \(copy)")
            await connection.close()
            await server.server.stop()
        }
    }

    /// A few bytes changed, half of them where pages say what they hold.
    private static func damaged(_ whole: Data, _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = Array(whole)
        for _ in 0...random.below(6) {
            let page = random.below(bytes.count / 512)
            let inPage = random.happens(perThousand: 500) ? random.below(40) : random.below(512)
            // The file's own header is checked by SQLite alone.
            let place = max(100, page * 512 + inPage)
            bytes[place] =
                random.happens(perThousand: 500)
                ? bytes[place] ^ 1 << UInt8(random.below(8)) : UInt8(random.below(256))
        }
        return bytes
    }

    /// What a damaged file may be told as.
    private static let damages: Set<ErrorCode> = [
        .listUnavailable, .storageFailed, .overBudget, .unknownRow, .unknownGrouping,
        .unknownColumn, .unknownScope, .unknownList, .limitExceeded,
    ]

    private func askAll(_ connection: ValetConnection, _ copy: String) async throws {
        func answered<Value>(_ body: () async throws -> Value) async throws -> Value? {
            do {
                return try await body()
            } catch let error as ValetError {
                #expect(Self.damages.contains(error.code), "\(copy): \(error.code.name): \(error)")
                return nil
            }
        }
        let lists = try await answered { try await connection.catalog() }
        for list in lists?.catalog.lists ?? [] {
            for query in Self.queries {
                let view = try await answered {
                    try await connection.openView(list: list.name, query)
                }
                guard let view else { continue }
                for anchor in [Anchor.ordinal(0), .rowID(150), .fraction(1 << 31), .end] {
                    _ = try await answered {
                        try await view.window(at: anchor, rowsBefore: 10, rows: 20)
                    }
                }
                _ = try await answered { try await view.index(most: 20) }
                _ = try await answered { try await view.sections(from: 1, count: 20) }
                _ = try await answered { try await view.locate(33) }
                _ = try await answered { try await view.close() }
            }
            for rowID in [1, 77] as [Int64] {
                _ = try await answered {
                    try await connection.detail(list: list.name, rowID: rowID)
                }
            }
            _ = try await answered {
                try await connection.wholeCell(
                    list: list.name, rowID: 299, column: list.columns[list.columns.count - 1].name)
            }
        }
        _ = try await connection.roundTrip()
        #expect(lists != nil, "\(copy): the catalog came")
    }
}
