import Testing

/// A column that holds the id of another list's row.
@Suite(.runsPrograms) struct LinkedListTests {
    private let scratch = Scratch()

    private static let catalog = """
        lists:
          - name: cars
            table: cars
            columns:
              owner: {editor: {list: owners}}
          - name: owners
            table: owners
        """

    @Test(arguments: ["enter", "e"]) func theRowsTitleStandsForItsID(keys: String) throws {
        let database = try scratch.database(table: "cars", csv: "model,owner\ni4,2\nX5,9\n")
        try scratch.importing(
            file: try scratch.write("name,town\nAna,Chur\nBo,Bern\n", to: "owners.csv"),
            into: "test.sqlite", table: "owners")
        let catalog = try scratch.write(Self.catalog, to: "catalog.yaml")
        func lines(_ keys: String) throws -> [String] {
            let done = try scratch.valet(
                [
                    "snapshot", database, "--catalog", catalog, "--list", "cars", "--keys",
                    keys,
                ], expecting: 0)
            return done.lines
        }
        let named = try lines(keys)
        #expect(named.contains { $0.contains("owner") && $0.hasSuffix("  Bo") })
        let unknown = try lines("down," + keys)
        #expect(unknown.contains { $0.contains("owner") && $0.hasSuffix("  9") })
    }
}
