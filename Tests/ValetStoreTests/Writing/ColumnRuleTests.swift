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

    @Test func aValueThatKeepsTheRulesIsTaken() throws {
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

    @Test func aValueThatBreaksARuleIsRefusedWithItsColumn() throws {
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

    /// Text and seconds, at both ends of their bounds.
    @Test func momentsHaveBoundsAndAnInterval() throws {
        let file = try WrittenDatabase(
            "CREATE TABLE days (day TEXT, at TEXT, lasts INTEGER, opens DATETIME)",
            catalog: """
                lists:
                  - name: days
                    columns:
                      day: {editor: date, min: 2020-02-29, max: 2030-12-31}
                      at: {editor: time, min: "08:00", max: "20:00", interval: 15}
                      lasts: {editor: duration, max: "2:00", interval: 30}
                      opens: {type: date, min: 2026-01-01, max: 2026-12-31, interval: 10}
                """)
        func tell(_ column: Int, _ value: Cell) throws -> Verdict {
            try file.send(.insert([[ColumnValue(column: column, value: value)]]), list: "days")
        }
        for (column, value) in [
            (0, .text("2020-02-29")), (0, .text("2030-12-31")), (0, .integer(1_582_934_400)),
            (1, .text("08:00")), (1, .text("8:15")), (1, .text("20:00:59")), (1, .null),
            (2, .integer(0)), (2, .integer(7_200)), (3, .text("2026-12-31 23:50")),
            (3, .integer(1_767_225_600)), (3, .text("2026-01-01T00:00:59+05:00")),
        ] as [(Int, Cell)] {
            #expect(try tell(column, value).isApplied, "\(column) \(value)")
        }
        for (column, value, message) in [
            (0, .text("2020-02-28"), "“day” must be at least 2020-02-29"),
            (0, .text("2031-01-01"), "“day” must be at most 2030-12-31"),
            (0, .integer(.max), "“day” must be at most 2030-12-31"),
            (1, .text("07:45"), "“at” must be at least 08:00"),
            (1, .text("20:15"), "“at” must be at most 20:00"),
            (1, .text("08:05"), "“at” must be a multiple of 15 minutes"),
            (1, .text("24:00"), "“at” must be a time, such as 08:30"),
            (1, .text("8:0"), "“at” must be a time, such as 08:30"),
            (1, .text("soon"), "“at” must be a time, such as 08:30"),
            (2, .integer(7_260), "“lasts” must be at most 2:00"),
            (2, .integer(60), "“lasts” must be a multiple of 30 minutes"),
            (2, .integer(-1), "“lasts” must be hours and minutes, such as 1:30"),
            (2, .integer(86_400), "“lasts” must be hours and minutes, such as 1:30"),
            (2, .integer(.min), "“lasts” must be hours and minutes, such as 1:30"),
            (3, .text("2027-01-01"), "“opens” must be at most 2026-12-31 23:59"),
            (3, .text("2026-05-05 10:05"), "“opens” must be a multiple of 10 minutes"),
            (3, .integer(.min), "“opens” must be at least 2026-01-01 00:00"),
        ] as [(Int, Cell, String)] {
            let refused = Verdict.refused([Refusal(row: 0, column: column, message: message)])
            #expect(try tell(column, value) == refused)
        }
    }

    /// A value that another program wrote stays while others of its row are changed.
    @Test func aValueThatWasThereMayStay() throws {
        let file = try WrittenDatabase(
            "CREATE TABLE days (at TEXT, name TEXT); INSERT INTO days VALUES ('noon', 'x')",
            catalog: "lists: [{name: days, columns: {at: {editor: time}}}]")
        #expect(try file.send(.set(1, 1, .text("y")), list: "days").isApplied)
        #expect(try file.query("SELECT * FROM days") == [["noon", "y"]])
    }

    @Test func eachFieldOfEachRowHasItsMessage() throws {
        let file = try cars()
        let verdict = try file.send(
            .insert(
                [.text("VW")], [.text("Lamborghini"), .integer(1), .null, .text("pink")],
                [.null, .integer(2000)]))
        #expect(verdict.refusals.map(\.row) == [1, 1, 1, 2])
        #expect(verdict.refusals.map(\.column) == [0, 1, 3, 0])
        #expect(
            try file.send(.insert([[ColumnValue(column: 1, value: .integer(2000))]]))
                == .refused([Refusal(row: 0, column: 0, message: "“make” must have a value")]))
        #expect(try file.query("SELECT * FROM cars") == [])
    }

    @Test(
        arguments: [
            ("make: {min: 1}", "is for numbers, and “make” is text"),
            ("year: {maxLength: 1}", "is for texts, and “year” is integer"),
            ("year: {min: 2, max: 1}", "is less than “min”"),
            ("year: {min: x}", "must be a number"), ("make: {maxLength: -1}", "whole number"),
            ("year: {choices: [1, x]}", "must be a whole number"),
            ("year: {max: 9, choices: [1, 10]}", "must be at most 9"),
            ("make: {choices: red}", "must be a list"),
            ("make: {required: maybe}", "true or false"),
            ("make: {type: blob, choices: [1]}", "which has no choices"),
            ("make: {editor: time, interval: 7}", "must be minutes that divide 60, not 7"),
            ("make: {editor: time, interval: 0}", "must be minutes that divide 60, not 0"),
            ("make: {interval: 5}", "is for times, and “make” is text"),
            ("make: {editor: time, min: noon}", "must be a time, such as 08:30, not “noon”"),
            ("make: {editor: duration, max: \"24:00\"}", "must be hours and minutes"),
            ("make: {editor: time, min: \"9:00\", max: \"8:59\"}", "is less than “min”"),
            ("make: {editor: date, max: 2026-02-30}", "must be a date, such as"),
            ("make: {editor: time, min: \"8:00\", choices: [\"7:00\"]}", "must be at least 08:00"),
        ])
    func aRuleThatMakesNoSenseIsNamed(column: String, message: String) throws {
        expectFailure(saying: message) {
            try TemporaryFolder().list(
                of: "cars", WrittenDatabase.cars, entry: "columns:\n      \(column)")
        }
    }
}

