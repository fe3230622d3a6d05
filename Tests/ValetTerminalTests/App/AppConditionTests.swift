import Testing
import ValetModel

@testable import ValetTerminal

/// A table after these conditions were typed.
private func filtered(by conditions: String..., options: AppOptions = AppOptions()) -> ServedApp {
    var talk = ServedApp(lists: [PlainCars.table], options: options)
    for condition in conditions { talk.press("f", .text(condition), "enter") }
    return talk
}

@Test func aConditionIsTypedAndShownAsAChip() {
    var talk = ServedApp(lists: [PlainCars.table], after: "f", .text("year>=2015"))
    #expect(talk.status.hasPrefix(" filter year>=2015"))
    #expect(talk.lines[talk.lines.count - 2].contains("Enter filters"))
    talk.press("enter")
    #expect(talk.conditions == [Condition(column: "year", .atLeast, [.integer(2_015)])])
    #expect(talk.lines[2].contains(" year ≥ 2015 ✕"))
    #expect(talk.lines[0].contains("165 of 1,000"))
    #expect(talk.app.list?.total == 165)
    // One more narrows it, and Esc takes the newest back.
    talk.press("f", .text("make = bmw, fiat"), "enter")
    #expect(talk.conditions.count == 2)
    #expect(talk.lines[2].contains(" year ≥ 2015 ✕   make = bmw, fiat ✕"))
    talk.press("esc")
    #expect(talk.conditions.count == 1)
    talk.press("esc")
    #expect(talk.conditions.isEmpty && talk.app.list?.total == 1_000)
    #expect(!talk.lines[2].contains("✕"))
}

@Test func aMistakeIsSaidAtItsPlaceAndNothingIsAsked() {
    var talk = ServedApp(lists: [PlainCars.table], after: "f", .text("year>=abc"))
    let before = talk.app.list?.view.generation
    talk.press("enter")
    #expect(talk.app.list?.view.generation == before && talk.conditions.isEmpty)
    func caret() -> Int? {
        let line = talk.lines[talk.lines.count - 2]
        return line.firstIndex(of: "▾").map { line.distance(from: line.startIndex, to: $0) }
    }
    #expect(caret() == " filter year>=".count)
    // Whole, above the caret where it has no room behind it.
    let words = talk.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.contains("and “abc” is not one (put it in quotes to compare it as text)"))
    talk.press("^U", .text("yr = 1"))
    #expect(talk.lines[talk.lines.count - 2] == "        ▾ there is no column “yr”")
    talk.press("^U", .text("year = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, x"))
    let typed = talk.status
    let x = typed.firstIndex(of: "x").map { typed.distance(from: typed.startIndex, to: $0) }
    #expect(caret() == x && talk.shows("and “x” is not one"))
    talk.press("esc")
    #expect(talk.conditions.isEmpty && talk.status.contains("1 of 1,000"))
}

@Test func columnsOperatorsAndValuesAreCompleted() {
    var talk = ServedApp(lists: [PlainCars.table], after: "f", "m", "a", "tab")
    #expect(talk.status.hasPrefix(" filter make"))
    let offered = talk.lines.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    for comparison in Comparison.comparisons(of: ColumnDescription(name: "make", type: .text)) {
        let spelling = comparison.spelling
        #expect(offered.contains { $0.hasPrefix(spelling) }, "\(spelling): a text has it")
    }
    talk.press("tab")
    #expect(talk.status.hasPrefix(" filter make ="))
    #expect(talk.shows("Citroën"), "the values that there are")
    talk.press(.text("vo"))
    #expect(talk.shows("Volvo") && !talk.shows("Škoda  "))
    talk.press("down", shows: "▌Volvo")
    talk.press("enter")
    #expect(talk.status.hasPrefix(" filter make = Volvo"), "chosen first")
    talk.press("enter")
    #expect(talk.conditions == [Condition(column: "make", .isOneOf, [.text("Volvo")])])
}

