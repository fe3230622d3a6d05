import Testing
import ValetModel

@testable import ValetTerminal

// Blanks at the ends of lines are not compared, and so not written.

@Test func aTableHasLabelsAndAlignsNumbers() {
    let talk = ServedApp(
        lists: [PlainCars.table], size: Size(columns: 80, rows: 12),
        options: AppOptions(isASCII: true), after: "s", "S")
    talk.expectScreen(
        """
         Table  1,000                                                           * live
         < [Make] 2 Year  3 None  >               / search
           Model v         Make        Year    Fuel  Owner
        -- Audi --------------------------------------------------------------- 143 -- /
        >  M96             Audi        2001    31.5  Bo                                A
           M95             Audi        1993    33.5  Chloé                             B
           M94             Audi        2015    35.5  Ana                               C
           M93             Audi        2007    37.5  -                                 F
           M93             Audi        1996    16.5  Bo                                S
           M92             Audi        1999    39.5  漢字                              V
           M92             Audi        2018    18.5  Chloé
         Sorted by Model v, within sections: s again sorts the whole list       ? help
        """)
}

@Test func theDetailShowsEveryField() {
    let talk = ServedApp(size: Size(columns: 80, rows: 10), after: "j", "j", "j", "enter", "j")
    talk.expectScreen(
        """
         2017 Audi M1  Cars                                                     ● live

           Make   Audi
        ▌  Model  M1
           Year   2017
           Fuel   27.5 l
           Owner  NULL  means Nobody


         4 of 1,000          J next   K previous   e edit   y copy   Esc back   ? help
        """)
}

@Test func helpLiesOverTheList() {
    let talk = ServedApp(size: Size(columns: 80, rows: 10), after: "?", "i", "n", "d", "e")
    talk.expectScreen(
        """
         Car┌ Keys ────────────────────────────────────────────────────────────────┐ve
         ‹ [│ / inde                                                               │
        ── A│▌ i  walk the section index                                           │── ⌕
        ▌  1│                                                                      │a  A
           2│                                                                      │   B
           1│                                                                      │é  C
           2│                                                                      │–  F
           1│                                                                      │o  S
           2│                                                                      │a  V
         1 o└──────────────────────────────────────────────────────────────────────┘lp
        """)
}

@Test func theCatalogShowsListsAndCounts() {
    let talk = ServedApp(
        lists: [PlainCars.cars, PlainCars.table], size: Size(columns: 80, rows: 8), after: "j")
    talk.expectScreen(
        """
         Valet  2 lists                                                         ● live

           Cars                                                                  1,000
        ▌  Table                                                                 1,000



                                     Enter open   / find   r refresh   q quit   ? help
        """)
}

@Test func aNarrowScreenHasNoIndex() {
    let talk = ServedApp(size: Size(columns: 50, rows: 9), after: "j")
    talk.expectScreen(
        """
         Cars  1,000                              ● live
         ‹ [Make] 2 Year  3 None  ›
        ── Audi ─────────────────────────────────── 143 ──
           1990 Audi M0                               Ana
        ▌  2009 Audi M0                              漢字
           1998 Audi M1                             Chloé
           2017 Audi M1                                 –
           1991 Audi M10                               Bo
         2 of 1,000  0%   A   / find   f filter   ? help
        """)
}

@Test func aNarrowScreenKeepsTheCount() {
    let talk = ServedApp(size: Size(columns: 30, rows: 8), after: "j")
    talk.expectScreen(
        """
         Cars  1,000          ● live
        ── Audi ─────────────── 143 ──
           1990 Audi M0           Ana
        ▌  2009 Audi M0          漢字
           1998 Audi M1         Chloé
           2017 Audi M1             –
           1991 Audi M10           Bo
           2010 Audi M10          Ana
        """)
}

@Test func aSmallScreenIsTheListAlone() {
    let talk = ServedApp(size: Size(columns: 30, rows: 6), after: "j")
    talk.expectScreen(
        """
        ── Audi ─────────────── 143 ──
           1990 Audi M0           Ana
        ▌  2009 Audi M0          漢字
           1998 Audi M1         Chloé
           2017 Audi M1             –
           1991 Audi M10           Bo
        """)
}

/// The title alone, the title before the subtitle, and the detail before the title.
@Test(arguments: [
    (
        CellStyle.default,
        """
        ▌  1990 Audi M0                                            A
           2009 Audi M0                                            ·
           1998 Audi M1                                            F
           2017 Audi M1                                            V
        """
    ),
    (
        .subtitle,
        """
        ▌  1990 Audi M0  Ana                                       A
           2009 Audi M0  漢字                                      ·
           1998 Audi M1  Chloé                                     F
           2017 Audi M1  –                                         V
        """
    ),
    (
        .value2,
        """
        ▌            Ana  1990 Audi M0                             A
                    漢字  2009 Audi M0                             ·
                   Chloé  1998 Audi M1                             F
                       –  2017 Audi M1                             V
        """
    ),
])
func theStyleOfACellSaysWhereItsDetailStands(style: CellStyle, rows: String) {
    let list = PlainCars.cars.with { $0.cell.style = style }
    let talk = ServedApp(lists: [list], size: Size(columns: 60, rows: 8))
    let expected = """
         Cars  1,000                                        ● live
         ‹ [Make] 2 Year  3 None  ›    / search
        ── Audi ─────────────────────────────────────────── 143 ── ⌕
        \(rows)
         1 of 1,000  0%   A    / find   f filter   s sort   ? help
        """
    #expect(talk.app.draw().text == expected)
}

private func placed(
    _ width: Int, _ widths: [Int], list: ListDescription = PlainCars.table
) -> [[Int]] {
    let widths = Dictionary(uniqueKeysWithValues: zip([1, 0, 2, 3, 4], widths))
    return RowLayout(list: list)
        .placedColumns(width: width, widths: widths, sideways: 0, sort: [])
        .map { [$0.column, $0.start, $0.width] }
}

@Test func theTitleTakesTheRoomThatTheOthersLeave() {
    #expect(
        placed(80, [50, 5, 4, 4, 6])
            == [[1, 3, 50], [0, 55, 5], [2, 62, 4], [3, 68, 4], [4, 74, 6]])
    #expect(
        placed(70, [50, 5, 4, 4, 6])
            == [[1, 3, 40], [0, 45, 5], [2, 52, 4], [3, 58, 4], [4, 64, 6]])
}

@Test func theLastColumnThatFitsMayBeCut() {
    // Text is cut, with room left for the number of hidden columns.
    #expect(placed(40, [10, 30, 4, 4, 6]) == [[1, 3, 10], [0, 15, 20]])
    // A number is not.
    #expect(placed(30, [10, 8, 20, 4, 6]) == [[1, 3, 10], [0, 15, 8]])
    // The very last needs no room for that.
    #expect(placed(44, [10, 5, 4, 4, 20]).last == [4, 34, 10])
}

@Test func aNarrowTitleGivesWayToTheCount() {
    let list = PlainCars.readOnly.with { $0.title = "Cars of all the stations" }
    let talk = ServedApp(lists: [list], size: Size(columns: 30, rows: 8))
    #expect(talk.lines[0].contains("…  1,000 ") && talk.lines[0].hasSuffix("● live"))
}
