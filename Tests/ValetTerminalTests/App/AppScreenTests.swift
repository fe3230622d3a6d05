import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

// Blanks at the ends of lines are not compared, and so not written.

@Test func theFirstFrameStandsBeforeAnybodyAnswered() {
    var app = App(options: AppOptions(targetName: "cars.sqlite"), size: .standard)
    _ = app.handle(.connecting)
    #expect(
        app.draw().text == """
         cars.sqlite                                                      ◌ connecting

         ⠋ ░░░░░░░░░░░░░░░░░░░
           ░░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░░
           ░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░
           ░░░░░░░░░
           ░░░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░░░
           ░░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░░
           ░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░
           ░░░░░░░░░
           ░░░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░░░
           ░░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░░
           ░░░░░░░░░░░░
           ░░░░░░░░░░░░░░░░░
           ░░░░░░░░░
           ░░░░░░░░░░░░░░
                                                                                ? help
        """)
}

@Test func theListShowsItsRowsAndItsIndex() {
    var talk = Conversation()
    talk.send(.roundTrip(milliseconds: 12))
    talk.press("j", "j")
    #expect(
        talk.app.draw().text == """
         Cars  1,000                                                     ● live  12 ms
         ‹ [Make] Year  None  ›                   / search
        ── Audi ─────────────────────────────────────────────────────────────── 143 ── ⌕
           1990 Audi M0                                                           Ana  A
           2009 Audi M0                                                          漢字  B
        ▌  1998 Audi M1                                                         Chloé  C
           2017 Audi M1                                                        Nobody  F
           1991 Audi M10                                                           Bo  V
           2010 Audi M10                                                          Ana  Š
           1999 Audi M11                                                         漢字
           2007 Audi M12                                                       Nobody
           2015 Audi M13                                                          Ana
           2004 Audi M14                                                         漢字
           1993 Audi M14                                                        Chloé
           2012 Audi M15                                                       Nobody
           2001 Audi M15                                                           Bo
           1990 Audi M16                                                          Ana
           2009 Audi M16                                                         漢字
           1998 Audi M17                                                        Chloé
           2017 Audi M17                                                       Nobody
           2006 Audi M18                                                           Bo
           2014 Audi M19                                                         漢字
           2006 Audi M2                                                            Bo
         3 of 1,000   A 1%                                                      ? help
        """)
}

@Test func aSectionHeaderStandsBetweenTheRows() {
    var talk = Conversation()
    talk.press(":", "1", "3", "9", "enter")
    #expect(
        talk.app.draw().text == """
         Cars  1,000                                                            ● live
         ‹ [Make] Year  None  ›                   / search
        ── Audi ─────────────────────────────────────────────────────────────── 143 ── ⌕
           2016 Audi M88                                                           Bo  A
           1994 Audi M89                                                         漢字  B
           2013 Audi M9                                                         Chloé  C
           2002 Audi M9                                                        Nobody  F
           2002 Audi M90                                                       Nobody  V
           1991 Audi M91                                                           Bo  Š
           2010 Audi M91                                                          Ana
           1999 Audi M92                                                         漢字
           2018 Audi M92                                                        Chloé
        ▌  2007 Audi M93                                                       Nobody
           1996 Audi M93                                                           Bo
           2015 Audi M94                                                          Ana
           1993 Audi M95                                                        Chloé
           2001 Audi M96                                                           Bo
        ── BMW ──────────────────────────────────────────────────────────────── 143 ──
           2004 BMW M0                                                           漢字
           1993 BMW M0                                                          Chloé
           2012 BMW M1                                                         Nobody
           2001 BMW M1                                                             Bo
           2005 BMW M10                                                           Ana
         139 of 1,000   A 97%                                                   ? help
        """)
}

@Test func yearsShareTheLinesOfTheIndex() {
    var talk = Conversation()
    talk.press("2", "5", "0", ":", "7", "0", "%", "enter")
    #expect(
        talk.app.draw().text == """
         Cars  1,000                                                            ● live
         ‹  Make [Year] None  ›                   / search
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
         700 of 1,000   2010 90%                                                ? help
        """)
}

