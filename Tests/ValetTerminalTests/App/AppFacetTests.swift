import Testing
import ValetModel

@testable import ValetTerminal

@Test func theValuesOfAColumnAreCountedAndFilteredBy() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "#")
    #expect(talk.lines[0].hasPrefix(" Make of Table  7 values, 1,000 rows"))
    #expect(talk.lines[3].hasPrefix("▌  Audi"))
    #expect(talk.lines[3].contains("143   14.3 %  ███"))
    talk.press("j", "j", "enter")
    #expect(talk.app.facets == nil)
    #expect(talk.conditions.map(\.column) == ["make"] && talk.conditions.first?.values.count == 1)
    // The column's own condition doesn't hide the other values, and is picked.
    talk.press("#")
    #expect(talk.lines[0].contains("7 values, 1,000 rows"))
    #expect(talk.lines.contains { $0.contains("◆") } && talk.status.contains("1 picked"))
    talk.press("g", "space", "enter")
    #expect(talk.conditions.first?.values.count == 2)
    talk.press("esc")
    #expect(talk.conditions.first?.values.count == 1)
}

/// What is filtered by is not what the person picks now.
@Test func anotherValueTakesThePlaceOfTheOneThatIsFilteredBy() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "#", "enter", "#")
    #expect(talk.status.contains("1 picked"))
    talk.press("g", "j", "j", "enter")
    #expect(talk.conditions == [Condition(column: "make", .isOneOf, [.text("Buick")])])
    // Whoever picks one more takes those that are marked.
    talk.press("#", "g", "space", "j", "enter")
    #expect(talk.conditions.first?.values == [.text("Buick"), .text("Audi")])
}

@Test func aTypedValueIsPickedHoweverItIsWritten() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press("f", .text("make = audi"), "enter", "right", "#", "g")
    #expect(talk.lines[3].contains("◆ Audi"))
    talk.press("space")
    #expect(!talk.shows("◆") && !talk.status.contains("picked"))
}

@Test func yesIsPickedAsItIsShown() {
    var list = PlainCars.table
    list.columns[0] = ColumnDescription(name: "flag", type: .boolean)
    let screen = FacetScreen(
        list: list, purpose: .values(column: 0),
        query: Query(conditions: [
            Condition(column: "flag", .isOneOf, [.integer(1), .integer(2)])
        ]), glyphs: Glyphs(isASCII: false))
    #expect(screen.picked == [.titled("Yes"), .titled("2")])
    #expect(screen.isPicked(.titled("Yes")) && !screen.isPicked(.titled("No")))
}

/// A text may read as the section of those that are missing does.
@Test func whatIsMissingIsAValueOfItsOwn() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.server.cars[talk.rowID]?[4] = .text("Unknown")
    talk.server.arrange()
    talk.press("r", "right", "right", "right", "right", "#")
    #expect(talk.app.facets?.column?.name == "owner")
    talk.press("tab", "G")
    #expect(talk.lines.contains { $0.hasPrefix("▌  –") } && talk.shows(" Unknown "))
    talk.press("enter")
    #expect(talk.conditions == [Condition(column: "owner", .isMissing)])
    talk.press("#", "tab", "G")
    #expect(talk.lines.contains { $0.hasPrefix("▌◆ –") })
    talk.press("space", "k", "enter")
    #expect(talk.conditions == [Condition(column: "owner", .isOneOf, [.text("漢字")])])
}

/// A month has no part in what is missing, nor in a text that is no date.
@Test func whatIsInNoMonthIsNotFilteredBy() {
    let list = PlainCars.table.with {
        $0.columns.append(ColumnDescription(name: "due", label: "Due", type: .date))
    }
    var talk = ServedApp(lists: [list])
    talk.server.cars[talk.rowID]?[5] = .text("soon")
    talk.server.arrange()
    talk.press("r", .times(5, "right"), "#", "G")
    #expect(talk.lines[3].hasPrefix("▌  –"))
    talk.press("enter", says: "Some may have no value, others none of the kind")
    talk.press("space", says: "Some may have no value, others none of the kind")
    #expect(talk.conditions.isEmpty && talk.app.facets != nil)
}

