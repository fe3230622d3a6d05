import Testing
import ValetModel

@testable import ValetTerminal

private func wide() -> ServedApp {
    ServedApp(lists: [PlainCars.cars, PlainCars.table], size: Size(columns: 120, rows: 12))
}

private func details(_ actions: [Asked]) -> [Int64] {
    actions.compactMap {
        if case .call(.detail(_, let rowID, _)) = $0 { rowID } else { nil }
    }
}

@Test func thePaneShowsTheRowBesideTheList() {
    var talk = wide()
    talk.press("enter", "w")
    talk.wait(milliseconds: 200)
    talk.expectScreen(
        """
         Cars  1,000                                                   ● live  │ 1990 Audi M0
         ‹ [Make] 2 Year  3 None  ›          / search                          │
        ── Audi ────────────────────────────────────────────────────── 143 ── ⌕│   Make   Audi
        ▌  1990 Audi M0                                                  Ana  A│   Model  M0
           2009 Audi M0                                                 漢字  B│   Year   1990
           1998 Audi M1                                                Chloé  C│   Fuel   0.5 l
           2017 Audi M1                                               Nobody  F│   Owner  Ana
           1991 Audi M10                                                  Bo  S│
           2010 Audi M10                                                 Ana  V│
           1999 Audi M11                                                漢字   │
           2007 Audi M12                                              Nobody   │
         1 of 1,000  0%   A                                            ? help  │
        """)
    talk.press("w")
    #expect(!talk.shows("│") && talk.app.list?.size.columns == 120)
    talk.press("w", "esc")
    #expect(!talk.shows("│") && talk.app.list != nil)
}

@Test func thePaneReadsOnlyTheRowWhereTheCursorStops() {
    var talk = wide()
    talk.press("enter", "w")
    talk.wait(milliseconds: 200)
    talk.actions = []
    // A key held down: every 30 ms.
    for step in 1...10 {
        talk.wait(milliseconds: 30)
        talk.send(.key(.down))
        #expect(talk.app.pane.shown?.detail.row.id == talk.rowID, "step \(step)")
    }
    #expect(details(talk.actions).isEmpty && talk.app.wantsTicks)
    talk.wait(milliseconds: 200)
    #expect(details(talk.actions) == [talk.server.order[10]])
    talk.wait(milliseconds: 200)
    #expect(details(talk.actions).count == 1)
    // What others change is read again, once.
    talk.others(.set(talk.rowID, 3, .real(77.25)))
    #expect(talk.shows("77.25") && details(talk.actions).count == 2)
}

@Test func thePaneHasTheNameThatTheRowHasNow() {
    var talk = wide()
    talk.press("enter", "w")
    talk.wait(milliseconds: 200)
    talk.others(.set(talk.rowID, 2, .integer(1991)))
    #expect(talk.lines[0].hasSuffix("│ 1991 Audi M0"))
}

@Test func thePaneIsEmptyWhereNoRowIs() {
    var talk = wide()
    talk.press("enter", "w")
    talk.wait(milliseconds: 200)
    talk.press("/", .text("zz"))
    talk.wait(milliseconds: 500)
    #expect(talk.shows("No cars match") && talk.lines[0].hasSuffix("│"))
    talk.press("esc")
    #expect(talk.lines[0].hasSuffix("│ 1990 Audi M0"))
}

@Test func thePaneNeedsRoom() {
    let talk = ServedApp(after: "w")
    #expect(talk.status.contains("The side pane needs 120 columns") && !talk.app.pane.isOpen)
    var narrowed = wide()
    narrowed.press("enter", "w")
    narrowed.send(.resized(.standard))
    #expect(narrowed.app.list?.size == .standard && !narrowed.shows("│"))
    narrowed.send(.resized(Size(columns: 120, rows: 12)))
    #expect(narrowed.shows("│"))
    // A click in it is none on the list.
    let before = narrowed.app.list?.cursor
    narrowed.send(.mouse(MouseEvent(.press(.left), row: 6, column: 100)))
    #expect(narrowed.app.list?.cursor == before)
}
