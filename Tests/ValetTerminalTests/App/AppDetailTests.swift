import Testing

@testable import ValetTerminal

@Test func anOpenDetailShowsWhatOthersChange() {
    var talk = ServedApp(after: "j", "enter")
    let rowID = talk.rowID
    talk.actions = []
    talk.others(.rename(rowID, to: "Another"))
    #expect(talk.shows("Another") && talk.lines[0].contains("Audi Another"))
    // It is read once for each revision that the list shows, and no more.
    #expect(talk.actions == [.detail(rowID)])
    talk.send(.tick(milliseconds: 90_000))
    #expect(talk.actions.count == 1)
}

@Test func changesThatComeWhileADetailIsReadAreReadAfterIt() {
    var talk = ServedApp(after: "j", "enter")
    let rowID = talk.rowID
    talk.isHeldUp = true
    talk.actions = []
    talk.others(.set(rowID, 4, .text("First")))
    talk.others(.set(rowID, 4, .text("Second")))
    #expect(talk.actions == [.detail(rowID)])
    talk.resume()
    #expect(talk.shows("Second") && talk.actions.count == 1)
}

@Test func aRowThatWasSeenIsCheckedWhileOffline() {
    var talk = ServedApp(lists: [PlainCars.fleet], after: "j")
    talk.send(.disconnected(reason: "test"))
    talk.pressHeldUp("x", shows: "○ offline · 1 waiting")
}

/// Labels of the fields that are marked as changed by others.
private func marked(_ talk: ServedApp) -> [String] {
    talk.lines.filter { $0.dropFirst().first == "~" }.map {
        String($0.dropFirst(2).split(separator: " ")[0])
    }
}

@Test func aFieldThatSomebodyElseChangesIsMarkedForFiveSeconds() {
    var talk = ServedApp(after: "j", "enter")
    #expect(marked(talk).isEmpty && !talk.app.wantsTicks)
    talk.others(.set(talk.rowID, 4, .text("Zoe")))
    #expect(marked(talk) == ["Owner"] && talk.app.wantsTicks)
    talk.wait(milliseconds: 3_000)
    talk.others(.set(talk.rowID, 3, .real(77)))
    #expect(marked(talk) == ["Fuel", "Owner"])
    talk.wait(milliseconds: 2_000)
    #expect(marked(talk) == ["Fuel"])
    talk.wait(milliseconds: 3_000)
    #expect(marked(talk).isEmpty && !talk.app.wantsTicks)
}

@Test func oneOwnChangesAreNotMarked() {
    var talk = ServedApp(after: "j", "enter", "e", .field(4, "Zoe"), "^S")
    #expect(talk.shows("Zoe") && marked(talk).isEmpty)
    talk.press("e", .field(4, "Yve"))
    talk.pressHeldUp("^S")
    guard case .server(_, .submit(_, _, let change))? = talk.waiting.last else {
        Issue.record("nothing was submitted")
        return
    }
    // The outcome comes first, then the row: the old value does not come back in between.
    let outcome = talk.server.carryOut(change)
    talk.answer(.outcome(outcome), toNewest: \.isSubmit)
    #expect(talk.shows("Yve") && marked(talk).isEmpty)
    talk.waiting.removeAll { if case .server(_, .submit) = $0 { true } else { false } }
    talk.resume()
    #expect(talk.shows("Yve") && marked(talk).isEmpty)
}

@Test func anotherRecordBeginsWithoutMarks() {
    var talk = ServedApp(after: "j", "enter")
    talk.others(.set(talk.rowID, 4, .text("Zoe")))
    talk.press("J")
    #expect(marked(talk).isEmpty)
}

private func wide() -> ServedApp {
    ServedApp(size: Size(columns: 120, rows: 12), after: "w", .wait(200))
}

private func details(_ actions: [Asked]) -> [Int64] {
    actions.compactMap {
        if case .call(.detail(_, let rowID, _)) = $0 { rowID } else { nil }
    }
}

@Test func thePaneShowsTheRowBesideTheList() {
    var talk = wide()
    talk.expectScreen(
        """
         Cars  1,000                                                  ● live   │ 1990 Audi M0
         ‹ [Make] 2 Year  3 None  ›         / search                           │
        ── Audi ───────────────────────────────────────────────────── 143 ── ⌕ │   Make   Audi
        ▌  1990 Audi M0                                                 Ana  A │   Model  M0
           2009 Audi M0                                                漢字  B │   Year   1990
           1998 Audi M1                                               Chloé  C │   Fuel   0.5 l
           2017 Audi M1                                                   –  F │   Owner  Ana
           1991 Audi M10                                                 Bo  S │
           2010 Audi M10                                                Ana  V │
           1999 Audi M11                                               漢字    │
           2007 Audi M12                                                  –    │
         1 of 1,000  0%   A    / find   f filter   s sort   # count   ? help   │
        """)
    talk.press("w")
    #expect(!talk.shows("│") && talk.app.list?.size.columns == 120)
    talk.press("w", "esc")
    #expect(!talk.shows("│") && talk.app.list != nil)
}

@Test func thePaneReadsOnlyTheRowWhereTheCursorStops() {
    var talk = wide()
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
    talk.others(.set(talk.rowID, 2, .integer(1991)))
    #expect(talk.lines[0].hasSuffix("│ 1991 Audi M0"))
}

@Test func thePaneIsEmptyWhereNoRowIs() {
    var talk = wide()
    talk.press("/", .text("zz"), .wait(500))
    #expect(talk.shows("No cars match") && talk.lines[0].hasSuffix("│"))
    talk.press("esc")
    #expect(talk.lines[0].hasSuffix("│ 1990 Audi M0"))
}

@Test func thePaneNeedsRoom() {
    let talk = ServedApp(after: "w")
    #expect(talk.status.contains("The side pane needs 120 columns") && !talk.app.isPaneShown)
    var narrowed = wide()
    narrowed.send(.resized(.standard))
    #expect(narrowed.app.list?.size == .standard && !narrowed.shows("│"))
    narrowed.send(.resized(Size(columns: 120, rows: 12)))
    #expect(narrowed.shows("│"))
    // A click in it is none on the list.
    let before = narrowed.app.list?.cursor
    narrowed.send(.mouse(MouseEvent(.press(.left), row: 6, column: 100)))
    #expect(narrowed.app.list?.cursor == before)
}

/// The list's keys for a row act on the one that is open.
@Test func theRowsKeysWorkInTheDetail() {
    var talk = ServedApp(lists: [PlainCars.fleet], after: "j", "enter", "x")
    #expect(talk.server.cars[talk.rowID]?[5] == .integer(1) && talk.app.detail != nil)
    talk.press("M")
    #expect(talk.app.list?.selection.compared.map(\.id) == [talk.rowID])
    talk.press(".", shows: "check or uncheck")
    talk.press("esc", "H", says: "No history for Cars")
    #expect(talk.app.detail?.row.id == talk.rowID)
}