@Test func rowsThatWereNeverSeenAreSkeletons() {
    var talk = Conversation()
    talk.isHeldUp = true
    talk.press("G", "enter")
    #expect(
        talk.app.draw().text == """
         Cars  1,000                                                            ● live
         ‹ [Make] Year  None  ›                   / search
        ────────────────────────────────────────────────────────────────────────────── ⌕
           ░░░░░░░░░                                        ░░░░░░░                    A
           ░░░░░░░░░░░░░░                                   ░░░░░░░                    B
           ░░░░░░░░░░░░░░░░░░░                              ░░░░░░░                    C
           ░░░░░░░░░░░░░                                    ░░░░░░░                    F
           ░░░░░░░░░░░░░░░░░░                               ░░░░░░░                    V
           ░░░░░░░░░░░░                                     ░░░░░░░                    Š
           ░░░░░░░░░░░░░░░░░                                ░░░░░░░
           ░░░░░░░░░                                        ░░░░░░░
           ░░░░░░░░░░░░░░                                   ░░░░░░░
           ░░░░░░░░░░░░░░░░░░░                              ░░░░░░░
           ░░░░░░░░░░░░░                                    ░░░░░░░
           ░░░░░░░░░░░░░░░░░░                               ░░░░░░░
           ░░░░░░░░░░░░                                     ░░░░░░░
           ░░░░░░░░░░░░░░░░░                                ░░░░░░░
           ░░░░░░░░░                                        ░░░░░░░
           ░░░░░░░░░░░░░░                                   ░░░░░░░
           ░░░░░░░░░░░░░░░░░░░                              ░░░░░░░
           ░░░░░░░░░░░░░                                    ░░░░░░░
           ░░░░░░░░░░░░░░░░░░                               ░░░░░░░
        ▌⠸ ░░░░░░░░░░░░                                     ░░░░░░░
         1,000 of 1,000   100%                                                  ? help
        """)
}

@Test func aSearchSaysWhatItFound() {
    var talk = Conversation()
    talk.press("/")
    talk.type("volv")
    #expect(
        talk.app.draw().text == """
         Cars  143 of 1,000                                                     ● live
         ‹ [Make] Year  None  ›                   / volv               in [Make] Owner
        ── Volvo ────────────────────────────────────────────────────────────── 143 ── ⌕
        ▌  1995 Volvo M0                                                          Ana  V
           2003 Volvo M1                                                        Chloé
           2007 Volvo M10                                                      Nobody
           1996 Volvo M10                                                          Bo
           2015 Volvo M11                                                         Ana
           2004 Volvo M11                                                        漢字
           1993 Volvo M12                                                       Chloé
           2012 Volvo M12                                                      Nobody
           2001 Volvo M13                                                          Bo
           2009 Volvo M14                                                        漢字
           2017 Volvo M15                                                      Nobody
           2006 Volvo M16                                                          Bo
           1995 Volvo M16                                                         Ana
           2014 Volvo M17                                                        漢字
           2003 Volvo M17                                                       Chloé
           1992 Volvo M18                                                      Nobody
           2011 Volvo M18                                                          Bo
           2000 Volvo M19                                                         Ana
           2019 Volvo M19                                                        漢字
           1992 Volvo M2                                                       Nobody
         1 of 143   V 0%                                                        ? help
        """)
}

@Test func nothingFoundSaysWhatToDo() {
    var talk = Conversation()
    talk.press("/", "z", "z")
    #expect(
        talk.app.draw().text == """
         Cars  0 of 1,000                                                       ● live
         ‹ [Make] Year  None  ›                   / zz                 in [Make] Owner

           No cars match “zz” in Make.  Tab other scope  ^U clear  Esc back



















                                                                                ? help
        """)
}

@Test func aTableHasLabelsAndAlignsNumbers() {
    var talk = Conversation(lists: [FakeServer.table], options: AppOptions(isASCII: true))
    talk.press("s", "down", "down", "enter", "S")
    #expect(
        talk.app.draw().text == """
         Table  1,000                                                           * live
         < [Make] Year  None  >                   sort model v
           Model v  Make  Year  Fuel  Owner
        -- Audi --------------------------------------------------------------- 143 -- /
        >  M0       Audi  1990   0.5  Ana                                              A
           M0       Audi  2009  29.5  漢字                                             B
           M1       Audi  1998  48.5  Chloé                                            C
           M1       Audi  2017  27.5  Nobody                                           F
           M10      Audi  1991   1.5  Bo                                               V
           M10      Audi  2010  30.5  Ana                                              Š
           M11      Audi  1999  49.5  漢字
           M12      Audi  2007  47.5  Nobody
           M13      Audi  2015  45.5  Ana
           M14      Audi  2004  14.5  漢字
           M14      Audi  1993  43.5  Chloé
           M15      Audi  2012  12.5  Nobody
           M15      Audi  2001  41.5  Bo
           M16      Audi  1990  10.5  Ana
           M16      Audi  2009  39.5  漢字
           M17      Audi  1998   8.5  Chloé
           M17      Audi  2017  37.5  Nobody
           M18      Audi  2006   6.5  Bo
           M19      Audi  2014   4.5  漢字
         1 of 1,000   A 0%                                                      ? help
        """)
}

@Test func theDetailShowsEveryField() {
    var talk = Conversation()
    talk.press("j", "j", "j", "enter", "j")
    #expect(
        talk.app.draw().text == """
         2017 Audi M1  Cars                                                     ● live

           Make   Audi
        ▌  Model  M1
           Year   2017
           Fuel   27.5 l
           Owner  Nobody
















         4 of 1,000                                        J K next, previous   ? help
        """)
}

