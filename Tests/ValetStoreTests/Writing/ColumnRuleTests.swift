import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What a catalog asks of values, broken one by one.
@Suite struct ColumnRuleTests {
    private func cars() throws -> WrittenDatabase {
        try WrittenDatabase(
            """
            CREATE TABLE cars (
              make TEXT, year INTEGER, fuel REAL, colour TEXT DEFAULT 'red', doors INTEGER)
            """,
            catalog: """
                lists:
                  - name: cars
                    columns:
                      make: {required: true, maxLength: 5}
                      year: {min: 1908, max: 2027, label: Year}
                      fuel: {type: real, min: -0.5, max: 99.5}
                      colour: {required: yes, choices: [red, blue]}
                      doors: {choices: [3, 5]}
                """)
    }

    private func car(
        make: Cell = .text("VW"), year: Cell = .null, fuel: Cell = .null,
        colour: Cell = .text("red"), doors: Cell = .null
    ) -> Change {
        .insert([make, year, fuel, colour, doors])
    }

    @Test func whatKeepsTheRulesIsTaken() throws {
        let file = try cars()
        for change in [
            car(), car(make: .text("Škoda")), car(year: .integer(1908)), car(year: .integer(2027)),
            car(fuel: .real(-0.5)), car(fuel: .real(99.5)), car(fuel: .integer(7)),
            car(colour: .text("blue")), car(doors: .integer(5)), .insert([.text("Kia")]),
            .set(1, 3, .text("blue")), .set(1, 1, .null),
        ] {
            #expect(try file.send(change).isApplied, "\(change)")
        }
    }

    @Test func whatBreaksARuleIsRefusedWithItsColumn() throws {
        let file = try cars()
        #expect(try file.send(car()).isApplied)
        for (column, value, message) in [
            (0, .text("Škodas"), "“make” must be at most 5 characters long"),
            (0, .null, "“make” must have a value"),
            (1, .integer(1907), "“Year” must be at least 1908"),
            (1, .integer(2028), "“Year” must be at most 2027"),
            (2, .real(-0.75), "“fuel” must be at least -0.5"),
            (2, .integer(100), "“fuel” must be at most 99.5"),
            (3, .text("green"), "“colour” must be one of red, blue"),
            (3, .text("Red"), "“colour” must be one of red, blue"),
            (3, .null, "“colour” must have a value"),
            (4, .integer(4), "“doors” must be one of 3, 5"),
        ] as [(Int, Cell, String)] {
            let refused = Verdict.refused([Refusal(row: 0, column: column, message: message)])
            #expect(try file.send(.set(1, column, value)) == refused)
        }
        #expect(try file.query("SELECT * FROM cars") == [["VW", "NULL", "NULL", "red", "NULL"]])
    }

    @Test func eachFieldOfEachRowHasItsMessage() throws {
        let file = try cars()
        let verdict = try file.send(
            .insert(
                [.text("VW")], [.text("Lamborghini"), .integer(1), .null, .text("pink")],
                [.null, .integer(2000)]))
        guard case .refused(let refusals) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(refusals.map(\.row) == [1, 1, 1, 2] && refusals.map(\.column) == [0, 1, 3, 0])
        #expect(
            try file.send(.insert([[ColumnValue(column: 1, value: .integer(2000))]]))
                == .refused([Refusal(row: 0, column: 0, message: "“make” must have a value")]))
        #expect(try file.query("SELECT * FROM cars") == [])
    }

    @Test(
        arguments: [
            ("make: {min: 1}", "bounds numbers, and “make” is text"),
            ("year: {maxLength: 1}", "bounds texts, and “year” is integer"),
            ("year: {min: 2, max: 1}", "is less than “min”"),
            ("year: {min: x}", "must be a number"), ("make: {maxLength: -1}", "whole number"),
            ("year: {choices: [1, x]}", "must be a whole number"),
            ("year: {max: 9, choices: [1, 10]}", "must be at most 9"),
            ("make: {choices: red}", "must be a list"),
            ("make: {required: maybe}", "true or false"),
            ("make: {type: blob, choices: [1]}", "which has no choices"),
        ])
    func aRuleThatMakesNoSenseIsNamed(column: String, message: String) throws {
        let folder = TemporaryFolder()
        let path = try folder.database("CREATE TABLE cars (make TEXT, year INTEGER)")
        let yaml = folder.write(
            "lists:\n  - name: cars\n    columns:\n      \(column)", to: "a.yaml")
        let error = #expect(throws: ValetError.self) {
            try Database(path: path, catalogPath: yaml)
        }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