@Test func valuesAreFoundByTyping() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "#", "/", .text("vo"))
    #expect(talk.lines[0].contains("1 value, "))
    #expect(talk.lines[3].hasPrefix("▌  Volvo"))
    talk.press("enter", "enter")
    #expect(talk.conditions == [Condition(column: "make", .isOneOf, [.text("Volvo")])])
}

@Test func valuesComeByRowsOrInOrder() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "right", "#")
    #expect(talk.lines[2].contains("rows ▼"))
    talk.press("tab")
    #expect(talk.lines[2].contains("value ▲") && talk.lines[3].hasPrefix("▌  1990"))
    talk.press("esc")
    #expect(talk.app.facets == nil && talk.conditions.isEmpty)
}

@Test func numbersAreCountedInRangesThatPeopleChoose() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "right", "#", "c")
    let titles = talk.lines.dropFirst(3).prefix { $0.contains("–") }.map { $0.prefix(16) }
    #expect((6...25).contains(titles.count), "\(titles)")
    #expect(titles.first?.contains("1990 – ") == true)
    talk.press("enter")
    #expect(talk.conditions.map(\.comparison) == [.atLeast, .below])
    #expect(talk.conditions.first?.values == [.integer(1_990)])
}

@Test func cutsComeOneAfterTheOther() {
    for (column, cuts) in [
        (ColumnType.date, ["months", "years", "days", "months"]),
        (.integer, ["values", "ranges", "values"]),
    ] {
        let column = ColumnDescription(name: "x", type: column)
        var cut = FacetCut.cuts(of: column)[0]
        var nouns = [cut.noun(2)]
        for _ in 1..<cuts.count {
            guard let next = cut.next(of: column) else { break }
            cut = next
            nouns.append(cut.noun(2))
        }
        #expect(nouns == cuts)
    }
    let found = FacetCut.ranges(where: ["10 – 20"], areWhole: true)
    #expect(found.next(of: ColumnDescription(name: "x", type: .real)) == .values)
    #expect(FacetCut.values.next(of: ColumnDescription(name: "x", type: .text)) == nil)
}

@Test func aChoiceThatIsTakenBackIsNotPickedAnyMore() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "#", "space", "space")
    #expect(talk.app.facets?.isPicked(.titled("audi")) == true && talk.status.contains("2 picked"))
    talk.press("g", "space")
    #expect(talk.app.facets?.isPicked(.titled("audi")) == false && talk.status.contains("1 picked"))
    #expect(talk.app.facets?.isPicked(.titled("bmw")) == true)
}

/// A number and a text may have the same title, and an infinity has a word.
@Test func aTitleOfAnyKindOfValueFindsAllThatHasIt() {
    let mixed = ColumnDescription(name: "v", type: .blob)
    func condition(_ title: String, in column: ColumnDescription) -> Condition? {
        column.conditions(of: [.titled(title)], .values)?.first
    }
    #expect(condition("1.5", in: mixed)?.values == [.real(1.5), .text("1.5")])
    #expect(condition("abc", in: mixed)?.values == [.text("abc")])
    #expect(condition("inf", in: mixed)?.values == [.real(.infinity), .text("inf")])
    #expect(condition("nan", in: mixed)?.values == [.text("nan")])
    #expect(condition("1 byte", in: mixed) == nil && condition("12 bytes", in: mixed) == nil)
    let long = String(repeating: "x", count: Limits.bytesPerTitle)
    #expect(condition(long, in: mixed)?.comparison == .beginsWith)
    let both = mixed.conditions(of: [.titled("1.5"), .titled("abc")], .values)
    #expect(both?.first?.values == [.real(1.5), .text("1.5"), .text("abc")])
    let reals = ColumnDescription(name: "r", type: .real)
    #expect(condition("-inf", in: reals)?.values == [.real(-.infinity)])
    #expect(condition("infinity", in: reals)?.values == [.text("infinity")])
}

