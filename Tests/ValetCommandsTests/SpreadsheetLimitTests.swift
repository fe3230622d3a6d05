import TestSupport
import Testing
import ValetModel

@testable import ValetCommands

@Suite struct SpreadsheetLimitTests {
    private let folder = TemporaryFolder()

    private func refusal(columns: Int, rows: Int) -> String? {
        failure {
            _ = try XLSXRows(
                folder.file("t.xlsx"), title: "t",
                columns: (0..<columns).map { ColumnDescription(name: "c\($0)", type: .text) },
                rowCount: rows)
        }?.message
    }

    @Test func moreThanASheetHasIsRefusedBeforeARowIsRead() throws {
        #expect(refusal(columns: 1, rows: XLSXRows.mostRows - 1) == nil, "the header is one, too")
        #expect(refusal(columns: 1, rows: XLSXRows.mostRows)?.hasPrefix("1,048,576 rows") == true)
        let columns = try #require(refusal(columns: XLSXRows.mostColumns + 1, rows: 1))
        #expect(columns.hasPrefix("16,385 columns") && columns.contains("at most 16,384"))
    }

    @Test func aColumnsNameMayBeTooLong() {
        let name = String(repeating: "n", count: XLSXRows.mostCharacters + 1)
        let error = failure {
            _ = try XLSXRows(
                folder.file("t.xlsx"), title: "t",
                columns: [ColumnDescription(name: name, type: .text)], rowCount: 1)
        }
        #expect(error?.message.hasPrefix("32,768 characters") == true)
    }

    @Test(arguments: [
        ("Cars", "Cars"), ("a/b: [c]*?\\d", "ab cd"), ("'quoted'", "quoted"), ("", "Rows"),
        ("[]", "Rows"), ("History", "Rows"), ("two\nlines", "twolines"),
        (String(repeating: "ä", count: 40), String(repeating: "ä", count: 31)),
        (String(repeating: "x", count: 30) + "🚗", String(repeating: "x", count: 30)),
        (String(repeating: "x", count: 30) + "'y", String(repeating: "x", count: 30)),
    ])
    func aSheetIsCalledWhatItMayBe(title: String, name: String) throws {
        #expect(XLSXRows.sheetName(title) == name)
        // The library takes it.
        let rows = try XLSXRows(folder.file("t.xlsx"), title: title, columns: [], rowCount: 0)
        try rows.finish()
    }
}
