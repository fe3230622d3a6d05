import TestSupport

extension Scratch {
    /// `alpha`, `beta` and `gamma`, a hundred rows of each; row ids count from 1.
    func cars(
        of letters: [String] = ["alpha", "beta", "gamma"], in towns: [String] = ["Bern"],
        name: String = "name"
    ) throws -> String {
        let rows = (0..<300).map {
            "\(letters[$0 % letters.count]) \(1_000 + $0),\(towns[$0 % towns.count])\n"
        }
        return try database(table: "cars", csv: "\(name),town\n" + rows.joined())
    }

    /// Four blocks, red and blue by turns, whose order is made by hand.
    func blocks() throws -> String {
        let database = try database(
            table: "blocks",
            csv: "name,colour,place\na,red,1\nb,blue,2\nc,red,3\nd,blue,4\n")
        try TemporaryFolder.change(database, "CREATE INDEX blocks_by_place ON blocks (place)")
        return database
    }

    /// What says so.
    func blockCatalog() throws -> String {
        try write(
            """
            lists:
              - name: blocks
                title: Blocks
                position: place
                cell: {style: value1, title: "{name}", detail: "{colour}"}
                groupings:
                  - {name: Hand, order: manual}
                  - {name: Colour, column: colour, section: wholeValue, order: manual}
            """, to: "blocks.yaml")
    }
}