@Test(arguments: 1...5) func completionsThatHaveNoRoomAreScrolledToTheChosenOne(steps: Int) {
    var talk = ServedApp(lists: [PlainCars.table], size: Size(columns: 60, rows: 8), rows: 50)
    talk.press("f")
    let shown = talk.lines.count { $0.hasSuffix(" text") || $0.contains(" integer") }
    #expect(shown < 5, "not all have room")
    for _ in 0..<steps { talk.press("down") }
    let marked = talk.lines.compactMap { line in
        line.dropFirst().firstIndex(of: "▌").map { line[$0...].dropFirst() }
    }
    let name = marked.first?.prefix { $0 != " " } ?? ""
    #expect(marked.count == 1 && !name.isEmpty, "\(steps) steps")
    talk.press("tab")
    #expect(talk.status.hasPrefix(" filter \(name)"), "\(steps) steps")
}

@Test func theValueOfACellFilters() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "=")
    #expect(talk.conditions == [Condition(column: "make", .isOneOf, [.text("Audi")])])
    talk.press("\\")
    #expect(talk.conditions.isEmpty)
    talk.press("!")
    #expect(talk.conditions == [Condition(column: "make", .isNoneOf, [.text("Audi")])])
    talk.press("g", "!")
    #expect(
        talk.conditions == [Condition(column: "make", .isNoneOf, [.text("Audi"), .text("BMW")])],
        "one more that is left out")
    talk.press("\\", "\\", says: "No filters")
    // What is missing is compared with nothing.
    talk.server.cars[1]?[2] = .null
    talk.press("r", "right", ":", .text("\((talk.server.order.firstIndex(of: 1) ?? 0) + 1)"))
    talk.press("enter", "=")
    #expect(talk.conditions == [Condition(column: "year", .isMissing)])
}

@Test func conditionsAreEditedAndDropped() {
    var talk = filtered(by: "year>=2000", "make=bmw")
    talk.press("F", shows: "edit  year ≥ 2000", "drop  make = bmw")
    talk.press("enter")
    #expect(talk.status.hasPrefix(" filter year ≥ 2000"))
    talk.press("backspace", .text("5"), "enter")
    #expect(talk.conditions.first == Condition(column: "year", .atLeast, [.integer(2_005)]))
    #expect(talk.conditions.count == 2)
    // The cross of a chip drops it, and the rest of it is edited.
    talk.click("✕")
    #expect(talk.conditions == [Condition(column: "make", .isOneOf, [.text("bmw")])])
    talk.send(.mouse(MouseEvent(.press(.left), row: 2, column: 4)))
    #expect(talk.status.hasPrefix(" filter make = bmw"))
    talk.press("esc")
}

/// They aren't written at each frame.
@Test func theTextsOfChipsAreThoseOfTheQuery() {
    var talk = filtered(by: "year>=2000", "make=bmw")
    func texts() -> [String]? { talk.app.list?.typed.conditionTexts }
    #expect(texts() == ["year ≥ 2000", "make = bmw"])
    talk.press("esc")
    #expect(texts() == ["year ≥ 2000"])
    talk.press("\\")
    #expect(texts() == [])
    let condition = Condition(column: "year", .isMissing)
    let options = AppOptions(query: Query(conditions: [condition]))
    talk = ServedApp(lists: [PlainCars.table], options: options)
    #expect(texts() == ["year missing"])
}

/// A condition may end with an x.
@Test func theCrossOfAChipIsInBracketsInASCII() {
    let options = AppOptions(isASCII: true)
    var talk = filtered(by: "model contains x", "make present", options: options)
    #expect(talk.lines[2].hasPrefix("  model contains x [x]   make present [x]"))
    for column in [2, 17] {
        talk.send(.mouse(MouseEvent(.press(.left), row: 2, column: column)))
        #expect(talk.status.hasPrefix(" filter model contains x"), "column \(column)")
        talk.press("esc")
    }
    talk.send(.mouse(MouseEvent(.press(.left), row: 2, column: 20)))
    #expect(talk.conditions.map(\.column) == ["make"])
    talk.press("/", .text("bmw"), "enter")
    #expect(talk.lines[1].contains(" bmw [x] "))
}

@Test func aWordForDatesIsPointedOutWhereThereAreNone() {
    var talk = ServedApp(lists: [PlainCars.table], after: "f", .text("make = today"))
    #expect(talk.shows(" “today” is compared as text: “make” is not a date column"))
    #expect(talk.shows(" type: date)"), "whole")
    talk.press("enter")
    #expect(talk.conditions == [Condition(column: "make", .isOneOf, [.text("today")])])
}

