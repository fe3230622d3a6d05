import Testing
import ValetModel

@testable import ValetTerminal

// Blanks at the ends of lines are not compared, and so not written.

@Test func theFirstFrameStandsBeforeAnybodyAnswered() {
    let talk = ServedApp(
        size: Size(columns: 80, rows: 10), options: AppOptions(targetName: "cars.sqlite"),
        isConnected: false)
    talk.expectScreen(
        """
         cars.sqlite                                                      ◌ connecting

         ⠋ ░░░░░░░░░░░░░░░░░░░
           ░░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░░
           ░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░
           ░░░░░░░░░
           ░░░░░░░░░░░░░░
                                     Enter open   / find   r refresh   q quit   ? help
        """)
}

@Test func theListShowsItsRowsAndItsIndex() {
    var talk = ServedApp()
    talk.send(.roundTrip(milliseconds: 12))
    talk.press("j", "j")
    talk.expectScreen(
        """
         Cars  1,000                                                     ● live  12 ms
         ‹ [Make] 2 Year  3 None  ›               / search
        ── Audi ─────────────────────────────────────────────────────────────── 143 ── ⌕
           1990 Audi M0                                                           Ana  A
           2009 Audi M0                                                          漢字  B
        ▌  1998 Audi M1                                                         Chloé  C
           2017 Audi M1                                                             –  F
           1991 Audi M10                                                           Bo  S
           2010 Audi M10                                                          Ana  V
           1999 Audi M11                                                         漢字
           2007 Audi M12                                                            –
           2015 Audi M13                                                          Ana
           2004 Audi M14                                                         漢字
           1993 Audi M14                                                        Chloé
           2012 Audi M15                                                            –
           2001 Audi M15                                                           Bo
           1990 Audi M16                                                          Ana
           2009 Audi M16                                                         漢字
           1998 Audi M17                                                        Chloé
           2017 Audi M17                                                            –
           2006 Audi M18                                                           Bo
           2014 Audi M19                                                         漢字
           2006 Audi M2                                                            Bo
         3 of 1,000  0%   A     / find   f filter   s sort   # count   e edit   ? help
        """)
}

@Test func aSectionHeaderStandsBetweenTheRows() {
    let talk = ServedApp(size: Size(columns: 80, rows: 12), after: ":", .text("141"), "enter")
    talk.expectScreen(
        """
         Cars  1,000                                                            ● live
         ‹ [Make] 2 Year  3 None  ›               / search
        ── Audi ─────────────────────────────────────────────────────────────── 143 ── ⌕
           2018 Audi M92                                                        Chloé  A
           2007 Audi M93                                                            –  B
           1996 Audi M93                                                           Bo  C
        ▌  2015 Audi M94                                                          Ana  F
           1993 Audi M95                                                        Chloé  S
           2001 Audi M96                                                           Bo  V
        ── BMW ──────────────────────────────────────────────────────────────── 143 ──
           2004 BMW M0                                                           漢字
         141 of 1,000  14%   A           / find   f filter   s sort   # count   ? help
        """)
}

@Test func groupedSectionsStandApart() {
    var talk = ServedApp(
        lists: [PlainCars.grouped], size: Size(columns: 80, rows: 12), after: "]")
    talk.expectScreen(
        """
         Cars  1,000                                                            ● live
         ‹ [Make] 2 Year  3 None  ›               / search
           BMW                                                                    143
        ▌  2004 BMW M0                                                             漢字
           1993 BMW M0                                                            Chloé
           2012 BMW M1                                                                –
           2001 BMW M1                                                               Bo
           2005 BMW M10                                                             Ana
           2013 BMW M11                                                           Chloé
           2002 BMW M12                                                               –
           1991 BMW M12                                                              Bo
         144 of 1,000  14%   BMW         / find   f filter   s sort   # count   ? help
        """)
    talk.press("up", "up")
    #expect(talk.app.draw().text.contains("  143 of Audi\n"))
}

@Test func yearsShareTheLinesOfTheIndex() {
    let talk = ServedApp(after: "2", ":", "7", "0", "%", "enter")
    talk.expectScreen(
        """
         Cars  1,000                                                            ● live
         ‹  1 Make [Year] 3 None  ›               / search
        ── 2010 ───────────────────────────────────────────────────────────── 33 ──    ⌕
           2010 BMW M61                                                        Ana  1990
           2010 Citroën M66                                                    Ana     ·
           2010 Fiat M68                                                       Ana  1993
           2010 Volvo M73                                                      Ana     ·
           2010 Audi M75                                                       Ana  1996
           2010 BMW M77                                                        Ana     ·
           2010 Volvo M8                                                       Ana  1999
           2010 Buick M80                                                      Ana     ·
           2010 Citroën M82                                                    Ana  2002
        ▌  2010 Fiat M84                                                       Ana     ·
           2010 Volvo M89                                                      Ana  2005
           2010 Audi M91                                                       Ana     ·
           2010 Buick M96                                                      Ana  2008
        ── 2011 ───────────────────────────────────────────────────────────── 33 ── 2010
           2011 Škoda M0                                                        Bo  2011
           2011 Citroën M11                                                     Bo     ·
           2011 Fiat M14                                                        Bo  2014
           2011 Škoda M16                                                       Bo     ·
           2011 Volvo M18                                                       Bo  2017
           2011 Volvo M2                                                        Bo  2019
         700 of 1,000  69%   2010        / find   f filter   s sort   # count   ? help
        """)
}

