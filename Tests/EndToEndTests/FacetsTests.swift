import TestSupport
import Testing

/// `valet facets` and `valet sections --by-count`, against rows counted by hand.
@Suite(.runsPrograms) struct FacetsTests {
    private static let csv = """
        make,town
        Citroën,Bern
        BMW,Bern
        citroen,Basel
        BMW,
        BMW,Zug
        Audi,Zug

        """

    private func run(_ arguments: [String]) throws -> Finished {
        let scratch = Scratch()
        let database = try scratch.database(table: "cars", csv: Self.csv)
        return try scratch.valet([arguments[0], database] + arguments.dropFirst())
    }

    @Test(arguments: [
        (["make"], ["BMW,3,0.5", "Citroën,2,0.3333", "Audi,1,0.1667"]),
        (["make", "--by", "value"], ["Audi,1,0.1667", "BMW,3,0.5", "Citroën,2,0.3333"]),
        (["make", "--top", "1"], ["BMW,3,0.5"]),
        (["make", "--by", "value", "--top", "2"], ["Audi,1,0.1667", "BMW,3,0.5"]),
        (["town"], ["Bern,2,0.3333", "Zug,2,0.3333", "Basel,1,0.1667", ",1,0.1667"]),
        (["town", "--search", "bmw"], ["Bern,1,0.3333", "Zug,1,0.3333", ",1,0.3333"]),
        (["make", "--section", "firstLetter"], ["B,3,0.5", "C,2,0.3333", "A,1,0.1667"]),
        (["town", "--section", "month"], [",6,1.0"]),
        (["make", "--search", "b", "--scope", "town"], ["Citroën,2,0.6667", "BMW,1,0.3333"]),
    ])
    func valuesAreCounted(arguments: [String], lines: [String]) throws {
        let done = try run(["facets"] + arguments + ["--format", "csv"])
        #expect(done.text == (["value,count,share"] + lines).map { $0 + "\n" }.joined())
        #expect(done.code == 0 && done.message == "")
    }

    @Test func aLineOfJSONHasValueCountAndShare() throws {
        let done = try run(["facets", "make", "--top", "2", "--format", "jsonl"])
        #expect(
            done.text == """
                {"value": "BMW", "count": 3, "share": 0.5}
                {"value": "Citroën", "count": 2, "share": 0.3333}

                """)
    }

    /// A text that reads like the title of missing values is another value.
    @Test func aMissingValueIsNone() throws {
        let scratch = Scratch()
        let file = try scratch.database(table: "cars", csv: "make\nUnknown\nUnknown\n\"\"\n")
        let done = try scratch.valet(["facets", file, "make", "--format", "jsonl"])
        #expect(
            done.text == """
                {"value": "Unknown", "count": 2, "share": 0.6667}
                {"value": null, "count": 1, "share": 0.3333}

                """)
        let sections = try scratch.valet(["sections", file, "--group", "make", "--format", "csv"])
        #expect(sections.lines.last?.hasPrefix("1,–,1,2,") == true, "\(sections.text)")
        let table = try scratch.valet(["facets", file, "make", "--format", "table"])
        #expect(table.text.contains("\n–") && table.text.contains("\nUnknown"))
    }

    @Test func sectionsByCountKeepTheirOrdinals() throws {
        let done = try run(["sections", "--group", "make", "--by-count", "--format", "plain"])
        #expect(done.text == "1\tBMW\t3\t1\tB\n2\tCitroën\t2\t4\tC\n0\tAudi\t1\t0\tA\n")
    }

    @Test(
        arguments: [
            (["no"], 3), (["none"], 3), (["make", "--section", "week"], 2),
            (["make", "--top", "0"], 2),
            (["make", "--by", "x"], 2),
            (["make", "--scope", "town"], 2), ([], 2),
        ] as [([String], Int32)])
    func valuesThatCanNotBeCountedAreAnError(arguments: [String], code: Int32) throws {
        let done = try run(["facets"] + arguments)
        #expect(done.code == code && done.text == "" && done.message != "")
    }
}
