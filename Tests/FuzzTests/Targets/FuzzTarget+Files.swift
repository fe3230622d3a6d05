import Foundation
import ValetModel
import ValetSecurity

@testable import ValetCommands
@testable import ValetServer
@testable import ValetStore

extension FuzzTarget {
    /// For files of this process, gone with it.
    static let folder: String = {
        let path = FileManager.default.temporaryDirectory.path + "/valet-fuzz-\(getpid())"
        try? FileManager.default.createDirectory(
            atPath: path + "/valet", withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: FuzzTarget.folder) }
        return path
    }()

    private static func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Read at once and byte by byte: it is the same.
    static func readCSV(_ bytes: [UInt8]) throws {
        func rows(_ pieces: [ArraySlice<UInt8>]) -> (rows: [[[UInt8]]], failure: String?) {
            var reader = CSVReader(file: "fuzz.csv", bytesPerField: 64)
            var rows: [[[UInt8]]] = []
            do {
                for piece in pieces {
                    try piece.withUnsafeBytes { bytes in
                        var input = bytes
                        while try reader.readRow(from: &input) { rows.append(row(reader)) }
                    }
                }
                if try reader.finish() { rows.append(row(reader)) }
                return (rows, nil)
            } catch {
                return (rows, "\(error)")
            }
        }
        func row(_ reader: CSVReader) -> [[UInt8]] {
            (0..<reader.fieldCount).map { reader.withField($0) { Array($0) } }
        }
        let whole = rows([bytes[...]])
        let split = rows(bytes.indices.map { bytes[$0...$0] })
        try check(whole.rows == split.rows, "other rows when it comes in pieces")
        try check((whole.failure == nil) == (split.failure == nil), "fails only in pieces")
    }

    private static let database: Result<String, any Error> = Result {
        let path = folder + "/catalog.sqlite"
        try Connection(path: path, access: .create).run(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, model TEXT, year INTEGER,
                fuel REAL, parked DATETIME, kind TEXT, washed BOOLEAN, colour, any, place REAL);
            CREATE INDEX cars_by_place ON cars (place);
            INSERT INTO cars VALUES (1, 'BMW', 'i4', 2024, 1, 1700000000, 'x', 1, 'red', 2, 1);
            CREATE TABLE owners (name TEXT);
            CREATE TABLE t (name TEXT, colour TEXT, level INTEGER, lines INTEGER, done BOOLEAN);
            CREATE TABLE sites (id INTEGER PRIMARY KEY, name TEXT);
            CREATE VIEW makes AS SELECT DISTINCT make FROM cars;
            """)
        return path
    }

    /// What is read, is written as a catalog and read again: it is the same.
    static func readCatalog(_ bytes: [UInt8]) throws {
        let path = try database.get()
        let given = try file("catalog.yaml", bytes)
        guard let database = try? Database(path: path, catalogPath: given) else { return }
        let text = CatalogText.yaml(
            of: database.catalog.lists, tables: database.tableNames,
            onlyThese: database.hasHiddenTables)
        let written = try file("written.yaml", Array(text.utf8))
        let again = try Database(path: path, catalogPath: written)
        try check(again.catalog == database.catalog, "\(text)")
    }

    static func readSettings(_ bytes: [UInt8]) throws {
        _ = try file("valet/config.yaml", bytes)
        _ = try? Settings(environment: ["XDG_CONFIG_HOME": folder])
    }

    static func readAccess(_ bytes: [UInt8]) throws {
        let path = try file("access", bytes)
        chmod(path, 0o600)
        if let entries = try? PrincipalsFile(path: path).entries() {
            try check(entries.count <= Limits.tokens, "\(entries.count) tokens")
        }
        guard let rules = try? AccessRules(file: path),
            let principal = Principal(name: "ana", roles: ["reader", "attendant"])
        else { return }
        _ = rules.access(of: principal)
        _ = rules.undefinedRoles(of: principal)
    }
}