/// What a catalog allows of rows, broken one by one.
@Suite struct RowRuleTests {
    private func cars(_ editing: String) throws -> WrittenDatabase {
        try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT, place REAL, kept);
            CREATE INDEX cars_by_place ON cars (place);
            INSERT INTO cars VALUES ('a', 1, NULL), ('b', 2, 0), ('c', 3, 1), ('d', 4, 'x'),
                ('e', 5, ''), ('f', 6, 0.0);
            """,
            catalog: "lists: [{name: cars, position: place, editing: \(editing)}]")
    }

    @Test func aChangeThatIsNotAllowedIsSaid() throws {
        let (add, delete) = (Change.insert([.text("x")]), Change.delete(1))
        let move = Change.move(rowIDs: [1], to: .last)
        for (editing, refused, verb) in [
            ("{add: no}", add, "added"), ("{delete: no}", delete, "deleted"),
            ("{move: no}", move, "moved"),
        ] {
            let file = try cars(editing)
            let error = ValetError(.notAllowed, "rows of “cars” can't be \(verb)")
            #expect(failure { try file.send(refused) } == error)
            for other in [add, delete, move] where other != refused {
                #expect(failure { try cars(editing).send(other) } == nil)
            }
            #expect(try file.query("SELECT count(*), max(place) FROM cars") == [["6", "6.0"]])
        }
    }

    @Test func undoTakesBackWhatIsNotAllowed() throws {
        let file = try cars("{delete: no}")
        #expect(try file.send(.insert([.text("x")])).isApplied)
        #expect(try file.send(.undo).isApplied)
        #expect(try file.query("SELECT count(*) FROM cars") == [["6"]])
    }

    @Test func aReadOnlyRowStaysAsItIs() throws {
        let file = try cars("{readOnlyRows: kept}")
        for rowID: Int64 in [3, 4] {
            let refusal = Refusal(row: 0, column: nil, message: "this row is read-only")
            let refused = Verdict.refused([refusal])
            #expect(try file.send(.set(rowID, 0, .text("y"))) == refused)
            #expect(try file.send(.set(rowID, 2, .null)) == refused)
            #expect(try file.send(.delete(rowID)) == refused)
            #expect(try file.send(.move(rowIDs: [rowID], to: .last)) == refused)
        }
        let both = [RowDeletion(rowID: 1), RowDeletion(rowID: 3), RowDeletion(rowID: 4)]
        #expect(try file.send(.delete(both)).refusals.map(\.row) == [1, 2])
        #expect(try file.query("SELECT group_concat(make, '') FROM cars") == [["abcdef"]])
        for rowID: Int64 in [1, 2, 5, 6] {
            #expect(try file.send(.set(rowID, 0, .text("y"))).isApplied)
            #expect(try file.send(.move(rowIDs: [rowID], to: .last)).isApplied)
        }
    }
}
