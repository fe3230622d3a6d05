import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// Sections whose headers and footers show values.
private var summed: ListDescription {
    var list = PlainCars.cars
    list.groupings[0].headerTemplate = "{sum fuel} l   {count}"
    list.groupings[0].footerTemplate = "{least year}–{greatest year} in {}"
    return list
}

private let sectionMeasures = [
    Measure(column: "fuel", function: .sum), Measure(column: "year", function: .least),
    Measure(column: "year", function: .greatest),
]

private func measures(_ column: String, _ functions: AggregateFunction...) -> [Measure] {
    functions.map { Measure(column: column, function: $0) }
}

extension ServedApp {
    fileprivate var requests: [WantedAggregates] {
        actions.compactMap { action in
            if case .call(.aggregates(_, let request)) = action { request } else { nil }
        }
    }

    /// Until the screen has rested, and what is asked then was answered.
    fileprivate mutating func rest() {
        wait(milliseconds: App.restMilliseconds)
    }

    /// Somebody sets a cell, and the window that stands is answered anew.
    fileprivate mutating func othersSet(_ rowID: Int64, _ column: Int, _ value: Cell) {
        others(.set(rowID, column, value))
    }
}

@Test func headersAndFootersShowTheValuesOfTheirSections() {
    var talk = ServedApp(lists: [summed], size: Size(columns: 60, rows: 10))
    talk.press(":", .text("143"), "enter", shows: "── BMW ─", " … l   143 ──")
    talk.rest()
    #expect(
        talk.requests == [0, 1].map { WantedAggregates(measures: sectionMeasures, sections: [$0]) })
    talk.expectScreen(
        """
         Cars  1,000                                        ● live
         ‹ [Make] 2 Year  3 None  ›    / search
        ── Audi ─────────────────────────────── 3,592.5 l   143 ── ⌕
           2015 Audi M94                                      Ana  A
           1993 Audi M95                                    Chloé  B
        ▌  2001 Audi M96                                       Bo  C
           1990–2019 in Audi                                       F
        ── BMW ──────────────────────────────── 3,557.5 l   143 ── S
           2004 BMW M0                                       漢字  V
         143 of 1,000  14%   A                              ? help
        """)
}

@Test func nothingIsAskedForWhileThePersonScrolls() {
    var talk = ServedApp(lists: [summed])
    talk.rest()
    #expect(talk.requests.map(\.sections) == [[0]])
    talk.press("j", "j", "k")
    #expect(talk.requests.count == 1, "what is known is not asked for again")
    for _ in 0..<5 {
        talk.wait(milliseconds: App.restMilliseconds - 1)
        talk.send(.key(.character("]")))
    }
    #expect(talk.requests.count == 1, "nor what the person passes")
    talk.rest()
    #expect(talk.requests.map(\.sections) == [[0], [5]])
    // The rows of the end are on their way.
    talk.pressHeldUp("end")
    talk.wait(milliseconds: 1_000)
    #expect(talk.requests.count == 2, "rows come first")
    talk.resume()
    talk.rest()
    #expect(talk.requests.map(\.sections) == [[0], [5], [6]])
    #expect(talk.app.tickMilliseconds == nil)
}

@Test func aRequestThatIsOfNoUseAnyMoreIsReplaced() {
    var talk = ServedApp(lists: [summed])
    talk.isHeldUp = true
    talk.rest()
    #expect(talk.requests.map(\.sections) == [[0]])
    talk.press("j")
    talk.rest()
    #expect(talk.requests.count == 1, "one is under way")
    let waiting = talk.waiting
    talk.waiting = []
    talk.isHeldUp = false
    talk.press("end")
    talk.rest()
    #expect(talk.requests.map(\.sections) == [[0], [6]])
    // The late answer changes nothing, and the place is empty when the person comes back.
    talk.waiting = waiting
    talk.deliver()
    talk.press("home", shows: " … l   143 ──")
    talk.rest()
    #expect(talk.requests.map(\.sections) == [[0], [6], [0]] && !talk.shows("…"))
}

@Test func valuesFollowWhatOthersChangeAtABoundedRate() {
    var talk = ServedApp(lists: [summed])
    talk.rest()
    let before = talk.lines[2]
    for fuel in 1...3 { talk.othersSet(talk.rowID, 3, .real(1_000 * Double(fuel))) }
    #expect(talk.requests.count == 1 && talk.lines[2] == before, "what is known stays")
    talk.wait(milliseconds: 999)
    #expect(talk.requests.count == 1)
    talk.wait(milliseconds: 1)
    #expect(talk.requests.count == 2 && talk.lines[2] != before)
    talk.wait(milliseconds: 10_000)
    #expect(talk.requests.count == 2)
}

@Test func theLongerItTakesTheLessOftenItIsAsked() {
    var talk = ServedApp(lists: [summed])
    talk.isHeldUp = true
    talk.rest()
    talk.wait(milliseconds: 500)
    talk.resume()
    talk.othersSet(talk.rowID, 3, .real(1_000))
    talk.wait(milliseconds: 4_999)
    #expect(talk.requests.count == 1)
    talk.wait(milliseconds: 1)
    #expect(talk.requests.count == 2)
}

