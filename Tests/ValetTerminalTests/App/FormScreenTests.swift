import TestSupport
import Testing
import ValetModel

@testable import ValetTerminal

@Test func theFormShowsEachColumnWithItsUnit() {
    var talk = ServedApp(lists: [PlainCars.fleet], size: Size(columns: 80, rows: 12))
    talk.press("j", "j", "e", "tab", "end", "x", "tab", "end", "a")
    talk.press("tab", "tab", "^U", "tab", "space")
    talk.expectScreen(
        """
         Edit 1998 Audi M1  Cars                                                ● live

           Make    Audi
         • Model   M1x
         • Year    1998a
                   ! a whole number, such as 2019
           Fuel    48.5 l
         • Owner   NULL
        ▌• Washed  yes


         ! Year: a whole number, such as 2019           ^S save   Enter next   F1 help
        """)
}

@Test func aNewRowIsEmpty() {
    var talk = ServedApp(
        lists: [PlainCars.fleet], size: Size(columns: 40, rows: 10),
        options: AppOptions(isASCII: true))
    talk.press("+", "F")
    talk.expectScreen(
        """
         New row  Cars                  * live

        >+ Make    F
           Model   (default)
           Year    (default)
           Fuel    (default)
           Owner   Nobody (default)
           Washed  (default)

         1 change             ^S save  F1 help
        """)
}

/// A change has its columns in ascending order, or the server takes none of it.
@Test func theFieldsMayStandInAnotherOrderThanTheColumns() throws {
    var list = PlainCars.fleet
    list.detail = [
        DetailSection(title: "Who", columns: [4]), DetailSection(title: "What", columns: [1, 0]),
    ]
    var talk = ServedApp(lists: [list], after: "+", "A", "tab", "B", "tab", "C", "^S")
    #expect(talk.submitted == [.insert([0: .text("C"), 1: .text("B"), 4: .text("A")])])
    talk.press("j", "e", "x", "tab", "y", "tab", "z", "^S")
    guard case .update(let edits) = try #require(talk.submitted.last) else {
        throw Unexpected("\(talk.submitted)")
    }
    #expect(edits.map { $0.cells.map(\.column) } == [[0, 1, 4]])
}

@Test func theFormScrollsWithItsCaret() {
    var list = PlainCars.cars
    list.columns += (0..<40).map { ColumnDescription(name: "more\($0)", type: .integer) }
    var talk = ServedApp(lists: [list], size: Size(columns: 40, rows: 10), after: "+")
    talk.press(.times(20, "tab"), "x", "tab")
    talk.expectScreen(
        """
         New row  Cars                  ● live

         • more15  x
                   ! a whole number, such as
                   2019
        ▌  more16  (default)
           more17  (default)
           more18  (default)
           more19  (default)
         ! more15: a whole number, such as 2019
        """)
    talk.send(.resized(Size(columns: 12, rows: 3)))
    #expect(talk.lines.contains { $0.contains("mor") })
}

@Test func theConflictShowsYoursAndTheirs() {
    var talk = ServedApp(size: Size(columns: 80, rows: 14), after: "j", "e", .field(1, "Mine"))
    talk.server.cars[talk.rowID]?[1] = .text("Theirs")
    talk.press("^S")
    talk.expectScreen(
        """
         Cars  1,000                                                            ● live
         ‹ [Make] 2 Year  3 None  ›               / search
        ── Audi ─────────────────────────────────────────────────────────────── 143 ── ⌕
           1990 Audi M0                                                           Ana  A
        ▌  2009 Au┌ Someone changed this row ────────────────────────────────┐   漢字  B
           1998 Au│             yours             theirs (bo, 14:02 UTC)     │  Chloé  C
           2017 Au│▌Model       Mine              Theirs            1/2      │      –  F
           1991 Au│                                                          │     Bo  S
           2010 Au│ 1 keep mine   2 take theirs   e edit   Esc cancel        │    Ana  V
           1999 Au└──────────────────────────────────────────────────────────┘   漢字
           2007 Audi M12                                                            –
           2015 Audi M13                                                          Ana
           2004 Audi M14                                                         漢字
         Not saved: bo has changed it    / find   f filter   s sort   # count   ? help
        """)
    talk.send(.resized(Size(columns: 30, rows: 6)))
    #expect(talk.lines.contains { $0.contains("1 keep mine") })
}

@Test func answersAreSeenHoweverNarrowItIs() {
    let talk = ServedApp(size: Size(columns: 34, rows: 9), after: "j", "d")
    talk.expectScreen(
        """
         Cars  1,000              ● live
        ── Audi ─────────────────── 143 ──
           1990 Audi M0               Ana
        ▌  2009 Audi M0              漢字
           1998 Audi M1             Chloé
           2017 Audi M1                 –
           1991 Audi M10               Bo
           2010 Audi M10              Ana
         Delete “2009 …  [Keep]  y Delete
        """)
}
