import Testing
import ValetModel

@testable import ValetTerminal

/// Sections whose headers and footers show values.
private let summed = PlainCars.cars.with {
    $0.groupings[0].headerTemplate = "{sum fuel} l   {count}"
    $0.groupings[0].footerTemplate = "{least year}–{greatest year} in {}"
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

    /// So much later it is asked for once more, and no sooner.
    fileprivate mutating func expectRequest(
        after milliseconds: Int, at location: SourceLocation = #_sourceLocation
    ) {
        let count = requests.count
        wait(milliseconds: milliseconds - 1)
        #expect(requests.count == count, sourceLocation: location)
        wait(milliseconds: 1)
        #expect(requests.count == count + 1, sourceLocation: location)
    }
}

/// Until the screen has rested, and what is asked then was answered.
private let rest = Stroke.wait(App.restMilliseconds)

@Test func headersAndFootersShowTheValuesOfTheirSections() {
    var talk = ServedApp(lists: [summed], size: Size(columns: 60, rows: 10))
    talk.press(":", .text("143"), "enter", shows: "── BMW ─", " … l   143 ──")
    talk.press(rest)
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
         143 of 1,000  14%   A          / find   f filter   ? help
        """)
}

@Test func nothingIsAskedForWhileThePersonScrolls() {
    var talk = ServedApp(lists: [summed], after: rest)
    #expect(talk.requests.map(\.sections) == [[0]])
    talk.press("j", "j", "k")
    #expect(talk.requests.count == 1, "what is known is not asked for again")
    for _ in 0..<5 {
        talk.wait(milliseconds: App.restMilliseconds - 1)
        talk.send(.key(.character("]")))
    }
    #expect(talk.requests.count == 1, "nor what the person passes")
    talk.press(rest)
    #expect(talk.requests.map(\.sections) == [[0], [5]])
    // The rows of the end are on their way.
    talk.pressHeldUp("end")
    talk.wait(milliseconds: 1_000)
    #expect(talk.requests.count == 2, "rows come first")
    talk.resume()
    talk.press(rest)
    #expect(talk.requests.map(\.sections) == [[0], [5], [6]])
    #expect(talk.app.tickMilliseconds == nil)
}

@Test func aRequestThatIsOfNoUseAnyMoreIsReplaced() {
    var talk = ServedApp(lists: [summed])
    talk.pressHeldUp(rest)
    #expect(talk.requests.map(\.sections) == [[0]])
    talk.press("j", rest)
    #expect(talk.requests.count == 1, "one is under way")
    let waiting = talk.waiting
    talk.waiting = []
    talk.isHeldUp = false
    talk.press("end", rest)
    #expect(talk.requests.map(\.sections) == [[0], [6]])
    // The late answer changes nothing, and the place is empty when the person comes back.
    talk.waiting = waiting
    talk.deliver()
    talk.press("home", shows: " … l   143 ──")
    talk.press(rest)
    #expect(talk.requests.map(\.sections) == [[0], [6], [0]] && !talk.shows("…"))
}

@Test func valuesFollowWhatOthersChangeAtABoundedRate() {
    var talk = ServedApp(lists: [summed], after: rest)
    let before = talk.lines[2]
    for fuel in 1...3 { talk.others(.set(talk.rowID, 3, .real(1_000 * Double(fuel)))) }
    #expect(talk.requests.count == 1 && talk.lines[2] == before, "what is known stays")
    talk.expectRequest(after: 1_000)
    #expect(talk.lines[2] != before)
    talk.wait(milliseconds: 10_000)
    #expect(talk.requests.count == 2)
}

@Test func theLongerItTakesTheLessOftenItIsAsked() {
    var talk = ServedApp(lists: [summed])
    talk.pressHeldUp(rest, .wait(500))
    talk.resume()
    talk.others(.set(talk.rowID, 3, .real(1_000)))
    talk.expectRequest(after: 5_000)
}

/// Windows say nothing of rows that are not on the screen.
@Test func aProbeFindsChangesOutOfSight() {
    var talk = ServedApp(lists: [summed], after: rest)
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
    var talk = ServedApp(lists: [PlainCars.grouped], after: rest)
    talk.send(.roundTrip(milliseconds: 1))
    talk.press("end", rest)
    #expect(talk.requests.isEmpty && talk.app.aggregatesDueMilliseconds == nil)
}

@Test func theStatusLineSaysWhatTheColumnUnderTheCellCursorIsLike() {
    var talk = ServedApp(lists: [PlainCars.table], after: rest)
    #expect(talk.requests.isEmpty, "nobody has moved the cell cursor")
    talk.press("l", "l", rest)
    #expect(
        talk.requests.last
            == WantedAggregates(
                measures: measures("year", .sum, .mean, .least, .greatest), ofAllRows: true))
    #expect(talk.status.contains("0%   A   Σ 2,004,400  ø 2004.4  1990–2019  "))
    talk.press("l")
    #expect(!talk.status.contains("Σ"), "not the values of another column")
    talk.press(rest, says: "Σ 25,000  ø 25.0  0.5–49.5  ")
    talk.press("l", rest, says: "   4 distinct  ")
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
    talk.press(rest)
    #expect(talk.requests.map(\.measures) == [measures("owner", .distinct)])
}

@Test func theValuesOfAColumnAreOfTheQuery() {
    var talk = ServedApp(lists: [PlainCars.table], after: "l", "l", rest)
    talk.press("/", .text("volvo"), "enter", rest)
    let found = talk.server.order.compactMap { id in
        if case .integer(let year)? = talk.server.cars[id]?[2] { Int(year) } else { nil }
    }
    #expect(!found.isEmpty && talk.status.contains("Σ \(found.reduce(0, +).grouped)"))
}

@Test func theValuesOfAColumnGoFirstWhereThereIsNoRoom() {
    var talk = ServedApp(lists: [PlainCars.table], size: Size(columns: 60, rows: 10))
    talk.press("l", "l", rest)
    #expect(talk.status.hasPrefix(" 1 of 1,000  0%   A   Σ 2,004,400  ø 2004.4 "))
    #expect(!talk.status.contains("1990–") && talk.status.hasSuffix("? help"))
    talk.send(.resized(Size(columns: 40, rows: 10)))
    #expect(talk.status.hasPrefix(" 1 of 1,000  0%   A   ") && !talk.status.contains("Σ"))
}

@Test func withoutUnicodeTheValuesHaveWords() {
    var talk = ServedApp(
        lists: [PlainCars.table], options: AppOptions(targetName: "cars", isASCII: true))
    talk.press("l", "l", rest, says: "sum 2,004,400  mean 2004.4  1990-2019  ")
}

@Test func afterAFailureItWaits() {
    var talk = ServedApp(lists: [summed])
    talk.pressHeldUp(rest)
    talk.waiting = []
    talk.fail(.busy, "rows change faster than they are counted", newest: \.isAggregates)
    talk.expectRequest(after: 10_000)
}

@Test func aTemplateThatIsNoneIsShownAsItIsWritten() {
    let list = PlainCars.cars.with {
        $0.groupings[0].headerTemplate = "{median fuel} {sum nothing}"
        $0.groupings[0].footerTemplate = "{"
    }
    let talk = ServedApp(lists: [list], after: rest)
    #expect(talk.shows(" {median fuel} {sum nothing} ──") && talk.requests.isEmpty)
}

/// Hostile or not: a server may say other sections than were asked for.
@Test func sectionsThatAreOthersNowAreAskedForAgainLater() {
    var talk = ServedApp(lists: [summed])
    talk.pressHeldUp(rest)
    talk.waiting = []
    for version in [7, 0] as [UInt64] {
        let odd = Aggregates(
            revision: 1, sectionsVersion: version, allRows: nil,
            sections: [
                .init(section: 99, rows: .init(count: 1, values: [.none])),
                .init(section: .max, rows: .init(count: 0, values: [])),
            ])
        talk.answer(.aggregates(odd), toNewest: \.isAggregates)
        talk.expectRequest(after: 1_000)
        #expect(talk.shows(" … l   143 ──"))
    }
}

private func shown(
    _ value: AggregateValue, _ function: AggregateFunction, _ type: ColumnType = .real,
    _ format: ColumnFormat = .plain
) -> String {
    let column = ColumnDescription(name: "x", type: type, format: format)
    return value.text(function, of: column, Glyphs(isASCII: false))
}

private func real(_ number: Double) -> AggregateValue { .cell(.real(number)) }

private func integer(_ number: Int64) -> AggregateValue { .cell(.integer(number)) }

@Test func sumsAndCountsHaveCommas() {
    #expect(shown(integer(1_234_567), .sum) == "1,234,567")
    #expect(shown(integer(.min), .sum, .integer) == "-9,223,372,036,854,775,808")
    #expect(
        shown(.whole(.max), .sum, .integer) == "170,141,183,460,469,231,731,687,303,715,884,105,727"
    )
    #expect(shown(integer(1_204), .count, .text) == "1,204")
    #expect(shown(integer(1_204), .distinct, .date) == "1,204")
    #expect(shown(real(0.1 + 0.2), .sum) == "0.3")
    #expect(shown(real(12_345.75), .sum) == "12,345.75")
    #expect(shown(real(-0.0), .sum) == "0")
    for odd in [Double.infinity, -.infinity, .nan, 1e300] {
        #expect(shown(real(odd), .sum) == "\(odd)")
        #expect(shown(real(odd), .mean) == "\(odd)")
    }
    #expect(shown(real(1e-300), .sum) == "1e-300")
    #expect(shown(real(1e-300), .mean) == "0.000000000")
}

@Test func valuesHaveTheFormatOfTheirColumn() {
    let money = ColumnFormat.number(decimals: 2, isGrouped: true)
    #expect(shown(integer(1_204), .sum, .integer, money) == "1,204.00")
    #expect(shown(real(1_204.5), .sum, .real, money) == "1,204.50")
    #expect(shown(real(1_204.567), .mean, .real, money) == "1,204.57")
    #expect(shown(real(1_204.5), .least, .real, money) == "1,204.50")
    #expect(shown(integer(0), .greatest, .date, .day) == "1 Jan 1970")
    #expect(shown(real(86_400.5), .mean, .date, .day) == "2 Jan 1970")
    #expect(shown(.cell(.text("2024-02-29")), .least, .date, .monthYear) == "Feb 2024")
    #expect(shown(integer(2_019), .greatest, .integer) == "2019", "as the cells do")
    #expect(shown(.none, .sum) == "–")
}

@Test func meansHaveThreeDigits() {
    #expect(shown(real(2_004.32), .mean, .integer) == "2004.3")
    #expect(shown(real(12.345), .mean) == "12.3")
    #expect(shown(real(1.2345), .mean) == "1.23")
    #expect(shown(real(-0.012_345), .mean) == "-0.0123")
    #expect(shown(real(0), .mean) == "0.0")
    #expect(
        shown(real(1_204.5), .mean, .real, .number(decimals: nil, isGrouped: true)) == "1,204.5")
}
