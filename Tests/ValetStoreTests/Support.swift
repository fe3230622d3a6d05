import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

func bytes(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    precondition(descriptor >= 0, "can't read \(path)")
    defer { close(descriptor) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count <= 0 { return all }
        all.append(contentsOf: buffer[..<count])
    }
}

extension Budgets {
    static func with(_ adjust: (inout Budgets) -> Void) -> Budgets {
        var budgets = Budgets()
        adjust(&budgets)
        return budgets
    }
}

extension TemporaryFolder {
    /// A new database made by running `sql`, with a catalog.
    func database(_ sql: String, catalog: String) throws -> Database {
        try Database(path: database(sql), catalogPath: write(catalog, to: "catalog.yaml"))
    }

    /// The list of a table in a new database, where a catalog says only this of it.
    func list(of table: String, _ sql: String, entry: String) throws -> ListDescription {
        try database(sql, catalog: "lists:\n  - name: \(table)\n    \(entry)\n").catalog.lists[0]
    }

    func reader(_ sql: String, budgets: Budgets = Budgets()) throws -> Reader {
        try Database(path: database(sql), budgets: budgets).makeReader()
    }

    /// A copy of a file, and of the files beside it with these suffixes.
    func copy(
        of path: String, to name: String = "copy.db", with suffixes: String...
    ) throws -> String {
        for suffix in [""] + suffixes {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: file(name) + suffix)
        }
        return file(name)
    }
}

/// Writes over a part of a file, which stays the same file to whoever has it open.
func write(_ bytes: [UInt8], at offset: Int, to path: String) throws {
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: bytes)
    try handle.close()
}

/// A watch of a file, and what another program opens it with.
func watched(_ path: String) throws -> (watch: FileWatch, other: Connection) {
    (try FileWatch(path: path), try Connection(path: path, access: .write))
}

/// SQL that begins a statement which reads the numbers `i` from 1 to `count` in a table `n`.
func numbers(to count: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))"
}

/// A cancellation that is asked for `count` times in vain.
func cancelled(after count: Int) -> () -> Bool {
    var asked = 0
    return {
        asked += 1
        return asked > count
    }
}

/// `body` throws an error of this code, whose message has this part and this end.
func expectFailure(
    _ code: ErrorCode? = nil, saying part: String = "", ending end: String = "",
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) {
    guard let error = failure(body) else {
        Issue.record("no error", sourceLocation: sourceLocation)
        return
    }
    #expect(error.code == code ?? error.code, sourceLocation: sourceLocation)
    let isSaid = part.isEmpty || error.message.contains(part)
    #expect(
        isSaid && error.message.hasSuffix(end), "\(error.message)", sourceLocation: sourceLocation)
}

/// A catalog's third line has a mistake in its first list.
func expectMistake(
    _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) {
    let text = failure(body)?.description ?? ""
    #expect(
        text.contains("line 3: lists[0].") && text.contains(message), "\(text)",
        sourceLocation: sourceLocation)
}

extension Statement {
    /// All rows with their first columns.
    func allCells(_ count: Int, limit: Int = 1_000) throws -> [[Cell]] {
        var rows: [[Cell]] = []
        while try step() { rows.append((0..<count).map { cell($0, limit: limit) }) }
        return rows
    }
}

extension Cell {
    /// What a borrowed value says, for comparing.
    init(_ value: BorrowedValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let bytes): self.init(textBytes: bytes)
        case .blob(let byteCount): self = .blob(bytes: [], byteCount: byteCount)
        }
    }
}

struct ReadRow: Equatable {
    var id: Int64
    var cells: [Cell]
}

extension Reader {
    /// All rows of a list with these columns, or with all.
    func everything(list: Int, columns: [Int]? = nil) throws -> [ReadRow] {
        var rows: [ReadRow] = []
        let columns = columns ?? Array(database.catalog.lists[list].columns.indices)
        try scan(list: list, columns: columns) { row in
            rows.append(ReadRow(id: row.id, cells: columns.indices.map { Cell(row[$0]) }))
        }
        return rows
    }
}

extension Database {
    func list(_ name: String) throws -> Int {
        let found = try catalog.list(named: name)
        return catalog.lists.firstIndex { $0.name == found.name } ?? 0
    }
}