@Test func rowsThatWereNeverSeenAreSkeletons() {
    var talk = ServedApp(size: Size(columns: 80, rows: 10))
    talk.pressHeldUp("G", "enter")
    talk.expectScreen(
        """
         Cars  1,000                                                            ● live
         ‹ [Make] 2 Year  3 None  ›               / search
        ────────────────────────────────────────────────────────────────────────────── ⌕
           ░░░░░░░░░                                        ░░░░░░░                    A
           ░░░░░░░░░░░░░░                                   ░░░░░░░                    B
           ░░░░░░░░░░░░░░░░░░░                              ░░░░░░░                    C
           ░░░░░░░░░░░░░                                    ░░░░░░░                    F
           ░░░░░░░░░░░░░░░░░░                               ░░░░░░░                    S
        ▌⠸ ░░░░░░░░░░░░                                     ░░░░░░░                    V
         1,000 of 1,000  100%   / find   f filter   s sort   # count   e edit   ? help
        """)
}

@Test func aSearchSaysWhatItFound() {
    let talk = ServedApp(size: Size(columns: 80, rows: 10), after: "/", .text("volv"))
    talk.expectScreen(
        """
         Cars  143 of 1,000                                                     ● live
         ‹ [Make] 2 Year  3 None  ›               / volv               in [Make] Owner
        ── Volvo ────────────────────────────────────────────────────────────── 143 ── ⌕
        ▌  1995 Volvo M0                                                          Ana  V
           2003 Volvo M1                                                        Chloé
           2007 Volvo M10                                                           –
           1996 Volvo M10                                                          Bo
           2015 Volvo M11                                                         Ana
           2004 Volvo M11                                                        漢字
         1 of 143  0%   V                            Enter keep   Tab scope   Esc back
        """)
}

@Test func nothingFoundSaysWhatToDo() {
    let talk = ServedApp(size: Size(columns: 80, rows: 10), after: "/", "z", "z")
    talk.expectScreen(
        """
         Cars  0 of 1,000                                                       ● live
         ‹ [Make] 2 Year  3 None  ›               / zz                 in [Make] Owner

           No cars match “zz” in Make.  Tab other scope  ^U clear  Esc back





                                                     Enter keep   Tab scope   Esc back
        """)
}

@Test func aListThatTakesLongSaysHowFarItIs() {
    var talk = ServedApp()
    talk.pressHeldUp("2")
    talk.answer(.building(thousandths: 990)) { call in
        if case .openView(_, _, 1, _) = call { true } else { false }
    }
    #expect(!talk.app.draw().text.contains("building"), "that was the query before")
    talk.answer(.building(thousandths: 429), toNewest: \.isOpenView)
    #expect(talk.lines[23].hasPrefix(" building 42 %  "))
    talk.answer(.building(thousandths: 1_000), toNewest: \.isOpenView)
    #expect(talk.lines[23].hasPrefix(" building 100 %  "))
    talk.deliver()
    #expect(talk.lines[23].hasPrefix(" 1 of 1,000 "))
}

@Test func aSmallScreenSaysHowFarItIsInTheLastLine() {
    var talk = ServedApp(size: Size(columns: 30, rows: 5))
    talk.pressHeldUp("2")
    talk.answer(.building(thousandths: 60), toNewest: \.isOpenView)
    #expect(talk.lines[4].hasPrefix(" building 6 %"))
    talk.deliver()
    #expect(!talk.app.draw().text.contains("building"))
}

@Test func aListThatCantBeBuiltSaysNoMoreHowFarItIs() {
    var talk = ServedApp()
    talk.pressHeldUp("2")
    talk.answer(.building(thousandths: 500), toNewest: \.isOpenView)
    talk.fail(.storageFailed, "locked", newest: \.isOpenView)
    #expect(!talk.app.draw().text.contains("building"))
    talk.send(.disconnected(reason: "reset by peer"))
    #expect(!talk.app.draw().text.contains("building"))
}

/// The first scope is the widest.
@Test func whereAScopeFindsNothingTheFirstSaysWhatItHas() {
    let list = PlainCars.cars.with {
        $0.scopes.insert(Scope(name: "Any", columns: .columns([0, 4]), match: .words), at: 0)
        $0.scopes.append(Scope(name: "Model", columns: .columns([1])))
    }
    var talk = ServedApp(lists: [list], after: "/", "tab", .text("ana"))
    #expect(talk.shows("No cars match “ana” in Make  ·  200 in Any: Tab   Esc back"))
    talk.press("enter")
    #expect(talk.shows("in Make  ·  200 in Any: / Tab   Esc back"))
    talk.press("/", "tab")
    #expect(talk.app.list?.total == 200 && talk.lines[1].contains("[Any] Make"))
    // What is found nowhere, or is not known yet, says nothing of other scopes.
    talk.press("x")
    #expect(talk.shows("No cars match “anax” in Any.  Tab other scope"))
    talk.press("tab")
    #expect(talk.shows("No cars match “anax” in Make.  Tab other scope"))
}