@Test func aNumberAndATextOfOneTitleAreCountedAsOne() {
    var list = PlainCars.table
    list.columns[0] = ColumnDescription(name: "v", type: .blob)
    func page(_ counts: [(String, Int)], of total: Int) -> SectionsPage {
        var sections: [SectionSummary] = []
        for (title, count) in counts {
            sections.append(
                SectionSummary(
                    section: sections.count, title: title, first: 0, count: count, indexTitle: nil,
                    isUnknown: title == "–"))
        }
        return SectionsPage(totalRows: 20, totalSections: total, sections: sections)
    }
    func shown(_ page: SectionsPage, _ keys: FacetCommand...) -> [String] {
        var screen = FacetScreen(
            list: list, purpose: .values(column: 0), query: Query(), glyphs: Glyphs(isASCII: false))
        _ = screen.ask(height: 9)
        for key in keys { _ = screen.perform(key, height: 9) }
        _ = screen.take(page, height: 9)
        return screen.page?.sections.map { "\($0.title) \($0.count)" } ?? []
    }
    let mixed = [("2", 6), ("1", 5), ("–", 4), ("1", 3), ("x", 1), ("x", 1)]
    #expect(shown(page(mixed, of: 6)) == ["1 8", "2 6", "– 4", "x 2"])
    #expect(shown(page(mixed, of: 6), .order) == ["2 6", "1 8", "– 4", "x 2"])
    // Each alone is no value that is there twice.
    #expect(shown(page(mixed, of: 6), .repeated) == ["1 8", "2 6"])
    // Of some of them, it isn't known what the others are.
    #expect(shown(page(mixed, of: 7)).count == 6)
    let many = (0..<Limits.valuesPerCondition).map { ("\($0 / 2)", 2) }
    #expect(shown(page(many, of: many.count), .repeated).count == many.count)
}

/// Rows of two ranges have no condition in common.
@Test func oneRangeIsPickedAtMost() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "right", "#", "c", "space")
    #expect(talk.status.contains("1 picked"))
    talk.press("space")
    #expect(talk.shows("Ranges can't be picked together: pick one"))
    #expect(talk.app.facets?.picked.count == 1)
}

@Test(arguments: [0, 1]) func withoutRoomForAConditionValuesAreNotSearched(room: Int) {
    let conditions = (room..<Limits.conditionsPerQuery).map {
        Condition(column: "year", .isNoneOf, [.integer(Int64($0))])
    }
    var screen = FacetScreen(
        list: PlainCars.table, purpose: .values(column: 0),
        query: Query(conditions: conditions), glyphs: Glyphs(isASCII: false))
    _ = screen.perform(.find, height: 10)
    #expect(screen.isFinding == (room == 1))
}

@Test(arguments: [
    ["5e+15 and more"], ["5e+18 and more"], ["below -5e+18"], ["below -5e+18", "5e+18 and more"],
    ["9007199254740992 – 9007199254740994"], ["1e+18 – 1000000000000001024"], ["0.001 – 0.002"],
])
func boundsOfRangesAscendHoweverLargeTheNumbersAre(titles: [String]) {
    for areWhole in [false, true] {
        let bounds = bounds(where: titles, areWhole: areWhole)
        #expect(!bounds.isEmpty && bounds.allSatisfy(\.isFinite))
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "\(bounds)")
    }
}

private func bounds(where titles: [String], areWhole: Bool) -> [Double] {
    switch FacetCut.ranges(where: titles, areWhole: areWhole).expression {
    case .ranges(let bounds): bounds
    default: []
    }
}

/// Of whole numbers, no range is narrower than one of them.
@Test func wholeNumbersAreNotCutBetweenThem() {
    #expect(bounds(where: ["10 – 20"], areWhole: true) == (10...20).map(Double.init))
    #expect(bounds(where: ["10 – 20"], areWhole: false).count == 21)
    #expect(bounds(where: ["17 – 17.001"], areWhole: true) == [17, 18])
}

