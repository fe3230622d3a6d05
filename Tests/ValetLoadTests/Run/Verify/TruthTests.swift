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
    #expect(try await truth.oldestKept() == 0)
    #expect(try await truth.log() == [])
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

// MARK: - Searches

private func viewpoint(
    _ search: String, in columns: [Int], _ match: TextMatch = .contains,
    lengths: ClosedRange<Int>? = nil
) -> Viewpoint {
    var list = list
    list.scopes = [Scope(name: "Some", columns: .columns(columns), match: match, lengths: lengths)]
    let summary = ViewSummary(
        generation: 1, epoch: 1, revision: 1, totalRows: 0, totalSections: 0, grouping: "None",
        groupingColumn: nil, isSectioned: false, hasIndex: false, columns: [])
    return Viewpoint(list: list, query: Query(search: .init(text: search)), summary: summary)
}

@Test func rowsThatSearchesMustFindAreCountedInTheFile() async throws {
    let scratch = try ScratchDirectory()
    let truth = try truth(scratch)
    let searches = [
        viewpoint("CITROEN", in: [0]), viewpoint("unknown", in: [0]), viewpoint("u", in: [0]),
        viewpoint("2.", in: [1], .beginsWith), viewpoint("7", in: [1, 2]),
        // Each row once, whatever number of its cells match.
        viewpoint("n", in: [0, 3]), viewpoint("n", in: [0], lengths: 7...7),
        viewpoint("n", in: [0], lengths: 8...9), viewpoint("zz", in: [0, 1, 2, 3]),
    ]
    let counted = try #require(await truth.count(searches, until: .now + .seconds(60)) { _ in })
    #expect(counted.isWhole && counted.rowsRead == 3)
    #expect(counted.counts == [1, 0, 0, 1, 1, 1, 1, 0, 0].map { $0...$0 })
}

/// Of a text, search knows the first 4 KiB.
@Test func leavesOpenWhatTheEndOfALongTextWouldDecide() async throws {
    let scratch = try ScratchDirectory()
    let connection = try Connection(path: scratch.file("t.sqlite"), access: .create)
    try connection.run(
        """
        CREATE TABLE t (a, b, c, rowid TEXT);
        INSERT INTO t (a) VALUES ('x'), (printf('%.*c', \(Limits.bytesPerKeyText), 'x')),
            (printf('%.*c', \(Limits.bytesPerKeyText + 1), 'x'))
        """)
    let truth = try Truth(file: scratch.file("t.sqlite"), list: list)
    let counted = try await truth.count(
        [viewpoint("x", in: [0])], until: .now + .seconds(60)
    ) { _ in }
    #expect(counted?.counts == [2...3])
}

@Test func rowsThatWereNotReadMayBeFoundOrNot() async throws {
    let scratch = try ScratchDirectory()
    let counted = try await truth(scratch).count([viewpoint("n", in: [0])], until: .now) { _ in }
    #expect(counted == Truth.Counted(counts: [0...3], rowsRead: 0, isWhole: false))
}

@Test func aFileThatHasChangedSaysNothingOfSearches() async throws {
    let scratch = try ScratchDirectory()
    let truth = try truth(scratch)
    try Connection(path: scratch.file("t.sqlite"), access: .create).run(
        "UPDATE t SET a = 'Audi' WHERE a IS NULL")
    let counted = try await truth.count(
        [viewpoint("audi", in: [0])], until: .now + .seconds(60)
    ) { _ in }
    #expect(counted == nil)
}

@Test func aViewHasNoTruth() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("v.sqlite")
    try Connection(path: file, access: .create).run(
        "CREATE TABLE u (a, b, c, rowid); CREATE VIEW t AS SELECT * FROM u")
    #expect(throws: ValetError.self) { try Truth(file: file, list: list) }
}