/// Windows say nothing of rows that are not on the screen.
@Test func aProbeFindsChangesOutOfSight() {
    var talk = ServedApp(lists: [summed])
    talk.rest()
    let before = talk.lines[2]
    _ = talk.server.carryOut(.set(talk.server.order[140], 3, .real(5_000)))
    talk.wait(milliseconds: 5_000)
    talk.send(.roundTrip(milliseconds: 1))
    #expect(talk.requests.last == WantedAggregates())
    talk.wait(milliseconds: 1_000)
    #expect(talk.requests.map(\.sections) == [[0], [], [0]] && talk.lines[2] != before)
    talk.send(.roundTrip(milliseconds: 1))
    talk.wait(milliseconds: 5_000)
    #expect(talk.requests.map(\.sections) == [[0], [], [0], []])
    talk.press("z")
    talk.send(.roundTrip(milliseconds: 1))
    #expect(talk.requests.count == 4, "a frozen list stands")
}

@Test func aListWithoutValuesAsksForNone() {
    var talk = ServedApp(lists: [PlainCars.grouped])
    talk.rest()
    talk.send(.roundTrip(milliseconds: 1))
    talk.press("end")
    talk.rest()
    #expect(talk.requests.isEmpty && talk.app.aggregatesDueMilliseconds == nil)
}

@Test func theStatusLineSaysWhatTheColumnUnderTheCellCursorIsLike() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.rest()
    #expect(talk.requests.isEmpty, "nobody has moved the cell cursor")
    talk.press("l", "l")
    talk.rest()
    #expect(
        talk.requests.last
            == WantedAggregates(
                measures: measures("year", .sum, .mean, .least, .greatest), ofAllRows: true))
    #expect(talk.status.contains("0%   A   Σ 2,004,400  ø 2004.4  1990–2019  "))
    talk.press("l")
    #expect(!talk.status.contains("Σ"), "not the values of another column")
    talk.rest()
    #expect(talk.status.contains("Σ 25,000  ø 25.0  0.5–49.5  "))
    talk.press("l")
    talk.rest()
    #expect(talk.status.contains("   4 distinct  "))
    let asked = talk.requests.count
    talk.press("h")
    #expect(talk.status.contains("Σ 25,000") && talk.requests.count == asked, "known already")
}

@Test func columnsThatThePersonPassesAreNotAskedFor() {
    var talk = ServedApp(lists: [PlainCars.table])
    for _ in 0..<4 {
        talk.wait(milliseconds: 50)
        talk.send(.key(.right))
    }
    talk.rest()
    #expect(talk.requests.map(\.measures) == [measures("owner", .distinct)])
}

@Test func theValuesOfAColumnAreOfTheQuery() {
    var talk = ServedApp(lists: [PlainCars.table], after: "l", "l")
    talk.rest()
    talk.press("/", .text("volvo"), "enter")
    talk.rest()
    let found = talk.server.order.compactMap { id in
        if case .integer(let year)? = talk.server.cars[id]?[2] { Int(year) } else { nil }
    }
    #expect(!found.isEmpty && talk.status.contains("Σ \(found.reduce(0, +).grouped)"))
}

@Test func theValuesOfAColumnGoFirstWhereThereIsNoRoom() {
    var talk = ServedApp(lists: [PlainCars.table], size: Size(columns: 60, rows: 10))
    talk.press("l", "l")
    talk.rest()
    #expect(talk.status.hasPrefix(" 1 of 1,000  0%   A   Σ 2,004,400  ø 2004.4 "))
    #expect(!talk.status.contains("1990–") && talk.status.hasSuffix("? help"))
    talk.send(.resized(Size(columns: 40, rows: 10)))
    #expect(talk.status.hasPrefix(" 1 of 1,000  0%   A   ") && !talk.status.contains("Σ"))
}

@Test func withoutUnicodeTheValuesHaveWords() {
    var talk = ServedApp(
        lists: [PlainCars.table], options: AppOptions(targetName: "cars", isASCII: true))
    talk.press("l", "l")
    talk.rest()
    #expect(talk.status.contains("sum 2,004,400  mean 2004.4  1990-2019  "))
}

@Test func afterAFailureItWaits() {
    var talk = ServedApp(lists: [summed])
    talk.isHeldUp = true
    talk.rest()
    talk.waiting = []
    talk.fail(.busy, "rows change faster than they are counted", newest: \.isAggregates)
    talk.wait(milliseconds: 9_999)
    #expect(talk.requests.count == 1)
    talk.wait(milliseconds: 1)
    #expect(talk.requests.count == 2)
}

@Test func aTemplateThatIsNoneIsShownAsItIsWritten() {
    var list = PlainCars.cars
    list.groupings[0].headerTemplate = "{median fuel} {sum nothing}"
    list.groupings[0].footerTemplate = "{"
    var talk = ServedApp(lists: [list])
    talk.rest()
    #expect(talk.shows(" {median fuel} {sum nothing} ──") && talk.requests.isEmpty)
}

/// Hostile or not: a server may say other sections than were asked for.
@Test func sectionsThatAreOthersNowAreAskedForAgainLater() {
    var talk = ServedApp(lists: [summed])
    talk.isHeldUp = true
    talk.rest()
    talk.waiting = []
    for version in [7, 0] as [UInt64] {
        let odd = Aggregates(
            revision: 1, sectionsVersion: version, allRows: nil,
            sections: [
                .init(section: 99, rows: .init(count: 1, values: [.none])),
                .init(section: .max, rows: .init(count: 0, values: [])),
            ])
        let asked = talk.requests.count
        talk.answer(.aggregates(odd), toNewest: \.isAggregates)
        talk.wait(milliseconds: 999)
        #expect(talk.requests.count == asked && talk.shows(" … l   143 ──"))
        talk.wait(milliseconds: 1)
        #expect(talk.requests.count == asked + 1)
    }
}
