import Testing
import ValetClient
import ValetModel
import ValetStore

@testable import ValetLoad

private let list = ListDescription(
    name: "t", title: "t",
    columns: [
        ColumnDescription(name: "a", type: .text), ColumnDescription(name: "b", type: .real),
        ColumnDescription(name: "c", type: .blob), ColumnDescription(name: "rowid", type: .text),
    ], titleColumn: 0, groupings: [], scopes: [], cell: .columns)

private func truth(_ scratch: ScratchDirectory) throws -> Truth {
    let file = scratch.file("t.sqlite")
    let connection = try Connection(path: file, access: .create)
    try connection.run(
        """
        CREATE TABLE t (a, b, c, rowid TEXT);
        INSERT INTO t VALUES ('Citroën', 2.5, x'010203', 'x'), (NULL, 1, '', NULL);
        INSERT INTO t VALUES
            (CAST(x'ff41' AS TEXT), NULL, 7, '\(String(repeating: "é", count: 900))')
        """)
    return try Truth(file: file, list: list)
}

@Test func cellsAreWhatTheFileHas() async throws {
    let scratch = try ScratchDirectory()
    let truth = try truth(scratch)
    #expect(await truth.rowCount == 3)
    let rows = [
        Row(
            id: 1,
            cells: [.text("Citroën"), .real(2.5), .blob(bytes: [], byteCount: 3), .text("x")]),
        Row(id: 2, cells: [.null, .integer(1), .text(""), .null]),
        Row(
            id: 3,
            cells: [
                .malformedText(bytes: [0xFF, 0x41], byteCount: 2), .null, .integer(7),
                .cutText(String(repeating: "é", count: 512), byteCount: 1_800),
            ]),
    ]
    for row in rows {
        #expect(try await truth.check(row, columns: [0, 1, 2, 3]) == nil)
    }
}

@Test func otherCellsThanTheFileHasAreCaught() async throws {
    let scratch = try ScratchDirectory()
    let truth = try truth(scratch)
    let wrong = [
        Row(id: 1, cells: [.text("Citroe\u{308}n")]), Row(id: 1, cells: [.null]),
        Row(id: 2, cells: [.text("")]), Row(id: 4, cells: [.null]), Row(id: 1, cells: []),
        Row(id: 3, cells: [.malformedText(bytes: [0xFE, 0x41], byteCount: 2)]),
    ]
    for row in wrong {
        #expect(try await truth.check(row, columns: [0])?.kind == .cells, "\(row)")
    }
    let real = Row(id: 2, cells: [.real(1)])
    #expect(try await truth.check(real, columns: [1])?.kind == .cells)
}

@Test func aViewHasNoTruth() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("v.sqlite")
    try Connection(path: file, access: .create).run(
        "CREATE TABLE u (a, b, c, rowid); CREATE VIEW t AS SELECT * FROM u")
    #expect(throws: ValetError.self) { try Truth(file: file, list: list) }
}
