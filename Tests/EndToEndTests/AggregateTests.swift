import TestSupport
import Testing

/// Values in headers and footers, and of a column, from the catalog to the screen.
@Suite(.runsPrograms) struct AggregateTests {
    private let scratch = Scratch()

    private static let catalog = """
        lists:
          - name: cars
            columns: {price: {format: {decimals: 2, grouped: yes}}}
            cell: {style: columns}
            groupings:
              - {name: Make, column: make, section: wholeValue,
                 header: "{sum price} for {count}",
                 footer: "{mean fuel} l, {distinct model} models"}
        """

    /// Audis for 1,000 each, more than a screen shows, behind three Alfas.
    private static let cars =
        "make,model,fuel,price\nAlfa,33,10,500\nAlfa,75,20.5,750\nAlfa,33,,900\n"
        + (0..<40).map { "Audi,A\($0),\($0),1000\n" }.joined()

    private func files() throws -> (database: String, catalog: String) {
        (
            try scratch.database(table: "cars", csv: Self.cars),
            try scratch.write(Self.catalog, to: "valet.yaml")
        )
    }

    @Test func valuesStandInHeadersFootersAndTheStatusLine() throws {
        let (database, catalog) = try files()
        func screen(_ keys: String) throws -> String {
            let done = try scratch.valet(
                ["snapshot", database, "--catalog", catalog, "--keys", keys], expecting: 0)
            return done.lines.joined(separator: "\n")
        }
        let first = try screen("j")
        #expect(first.contains(" 2,150.00 for 3 ──"))
        #expect(first.contains("\n   15.3 l, 2 models"))
        #expect(first.contains(" 40,000.00 for 40 ──"))
        let price = try screen("l,l,l")
        #expect(price.contains("Σ 42,150.00  ø 980.23  500.00–1,000.00  "))
    }

    @Test(.needsTmux) func valuesFollowChangesOfRowsThatAreNotOnTheScreen() throws {
        let (database, catalog) = try files()
        let daemon = try Daemon(database, catalog: catalog, in: scratch)
        let window = try TerminalWindow(valet: daemon.address, in: scratch)
        try window.wait(for: "● live", " 2,150.00 for 3 ", " 40,000.00 for 40 ")
        try scratch.valet(["set", daemon.address, "43", "price=6000"], expecting: 0)
        try window.wait(for: " 2,150.00 for 3 ", " 45,000.00 for 40 ")
    }
}
