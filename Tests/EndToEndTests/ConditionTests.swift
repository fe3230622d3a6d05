import Foundation
import TestSupport
import Testing

/// Conditions on the command line and in catalogs, with the programs themselves.
@Suite(.runsPrograms) struct ConditionTests {
    private let scratch = Scratch()

    private static let cars = """
        make,year,owner name,washed
        BMW,2015,Ana,1
        Bmw,2019,,0
        "Citroën, S.A.",1999,Bo,1
        Audi,2021,Cy,0

        """

    private func cars() throws -> String { try scratch.database(table: "cars", csv: Self.cars) }

    @Test(
        arguments: [
            (["year>=2015"], 3), (["year >= 2015", "make=bmw"], 2), (["make = BMW, audi"], 3),
            (["make=\"citroen, s.a.\""], 1), (["owner name missing"], 1),
            (["\"owner name\" present", "year < 2000"], 1), (["make contains M"], 2),
            (["year ^ 20"], 3), (["year ≠ 2015,2019"], 2), (["make missing"], 0),
        ] as [([String], Int)])
    func rowsMeetAllConditions(conditions: [String], count: Int) throws {
        let database = try cars()
        let options = conditions.flatMap { ["--where", $0] }
        let counted = try scratch.valet(["count", database] + options)
        #expect(counted.text == "\(count)\n" && counted.message == "")
        let joined = conditions.map { "--where=" + $0 }
        for command in ["rows", "export"] {
            let done = try scratch.valet([command, database, "--format", "jsonl"] + joined)
            #expect(done.lines.count == count, "\(command)")
        }
        let sections = try scratch.valet(
            ["sections", database, "--group", "make", "--format", "jsonl"] + options)
        let sum = try sections.objects.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
        #expect(sum == count)
    }

    @Test func theFullScreenTakesConditions() throws {
        let database = try cars()
        let screen = try scratch.valet(
            ["snapshot", database, "--where", "make=bmw", "--where", "year > 2015"])
        #expect(screen.text.contains("2019") && !screen.text.contains("2021"))
    }

    @Test(
        arguments: [
            ("yaer = 1", 3, "unknown-column", "there is no column “yaer”. There are: "),
            ("year = abc", 5, "invalid-condition", "“year” takes numbers"),
            ("year !! 1", 5, "invalid-condition", "“!!” is not an operator. There are: =, ≠, <"),
            ("year", 5, "invalid-condition", "an operator must follow “year”. There are: "),
            ("year =", 5, "invalid-condition", "a value is missing"),
            ("", 3, "unknown-column", "a condition begins with a column"),
        ] as [(String, Int32, String, String)])
    func aWrongConditionIsExplained(
        condition: String, code: Int32, name: String, message: String
    ) throws {
        let database = try cars()
        for command in ["rows", "count", "snapshot"] {
            let done = try scratch.valet([command, database, "--where", condition])
            #expect(done.code == code && done.text == "")
            #expect(done.message.hasPrefix("valet: " + message), "\(done.message)")
            #expect(done.message.split(separator: "\n").count == 1)
        }
        let json = try scratch.valet(["rows", database, "--where", condition, "--format", "json"])
        #expect(json.code == code)
        #expect(json.message.hasPrefix(#"{"error": {"code": "\#(name)", "message": "#))
    }

    @Test(.needsTmux) func aPersonSeesTheWrongPlaceWhateverTheCommand() throws {
        let database = try cars()
        for command in ["rows", "open", "pick", "snapshot"] {
            let window = try TerminalWindow(
                "'\(Program.valet.path)' \(command) '\(database)' --where 'year = abc'",
                in: scratch)
            let lines = try window.wait(for: "code 5")
            let place = lines.firstIndex { $0.hasPrefix("  year = abc") } ?? 0
            #expect(lines[place + 1] == "         ^^^", "\(command): \(lines)")
        }
    }

    @Test(.needsTmux) func aPersonWhoFindsNothingIsToldThatAWordIsNoDate() throws {
        let database = try cars()
        let window = try TerminalWindow(
            "'\(Program.valet.path)' count '\(database)' --where 'make = today'",
            in: scratch)
        try window.wait(
            for: "valet: “today” is compared as text: “make” is not a date column", "code 0")
        let script = try scratch.valet(["count", database, "--where", "make = today"])
        #expect(script.text == "0\n" && script.message == "")
    }

    /// A file of dates needs no catalog.
    @Test func datesOfAFileAreDates() throws {
        let path = try scratch.write(
            "make,parked\nFiat,2026-03-09\nOpel,2026-03-31\nSaab,\nAudi,2026-04-01\n",
            to: "cars.csv")
        try scratch.valet(["count", path, "--where", "parked = 2026-03"], prints: "2\n")
        try scratch.valet(
            ["export", path, "--where", "parked present"], shows: "Fiat,2026-03-09\n")
    }

    // MARK: Catalogs

    private static let catalog = """
        lists:
          - name: young
            table: cars
            columns: {washed: {type: boolean}}
            conditions: [year >= 2010, 'make = BMW, "Citroën, S.A."']
            scopes:
              - {name: Any, columns: [make, owner name]}
              - {name: Washed, columns: make, conditions: [washed = yes]}
        """

    @Test func aListHasOnlyTheRowsThatMeetItsConditions() async throws {
        let database = try cars()
        let catalog = try scratch.write(Self.catalog, to: "valet.yaml")
        func count(_ options: String...) throws -> String {
            try scratch.valet(
                ["count", database, "--catalog", catalog, "--list", "young"] + options
            ).text
        }
        #expect(try count() == "2\n")
        #expect(try count("--search", "m") == "2\n")
        #expect(try count("--search", "m", "--scope", "Washed") == "1\n")
        #expect(try count("--scope", "Washed", "--search", "") == "2\n")
        #expect(try count("--where", "year < 2016") == "1\n")
        #expect(try count("--where", "year < 2000") == "0\n")
        let lists = try scratch.valet(
            ["lists", database, "--catalog", catalog, "--format", "jsonl"])
        #expect(lists.text.contains(#""name": "young", "title": "young", "rows": 2"#))
        try scratch.valet(
            ["snapshot", database, "--catalog", catalog, "--list", "young"], shows: " young  2 ")
    }

    @Test func aListWithConditionsSaysHowManyRowsItHas() throws {
        let database = try cars()
        let catalog = try scratch.write(Self.catalog, to: "valet.yaml")
        let daemon = try Daemon(database, catalog: catalog, in: scratch)
        func rows() throws -> Any? {
            let lists = try scratch.valet(["lists", daemon.address, "--format", "jsonl"])
            return try lists.objects.first { $0["name"] as? String == "young" }?["rows"]
        }
        #expect(try rows() as? Int == 2, "before anybody has opened it")
        for (search, count) in [("ana", "1\n"), ("", "2\n")] {
            try scratch.valet(
                ["count", daemon.address, "--list", "young", "--search", search], prints: count)
        }
        #expect(try rows() as? Int == 2)
    }
}