@Test func noRowsSaysWhichConditionsHold() {
    let talk = ServedApp(lists: [PlainCars.table], after: "f", .text("year < 1900"), "enter")
    #expect(talk.shows("No rows of Table meet year < 1900."))
    #expect(talk.lines[0].contains("0 of 1,000"))
}

@Test func aPasteIsTypedIntoTheCondition() {
    let talk = ServedApp(lists: [PlainCars.table], after: "f", .paste("year = 1999\n"), "enter")
    #expect(talk.conditions == [Condition(column: "year", .isOneOf, [.integer(1_999)])])
}

/// What stands at the prompt.
private func typed(_ talk: ServedApp) -> String {
    String(talk.status.dropFirst(" filter ".count).reversed().drop { $0 == " " }.reversed())
}

@Test func earlierConditionsComeBackNewestFirst() {
    var talk = ServedApp(lists: [PlainCars.table], after: "f", "up")
    #expect(typed(talk).isEmpty, "there are none")
    talk.press("esc")
    for text in ["year>=2000", "make=bmw", "year>=2000", "owner missing"] {
        talk.press("f", .text(text), "enter", "\\")
    }
    // A condition that was made from a cell is one of them.
    talk.press("right", "=", "f", shows: "↑ earlier")
    talk.press(.text("mod"))
    var seen: [String] = []
    for _ in 0..<6 {
        talk.press("up")
        seen.append(typed(talk))
    }
    // Each once, and the oldest stays.
    #expect(
        seen == ["make = Audi", "owner missing", "year>=2000", "make=bmw", "make=bmw", "make=bmw"])
    for text in ["year>=2000", "owner missing", "make = Audi", "mod"] {
        talk.press("down")
        #expect(typed(talk) == text)
    }
    // Behind the draft the arrow goes into the completions, and out of them.
    talk.press("down", shows: "▌model")
    talk.press("up")
    #expect(typed(talk) == "mod" && !talk.lines.contains { $0.contains("▌model") })
    talk.press("up", "up", "enter")
    #expect(talk.conditions.contains(Condition(column: "owner", .isMissing)))
}

@Test func anEarlierConditionThatIsChangedIsADraft() {
    var talk = filtered(by: "year>=2000", "make=bmw")
    talk.press("f", "up", "up", "backspace", "up")
    #expect(typed(talk) == "make=bmw")
    talk.press("down")
    #expect(typed(talk) == "year>=200")
    // What is edited is itself the newest, and no step.
    talk.press("esc", "F", "down", "enter")
    #expect(typed(talk) == "make = bmw")
    talk.press("up")
    #expect(typed(talk) == "make=bmw")
}

@Test func theHistoryIsBoundedAndOfOneList() {
    var history = PromptHistory()
    for number in 0..<60 { history.add("\(number)") }
    history.begin()
    var seen: [String] = []
    var shown = "draft"
    while let text = history.previous(to: shown) {
        seen.append(text)
        shown = text
    }
    #expect(seen.count == 50 && seen.first == "59" && seen.last == "10")
    var other = PlainCars.table
    other.name = "other"
    var talk = ServedApp(lists: [PlainCars.table, other])
    talk.press("enter", "f", .text("year>=2000"), "enter", "q", "j", "enter", "f", "up")
    #expect(typed(talk).isEmpty)
    talk.press("esc", "q", "k", "enter", "f", "up")
    #expect(typed(talk) == "year>=2000")
}

/// No row has `bm`, and only one value begins so. A number is meant as it is typed.
@Test(arguments: [
    ("make = bm", Cell.text("BMW")), ("make = b", .text("b")), ("make = \"bm\"", .text("bm")),
    ("year = 200", .integer(200)),
])
func theOnlyValueThatBeginsSoIsMeant(typed: String, value: Cell) {
    var talk = ServedApp(lists: [PlainCars.table], after: "f", .text(typed))
    talk.press("enter")
    #expect(talk.conditions.map(\.values) == [[value]])
}

@Test func noRowsSayWhatMayHaveBeenMeant() {
    let talk = ServedApp(
        lists: [PlainCars.table], size: Size(columns: 120, rows: 24), after: "f",
        .text("year between 2010 and 2005"), "enter")
    #expect(talk.shows("No rows of Table: between takes the lower value first: year between 2005"))
}
