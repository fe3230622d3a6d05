import TestSupport
import Testing
import ValetModel

@testable import ValetCommands

private let list = ListDescription(
    name: "cars", title: "Cars",
    columns: .named([
        "Make": .text, "year": .integer, "fuel": .real, "parked": .date, "sold": .boolean,
        "any": .blob,
    ]),
    titleColumn: 0, groupings: [], scopes: [], cell: .columns)

private func values(_ cells: [String], null: [String] = []) async throws -> [ColumnValue] {
    try await AddCommand.asyncParse(["file"] + cells + null.flatMap { ["--null", $0] })
        .cells.values(of: list)
}

@Suite struct CellOptionsTests {
    @Test(
        arguments: [
            ("make=BMW", 0, .text("BMW")), ("Make=", 0, .text("")),
            ("MAKE= a=b ", 0, .text(" a=b ")),
            ("Make=007", 0, .text("007")), ("Make=\u{301}x", 0, .text("\u{301}x")),
            ("year=-2020", 1, .integer(-2020)), ("year=", 1, .null),
            ("year=9223372036854775807", 1, .integer(.max)),
            ("fuel=12.5", 2, .real(12.5)), ("fuel=40", 2, .real(40)), ("fuel=", 2, .null),
            ("fuel=9007199254740992", 2, .real(9_007_199_254_740_992)),
            ("fuel=9007199254740993", 2, .integer(9_007_199_254_740_993)),
            ("fuel=9223372036854775807", 2, .integer(.max)),
            ("parked=2024-02-29", 3, .text("2024-02-29")),
            ("parked=2024-02-29 18:30:00+01:00", 3, .text("2024-02-29 18:30:00+01:00")),
            ("parked=1700000000", 3, .integer(1_700_000_000)),
            ("sold=on", 4, .integer(1)), ("sold=FALSE", 4, .integer(0)), ("sold=", 4, .null),
            ("any=7", 5, .integer(7)), ("any=007", 5, .text("007")), ("any=0.5", 5, .real(0.5)),
            ("any=1e400", 5, .text("1e400")), ("any=nan", 5, .text("nan")),
            ("any=x'0aFF'", 5, .blob(bytes: [10, 255], byteCount: 2)),
            ("any=x''", 5, .blob(bytes: [], byteCount: 0)), ("any=x'0'", 5, .text("x'0'")),
            ("any=x'+1'", 5, .text("x'+1'")), ("any=x'", 5, .text("x'")), ("any=", 5, .null),
        ] as [(String, Int, Cell)])
    func aValueIsOfTheColumnsType(cell: String, column: Int, value: Cell) async throws {
        #expect(try await values([cell]) == [ColumnValue(column: column, value: value)])
    }

    @Test(arguments: [
        "year=12.5", "year=abc", "year=9223372036854775808", "fuel=x", "fuel=inf", "fuel=1e400",
        "parked=2024-02-30", "parked=soon", "sold=2", "sold=maybe",
    ])
    func aValueThatIsNotOfTheTypeIsInvalid(cell: String) async {
        let failure = await #expect(throws: CommandFailure.self) { try await values([cell]) }
        #expect(failure?.status == .invalidValue)
    }

    @Test func nullIsSaidApart() async throws {
        #expect(
            try await values(["year=1"], null: ["make"]) == [
                ColumnValue(column: 0, value: .null), ColumnValue(column: 1, value: .integer(1)),
            ])
        #expect(try await values([], null: ["make", "fuel"]).map(\.column) == [0, 2])
    }

    @Test func aColumnIsSetOnceAndExists() async {
        await #expect(throws: CommandFailure.self) { try await values(["make=a", "MAKE=b"]) }
        await #expect(throws: CommandFailure.self) { try await values(["make=a"], null: ["make"]) }
        let failure = await #expect(throws: ValetError.self) { try await values(["colour=a"]) }
        #expect(failure?.code == .unknownColumn)
        #expect(failure?.alternatives.first == "Make")
    }

    @Test func columnsThatTheCatalogDoesNotHaveAreAnError() throws {
        try list.check(columns: [5, 0])
        for columns in [[6], [0, 9_999], [-1]] {
            #expect(throws: list.columnsChanged) { try list.check(columns: columns) }
        }
    }

    @Test(arguments: [[], ["make"], ["make=a", "year"]])
    func aTextThatIsNoCellIsAUsageError(cells: [String]) async {
        await #expect(throws: (any Error).self) { try await values(cells) }
    }
}