@Test func helpLiesOverTheList() {
    var talk = Conversation()
    talk.press("?", "i", "n", "d", "e")
    #expect(
        talk.app.draw().text == """
         Cars  1 Keys                                                           ● live
         ‹ [Make / inde
        ── Audi ▌ i  walk the section index                                     143 ── ⌕
        ▌  1990                                                                   Ana  A
           2009                                                                  漢字  B
           1998                                                                 Chloé  C
           2017                                                                 obody  F
           1991                                                                    Bo  V
           2010                                                                   Ana  Š
           1999                                                                  漢字
           2007                                                                 obody
           2015                                                                   Ana
           2004                                                                  漢字
           1993                                                                 Chloé
           2012                                                                 obody
           2001                                                                    Bo
           1990                                                                   Ana
           2009                                                                  漢字
           1998                                                                 Chloé
           2017                                                                 obody
           2006                                                                    Bo
           2014                                                                  漢字
           2006                                                                    Bo
         1 of 1,                                                                ? help
        """)
}

@Test func theCatalogShowsListsAndCounts() {
    var talk = Conversation(lists: [FakeServer.cars, FakeServer.table])
    talk.press("j")
    #expect(
        talk.app.draw().text == """
         Valet  2 lists                                                         ● live

           Cars                                                                  1,000
        ▌  Table                                                                 1,000



















                                                                                ? help
        """)
}

@Test func aNarrowScreenHasNoIndex() {
    var talk = Conversation(size: Size(columns: 50, rows: 9))
    talk.press("j")
    #expect(
        talk.app.draw().text == """
         Cars  1,000                              ● live
         ‹ [Make] Year  None  ›
        ── Audi ─────────────────────────────────── 143 ──
           1990 Audi M0                               Ana
        ▌  2009 Audi M0                              漢字
           1998 Audi M1                             Chloé
           2017 Audi M1                            Nobody
           1991 Audi M10                               Bo
         2 of 1,000   A 0%                        ? help
        """)
}

@Test func aSmallScreenIsTheListAlone() {
    var talk = Conversation(size: Size(columns: 30, rows: 6))
    talk.press("j")
    #expect(
        talk.app.draw().text == """
        ── Audi ─────────────── 143 ──
           1990 Audi M0           Ana
        ▌  2009 Audi M0          漢字
           1998 Audi M1         Chloé
           2017 Audi M1        Nobody
           1991 Audi M10           Bo
        """)
}

@Test func theDefaultCellIsTheTitleAlone() {
    var list = FakeServer.cars
    list.cell.style = .default
    let talk = Conversation(lists: [list], size: Size(columns: 60, rows: 9))
    #expect(
        talk.app.draw().text == """
         Cars  1,000                                        ● live
         ‹ [Make] Year  None  ›        / search
        ── Audi ─────────────────────────────────────────── 143 ── ⌕
        ▌  1990 Audi M0                                            A
           2009 Audi M0                                            ·
           1998 Audi M1                                            F
           2017 Audi M1                                            ·
           1991 Audi M10                                           Š
         1 of 1,000   A 0%                                  ? help
        """)
}

@Test func theSubtitleStandsBehindTheTitle() {
    var list = FakeServer.cars
    list.cell.style = .subtitle
    let talk = Conversation(lists: [list], size: Size(columns: 60, rows: 9))
    #expect(
        talk.app.draw().text == """
         Cars  1,000                                        ● live
         ‹ [Make] Year  None  ›        / search
        ── Audi ─────────────────────────────────────────── 143 ── ⌕
        ▌  1990 Audi M0  Ana                                       A
           2009 Audi M0  漢字                                      ·
           1998 Audi M1  Chloé                                     F
           2017 Audi M1  Nobody                                    ·
           1991 Audi M10  Bo                                       Š
         1 of 1,000   A 0%                                  ? help
        """)
}

@Test func theSecondValueStyleBeginsWithTheDetail() {
    var list = FakeServer.cars
    list.cell.style = .value2
    let talk = Conversation(lists: [list], size: Size(columns: 60, rows: 9))
    #expect(
        talk.app.draw().text == """
         Cars  1,000                                        ● live
         ‹ [Make] Year  None  ›        / search
        ── Audi ─────────────────────────────────────────── 143 ── ⌕
        ▌            Ana  1990 Audi M0                             A
                    漢字  2009 Audi M0                             ·
                   Chloé  1998 Audi M1                             F
                  Nobody  2017 Audi M1                             ·
                      Bo  1991 Audi M10                            Š
         1 of 1,000   A 0%                                  ? help
        """)
}
