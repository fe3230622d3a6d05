import TestSupport
import Testing

/// Rules 203 and 204: how numbers and dates are written in titles.
@Suite(.serialized, .offThePool) struct TitleRuleTests {
    private func titles(
        _ client: RuleClient, _ stream: UInt16, by column: String, _ expression: [UInt8]? = nil
    ) throws -> [String] {
        try client.open(
            stream, list: "t", RuleClient.query(grouping: column, expression: expression))
        client.ask(0x0F, stream: stream, [1, 0, 0, 99, 0])
        return try SectionFrame.all(try client.expect(0x8F)).map(\.title)
    }

    @Test func p203ARealIsWrittenWithTheFewestDigits() async throws {
        let sql = """
            CREATE TABLE t (x REAL, name);
            INSERT INTO t VALUES (2.0, 1e20), (0.0001, '1e+20'), (0.00001, '1e20'), (1e20, 2),
                (9007199254740992.0, 5), (9007199254740994.0, 5), (9e999, 5), (-9e999, 5),
                (-2.50, 5), (0.1, CAST('-0.0' AS REAL));
            """
        let catalog = "lists:\n  - {name: t, columns: {name: {type: text}}}\n"
        try await serveSQL(sql, catalog: catalog) { client in
            #expect(
                try titles(client, 1, by: "x") == [
                    "-inf", "-2.5", "1e-05", "0.0001", "0.1", "2.0", "9007199254740992.0",
                    "9.007199254740994e+15", "1e+20", "inf",
                ])
            #expect(try titles(client, 2, by: "name").contains("-0.0"))
            // A number's digits, and the text that they are.
            for (written, rows) in [("1e+20", 2), ("1e20", 1), ("-0.0", 1), ("2.0", 1)] {
                let condition = text("name") + [0] + list([textCell(written)])
                let query = RuleClient.query(conditions: [condition])
                #expect(try client.open(3, list: "t", query).rows == rows, "\(written)")
                try client.close(3)
            }
            // A search looks at the same digits.
            for (written, rows) in [("1e+20", 2), ("1e20", 1), ("-0.0", 1), ("2.0", 0)] {
                let query = RuleClient.query(search: written, scope: "name")
                #expect(try client.open(4, list: "t", query).rows == rows, "\(written)")
                try client.close(4)
            }
        }
    }

    @Test func p204RangesYearsAndSizesAreWrittenSo() async throws {
        let bounds: [UInt8] = [6] + list([-2.5, 10, 1e20].map { u64($0.bitPattern) })
        try await serveSQL(
            """
            CREATE TABLE t (n, at, b BLOB);
            INSERT INTO t VALUES (-3, '0005-02-03', x'61'), (0, '2024-02-29', x'6162'),
                (10, 327408393600, x''), (1e20, -62319974400, x'00');
            """
        ) { client throws in
            #expect(
                try titles(client, 1, by: "n", bounds)
                    == ["below -2.5", "-2.5 – 10", "10 – 1e+20", "1e+20 and more"])
            for (stream, expression, expected) in [
                (2, 3, ["-5", "5", "2024", "12345"]),
                (3, 7, ["-0005-02", "0005-02", "2024-02", "12345-02"]),
                (4, 4, ["-0005-02-28", "0005-02-03", "2024-02-29", "12345-02-28"]),
            ] as [(UInt16, UInt8, [String])] {
                #expect(try titles(client, stream, by: "at", [expression]) == expected)
            }
            #expect(try titles(client, 5, by: "b") == ["0 bytes", "1 byte", "2 bytes"])
            client.ask(0x0F, stream: 5, [1, 1] + text("1 BYTE") + [1, 0])
            #expect(try SectionFrame.all(try client.expect(0x8F)).first?.rows == 2)
        }
    }
}