@Test func aSectionIsOpenedFromTheirList() {
    var talk = ServedApp(lists: [PlainCars.table], after: "v")
    #expect(talk.lines[0].hasPrefix(" Sections of Table  7 sections, 1,000 rows"))
    talk.press("j", "j", "enter")
    #expect(talk.app.facets == nil)
    #expect(talk.lines.contains { $0.hasPrefix("▌  M") } && talk.shows("── Buick "))
    #expect(talk.conditions.isEmpty && talk.app.list?.cursor.ordinal == 286)
}

/// Rather fewer keys than none.
@Test(arguments: [60, 64, 74, 80])
func theKeysMakeRoomForThePlace(columns: Int) {
    let size = Size(columns: columns, rows: 24)
    var talk = ServedApp(lists: [PlainCars.table], size: size, after: "right", "#", "j", "space")
    #expect(talk.status.hasPrefix(" 3 of 7   1 picked  "))
    #expect(talk.status.contains("Enter filters   ") && talk.status.contains("   ? help"))
    #expect(talk.status.contains("Tab in order") == (columns >= 74), "\(talk.status)")
    talk.press("q", "M", "j", "M", "D", "j", "j")
    #expect(talk.status.contains("fields   ") && talk.status.contains("   ? help"))
}

@Test func aListOfCellsAsksWhichColumnToCount() {
    var cells = ServedApp()
    cells.press("#", shows: "Values of")
    cells.press("enter")
    #expect(cells.lines[0].hasPrefix(" Make of Cars"))
}

/// Others change rows that no window shows.
@Test(arguments: ["#", "v"]) func countsAreThoseOfNow(key: String) {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", .key(key), "j")
    #expect(talk.lines[3].contains("143") && talk.lines[4].hasPrefix("▌  BMW"))
    let audis = talk.server.order.prefix(40)
    for rowID in audis { talk.server.cars[rowID]?[0] = .text("A Car") }
    talk.server.arrange()
    for _ in 0..<40 { talk.wait(milliseconds: 100) }
    let asked = talk.calls.count
    for _ in 0..<20 { talk.wait(milliseconds: 100) }
    #expect(talk.calls.count == asked + 1, "no more often than every two seconds")
    #expect(talk.shows("A Car") && talk.shows("103"))
    // The cursor is on the same value.
    #expect(talk.lines.contains { $0.hasPrefix("▌  BMW") })
    #expect(talk.app.tickMilliseconds ?? .max <= 2_000)
    talk.send(.disconnected(reason: "cut"))
    #expect(talk.app.layers.all.compactMap(\.dueMilliseconds).isEmpty)
}

@Test func aCountThatTakesLongIsMadeLessOften() {
    var recount = Recount()
    func asks(at time: Int) -> Bool { recount.tick(at: time) }
    #expect(!asks(at: 0) && recount.dueMilliseconds == 2_000)
    #expect(!asks(at: 1_999) && asks(at: 2_000))
    #expect(recount.dueMilliseconds == nil && !asks(at: 9_000), "one at a time")
    recount.answered()
    #expect(!asks(at: 3_000) && recount.dueMilliseconds == 23_000)
    #expect(asks(at: 23_000))
    recount.answered()
    #expect(!asks(at: 23_010) && recount.dueMilliseconds == 25_010)
}

/// What was counted before is of more use than an error.
@Test func aRecountThatFailsKeepsWhatIsShown() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "#")
    talk.isHeldUp = true
    for _ in 0..<25 { talk.wait(milliseconds: 100) }
    guard case .call(.sections(_, .facets))? = talk.actions.last else {
        Issue.record("\(talk.actions.suffix(2))")
        return
    }
    talk.fail(.busy, "busy") { if case .sections = $0 { true } else { false } }
    #expect(talk.shows("143") && talk.app.facets?.failure == nil)
    talk.isHeldUp = false
    let asked = talk.calls.count
    for _ in 0..<25 { talk.wait(milliseconds: 100) }
    #expect(talk.calls.count == asked + 1, "and it is tried again")
}

