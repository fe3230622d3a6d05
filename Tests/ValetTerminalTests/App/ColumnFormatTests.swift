import Testing
import ValetModel

@testable import ValetTerminal

private func shown(_ cell: Cell, _ type: ColumnType, _ format: ColumnFormat) -> String {
    let column = ColumnDescription(name: "c", type: type, format: format)
    return CellText.of(cell, in: column, glyphs: Glyphs(isASCII: false)).text
}

@Test(arguments: [
    (ColumnFormat.plain, "2024-03-09T14:02:31+01:00", "2024-03-09 14:02"),
    (.day, "9 Mar 2024", "9 Mar 2024"), (.time, "14:02", "14:02"),
    (.dayAndTime, "9 Mar 2024 14:02", "9 Mar 2024 14:02"), (.monthYear, "Mar 2024", "Mar 2024"),
])
func datesAreShownInTheColumnsFormat(format: ColumnFormat, text: String, seconds: String) {
    #expect(shown(.text("2024-03-09T14:02:31+01:00"), .date, format) == text)
    #expect(shown(.integer(1_709_992_951), .date, format) == seconds)
}

@Test(arguments: [ColumnFormat.day, .time, .dayAndTime, .monthYear])
func aTextThatIsNoUsualDateIsShownAsItIs(format: ColumnFormat) {
    for seconds: Int64 in [.min, .max, -62_167_219_201, 253_402_300_800] {
        #expect(shown(.integer(seconds), .date, format) == "\(seconds)")
    }
    for seconds: Double in [.nan, .infinity, -.greatestFiniteMagnitude, 1e300] {
        #expect(shown(.real(seconds), .date, format) == "\(seconds)")
    }
    #expect(shown(.text("2023-02-29"), .date, format) == "2023-02-29")
    #expect(shown(.null, .date, format) == shown(.null, .date, .plain))
}

@Test(arguments: [
    (2.0, 2, "2.00"), (-0.001, 2, "0.00"), (-0.5, 0, "-1"), (0.999, 2, "1.00"),
    (1_234_567.126, 2, "1,234,567.13"), (-1_234.5, 0, "-1,235"), (999.9996, 3, "1,000.000"),
    (0.000_000_001, 9, "0.000000001"), (.nan, 2, "nan"), (-.infinity, 2, "-inf"),
    (1e300, 2, "1e+300"), (9_007_199_254_740_992, 1, "9,007,199,254,740,992.0"),
])
func realsHaveTheDigitsThatTheFormatSays(number: Double, decimals: Int, text: String) {
    #expect(shown(.real(number), .real, .number(decimals: decimals, isGrouped: true)) == text)
}

@Test func numbersAreGrouped() {
    let grouped = ColumnFormat.number(decimals: nil, isGrouped: true)
    #expect(shown(.integer(1_204_117), .integer, grouped) == "1,204,117")
    #expect(shown(.integer(-999), .integer, grouped) == "-999")
    #expect(shown(.integer(.max), .integer, grouped) == "9,223,372,036,854,775,807")
    #expect(shown(.integer(.min), .integer, grouped) == "-9,223,372,036,854,775,808")
    #expect(shown(.real(-1_234.125), .real, grouped) == "-1,234.125")
    #expect(shown(.real(-0.5), .real, grouped) == "-0.5")
    #expect(shown(.real(1e20), .real, grouped) == "1e+20")
    let decimals = ColumnFormat.number(decimals: 2, isGrouped: false)
    #expect(shown(.integer(1_204), .integer, decimals) == "1204.00")
    #expect(shown(.text("many"), .integer, decimals) == "many")
}

/// Cells, templates and the detail show the format; the form and a copy have what is stored.
@Test func onlyWhatIsShownHasTheFormat() {
    var list = PlainCars.cars
    list.columns[2].format = .number(decimals: nil, isGrouped: true)
    list.columns[3].format = .number(decimals: 2, isGrouped: false)
    list.cell.detail = "{fuel}"
    var talk = ServedApp(lists: [list])
    #expect(talk.lines.contains { $0.contains("1,990 Audi M0") && $0.contains("0.50") })
    talk.press("j", "enter")
    #expect(talk.shows("0.50 l") || talk.shows(".50 l"))
    talk.press("q", "e")
    #expect(!talk.shows(".50") && !talk.shows("1,99"))
    list.cell = .columns
    talk = ServedApp(lists: [list])
    talk.press("right", "right", shows: "1,990")
    talk.actions = []
    talk.press("y")
    #expect(talk.actions.contains(.copy("1990")), "\(talk.actions)")
}
