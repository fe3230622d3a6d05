import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct CatalogConditionTests {
    private let folder = TemporaryFolder()

    private static let table = """
        CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, "owner, first" TEXT, year INT,
            fuel REAL, parked DATETIME, washed BOOLEAN, rest);
        """

    private func database(_ yaml: String) throws -> Database {
        try folder.database(Self.table, catalog: yaml)
    }

    private static let all = """
        lists:
          - name: cars
            timeZone: Europe/Zurich
            columns:
              make: {label: Maker}
              rest: {type: blob}
            scopes:
              - {name: Washed, columns: make, conditions: [washed = yes, MAKER present]}
            conditions:
              - YEAR >= 2000
              - make ≠ "Rolls, Royce", BMW
              - '"owner, first" = "yes"'
              - parked = 2026-03-09 14/2026-03-09 16
              - fuel < 12.5
              - rest = 5, "5", five
        """

    private static let conditions = [
        Condition(column: "year", .atLeast, [.integer(2000)]),
        Condition(column: "make", .isNoneOf, [.text("Rolls, Royce"), .text("BMW")]),
        Condition(column: "owner, first", .isOneOf, [.text("yes")]),
        Condition(column: "parked", .isOneOf, [.text("2026-03-09 14/2026-03-09 16")]),
        Condition(column: "fuel", .below, [.real(12.5)]),
        Condition(column: "rest", .isOneOf, [.integer(5), .text("5"), .text("five")]),
    ]

    @Test func listsAndScopesHaveConditions() throws {
        let list = try #require(try database(Self.all).catalog.lists.first)
        #expect(list.conditions == Self.conditions)
        #expect(
            list.scopes[1].conditions == [
                Condition(column: "washed", .isOneOf, [.integer(1)]),
                Condition(column: "make", .isPresent),
            ])
    }

    @Test func conditionsAreWrittenDown() throws {
        let database = try database(Self.all)
        let text = CatalogText.yaml(of: database.catalog.lists, tables: database.tableNames)
        #expect(try self.database(text).catalog == database.catalog, "\(text)")
    }

    @Test(arguments: [
        ("[yaer = 1]", "conditions[0]: there is no column “yaer”"),
        ("[make = a, year = x]", "conditions[1]: “year” takes numbers, and “x” is not one"),
        ("[washed > 0]", "conditions[0]: “washed” is yes or no and has no order"),
        ("[year]", "conditions[0]: an operator must follow “year”"),
        ("[parked = last week]", "conditions[0]: “last week” changes from day to day"),
        ("year = 1", "conditions: must be a list"),
        ("[[year]]", "conditions[0]: must be a text"),
        ("[~]", "conditions[0]: must be a text"),
        (
            "[" + Array(repeating: "year = 1", count: 33).joined(separator: ", ") + "]",
            "conditions: has 33 entries, and is limited to 32"
        ),
    ])
    func aWrongConditionIsNamedWithItsPlace(conditions: String, message: String) throws {
        let scope = "scopes:\n      - {name: A, columns: make, conditions: \(conditions)}"
        for (entry, place) in [
            ("conditions: \(conditions)", "line 3: lists[0]."),
            (scope, "line 4: lists[0].scopes[0]."),
        ] {
            expectFailure(saying: place + message) {
                try database("lists:\n  - name: cars\n    \(entry)\n")
            }
        }
    }
}