/// They are counted on the server, and fingers don't wait.
@Test func keysThatComeBeforeTheValuesMoveAmongThem() {
    var screen = FacetScreen(
        list: PlainCars.table, purpose: .values(column: 0), query: Query(),
        glyphs: Glyphs(isASCII: false))
    _ = screen.ask(height: 5)
    for _ in 0..<200 { #expect(screen.perform(.move(.down), height: 5) == []) }
    #expect(screen.perform(.move(.up), height: 5) == [])
    let sections = (0..<128).map {
        SectionSummary(section: $0, title: "v\($0)", first: $0, count: 1, indexTitle: nil)
    }
    let page = SectionsPage(totalRows: 128, totalSections: 128, sections: sections)
    _ = screen.take(page, height: 5)
    #expect(screen.selected == 100 && screen.top == 96, "a hundred are kept")
    _ = screen.take(page, height: 5)
    #expect(screen.selected == 100, "once")
}

@Test func duplicatesAreThoseThatAreSearchedFor() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "#", "tab", "d")
    #expect(talk.app.facets?.total == 7 && talk.shows("rows ▼"), "by rows, whatever was before")
    talk.press("/", "b", "u")
    #expect(talk.app.facets?.total == 1 && talk.lines[3].hasPrefix("▌  Buick"))
    talk.press("enter", "enter")
    #expect(talk.conditions.map(\.values) == [[.text("Buick")]])
}

/// Of a long text there is only the beginning, which several may have.
@Test func longTextsAmongTheDuplicatesAreSaid() {
    let glyphs = Glyphs(isASCII: false)
    func outcomes(_ titles: [String]) -> [ScreenOutcome] {
        var screen = FacetScreen(
            list: PlainCars.table, purpose: .values(column: 0), query: Query(), glyphs: glyphs)
        _ = screen.perform(.repeated, height: 20)
        let sections = titles.enumerated().map { place, title in
            SectionSummary(
                section: place, title: title, first: 2 * place, count: 2, indexTitle: nil)
        }
        _ = screen.take(
            SectionsPage(totalRows: 9, totalSections: 9, sections: sections), height: 20)
        return screen.perform(.choose, height: 20)
    }
    let long = String(repeating: "p", count: Limits.bytesPerTitle)
    let some = outcomes(["Audi", long, "Seat"])
    #expect(some.last == .say("All that more than one row has, but for long texts"))
    let both = Condition(column: "make", .isOneOf, [.text("Audi"), .text("Seat")])
    #expect(some.contains(.filter([both], column: "make")))
    #expect(outcomes([long]) == [.say("Long texts are picked one by one: d shows all values")])
}

/// A condition takes so many values: nobody takes a part of the duplicates for all.
@Test(arguments: [(1_023, false), (1_024, true)])
func moreDuplicatesThanAFilterTakesAreNotAll(count: Int, isPart: Bool) {
    let glyphs = Glyphs(isASCII: false)
    var screen = FacetScreen(
        list: PlainCars.table, purpose: .values(column: 0), query: Query(), glyphs: glyphs)
    _ = screen.perform(.repeated, height: 20)
    let sections = (0..<count).map {
        SectionSummary(section: $0, title: "v\($0)", first: 2 * $0, count: 2, indexTitle: nil)
    }
    let page = SectionsPage(totalRows: 5_000, totalSections: 2_000, sections: sections)
    _ = screen.take(page, height: 20)
    if isPart {
        let first = screen.perform(.choose, height: 20)
        #expect(
            first == [
                .say(
                    "A filter takes 1,024 values, and there are more: "
                        + "Enter again shows those of most rows, / narrows them")
            ])
    }
    let outcomes = screen.perform(.choose, height: 20)
    #expect(outcomes.first == .close && outcomes.count == 4)
    guard case .say(let words) = outcomes.last else {
        Issue.record("\(outcomes)")
        return
    }
    #expect(words.hasPrefix(isPart ? "Not all that more than one row has" : "All that more than"))
}
