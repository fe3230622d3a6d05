import Testing
import ValetModel

@testable import ValetTerminal

private func screen(_ cell: CellLayout, rows: Int = 12) -> ServedApp {
    ServedApp(
        lists: [PlainCars.fleet.with { $0.cell = cell }], size: Size(columns: 60, rows: rows),
        options: AppOptions(query: Query(grouping: "None")), rows: 6)
}

@Test func aCustomCellHasLinesBelowItsTitle() {
    var talk = screen(
        CellLayout(
            style: .custom, title: "{year} {make}", detail: "{owner}",
            lines: [.field(column: 1), .template("fuel {fuel}")], height: .lines(3),
            accessory: .disclosure))
    talk.press("j")
    talk.expectScreen(
        """
         Cars  6                                            ● live
         ‹  1 Make  2 Year [None] ›    / search
           1990 Audi                                         Ana  ›
           Model: M0
           fuel 0.5
        ▌  1991 Citroën                                       Bo  ›
        ▌  Model: M1
        ▌  fuel 1.5
           1992 Volvo                                          –  ›
           Model: M2
           fuel 2.5
         2 of 6  20%           / find   f filter   s sort   ? help
        """)
}

@Test func aRowIsAsTallAsItsColumnSays() {
    // The year's column says 1990 lines, which is cut to what a row may take.
    var talk = screen(CellLayout(style: .default, title: "{make}", height: .column(0)), rows: 14)
    #expect(talk.app.list?.height(at: 0) == 1)
    talk = screen(CellLayout(style: .default, title: "{make}", height: .column(2)), rows: 14)
    #expect(talk.app.list?.height(at: 0) == Limits.linesPerRow)
    talk.press("j")
    #expect(talk.app.list?.cursor.line == 2)
    #expect(talk.app.list?.lines.first == .row(0, part: 7))
}

@Test func imagesStandBeforeTheTitle() {
    let box = screen(CellLayout(style: .default, title: "{make}", image: .box("{year}")))
    #expect(box.lines[2].hasPrefix("▌   199 Audi"))
    var symbol = screen(
        CellLayout(style: .default, title: "{make}", image: .symbol("☺", selected: "☻")))
    #expect(symbol.lines[2].hasPrefix("▌  ☻  Audi") && symbol.lines[3].hasPrefix("   ☺  "))
    symbol.press("j")
    #expect(symbol.lines[2].hasPrefix("   ☺  Audi") && symbol.lines[3].hasPrefix("▌  ☻  "))
}

@Test func aColumnTintsIndentsAndEmphasizes() throws {
    var talk = screen(
        CellLayout(
            style: .default, title: "{make}", image: .swatch(column: 1), tintColumn: 1,
            indentColumn: 5, emphasis: .column(5)))
    for rowID in talk.server.cars.keys {
        talk.server.cars[rowID]?[1] = .text("#ffffff")
        talk.server.cars[rowID]?[5] = .integer(2)
    }
    talk.press("r")
    #expect(talk.lines[2].hasPrefix("▌      ██ Audi") && talk.lines[3].hasPrefix("       ██ "))
    let title = try #require(talk.app.draw().row(3).first { $0.character.isLetter })
    let white = Tint(red: 255, green: 255, blue: 255)
    #expect(title.style == Style(.standard, .bold, tint: white.legible))
    #expect(talk.app.draw()[3, 7].style.tint == white, "the swatch has the colour itself")
    for rowID in talk.server.cars.keys {
        talk.server.cars[rowID]?[1] = .text("no colour")
        talk.server.cars[rowID]?[5] = .null
    }
    talk.press("r")
    #expect(talk.lines[3].hasPrefix("      ") && !talk.lines[3].contains("█"))
    #expect(talk.app.draw().row(3).allSatisfy { $0.style == .plain })
}

@Test func aRowThatCantBeSelectedOnlyTakesTheCursor() {
    var talk = screen(CellLayout(style: .default, title: "{make}", selectableColumn: 5))
    #expect(talk.app.list?.cursor.ordinal == 0)
    for rowID in talk.server.cars.keys { talk.server.cars[rowID]?[5] = .integer(0) }
    talk.press("r", "enter", says: "can't be selected")
    #expect(talk.app.detail == nil)
}

@Test func theCheckMarkStandsAtTheEndIfTheCellSaysSo() throws {
    var talk = screen(CellLayout(style: .default, title: "{make}", accessory: .check(column: 5)))
    talk.press("x")
    #expect(talk.lines[2].hasSuffix("✓"))
    #expect(!talk.lines[3].hasSuffix("✓"))
}

@Test(arguments: ["", "#", "#12345", "#1234567", "ffffff", "#12345g", "#１２３４５６", "#+12345"])
func aTextThatIsNoColourIsNone(text: String) {
    #expect(Tint(text) == nil)
}

@Test func coloursAreReadOnWhiteAndOnBlack() {
    #expect(Tint("#FFFFFF")?.legible.hexadecimal == "#828282")
    #expect(Tint("#000000")?.legible.hexadecimal == "#646464")
    #expect(Tint("#CD5A4A")?.legible.hexadecimal == "#cd5a4a")
    #expect(Tint("#FFFF99")?.legible.hexadecimal == "#888851")
    #expect(Tint("#0a0B0c")?.hexadecimal == "#0a0b0c")
    #expect(Tint("#ffffff")?.paletteNumber == 231 && Tint("#000000")?.paletteNumber == 16)
}

/// A brace with a combining mark behind it is one character, and still a brace.
@Test func bracesAreSeenBeforeCombiningMarks() {
    let columns = ["a", "\u{301}b"].map { ColumnDescription(name: $0, type: .text) }
    let template = RowTemplate("{a}\u{301} {\u{301}b}", columns: columns)
    #expect(template.segments == [.column(0), .literal("\u{301} "), .column(1)])
}
