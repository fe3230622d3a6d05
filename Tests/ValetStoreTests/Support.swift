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
}

/// A catalog's third line has a mistake in its first list.
func expectMistake(
    _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
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
    /// All rows of a list with all columns.
    func everything(list: Int, columns: [Int]) throws -> [ReadRow] {
        var rows: [ReadRow] = []
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
