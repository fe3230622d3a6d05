import Foundation
import Testing
import ValetModel

@testable import ValetTerminal

private func asked(_ talk: ServedApp) -> [Condition] { talk.app.list?.question.conditions ?? [] }

@Test func aConditionIsTypedAndShownAsAChip() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press("f")
    talk.type("year>=2015")
    #expect(talk.status.hasPrefix(" filter year>=2015"))
    #expect(talk.lines[talk.lines.count - 2].contains("Enter filters"))
    talk.press("enter")
    #expect(asked(talk) == [Condition(column: "year", .atLeast, [.integer(2_015)])])
    #expect(talk.lines[2].contains(" year ≥ 2015 ✕"))
    #expect(talk.lines[0].contains("165 of 1,000"))
    #expect(talk.app.list?.total == 165)
    // One more narrows it, and Esc takes the newest back.
    talk.press("f")
    talk.type("make = bmw, fiat")
    talk.press("enter")
    #expect(asked(talk).count == 2)
    #expect(talk.lines[2].contains(" year ≥ 2015 ✕   make = bmw, fiat ✕"))
    talk.press("esc")
    #expect(asked(talk).count == 1)
    talk.press("esc")
    #expect(asked(talk).isEmpty && talk.app.list?.total == 1_000)
    #expect(!talk.lines[2].contains("✕"))
}

@Test func whatIsWrongIsSaidAtItsPlaceAndNothingIsAsked() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press("f")
    talk.type("year>=abc")
    let before = talk.app.list?.generation
    talk.press("enter")
    #expect(talk.app.list?.generation == before && asked(talk).isEmpty)
    let note = talk.lines[talk.lines.count - 2]
    let caret = note.firstIndex(of: "▾").map { note.distance(from: note.startIndex, to: $0) }
    #expect(caret == " filter year>=".count)
    #expect(note.contains("abc"))
    talk.press("esc")
    #expect(asked(talk).isEmpty && talk.status.contains("1 of 1,000"))
}

@Test func columnsOperatorsAndValuesAreCompleted() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press("f", "m", "a", "tab")
    #expect(talk.status.hasPrefix(" filter make"))
    #expect(talk.shows("contains"), "operators that a text has")
    talk.press("tab")
    #expect(talk.status.hasPrefix(" filter make ="))
    #expect(talk.shows("Citroën"), "the values that there are")
    talk.type("vo")
    #expect(talk.shows("Volvo") && !talk.shows("Škoda  "))
    talk.press("down")
    #expect(talk.lines.contains { $0.contains("▌Volvo") })
    talk.press("enter")
    #expect(talk.status.hasPrefix(" filter make = Volvo"), "chosen first")
    talk.press("enter")
    #expect(asked(talk) == [Condition(column: "make", .isOneOf, [.text("Volvo")])])
}

@Test func theValueOfACellFilters() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press("right", "=")
    #expect(asked(talk) == [Condition(column: "make", .isOneOf, [.text("Audi")])])
    talk.press("\\")
    #expect(asked(talk).isEmpty)
    talk.press("!")
    #expect(asked(talk) == [Condition(column: "make", .isNoneOf, [.text("Audi")])])
    talk.press("g", "!")
    #expect(
        asked(talk) == [Condition(column: "make", .isNoneOf, [.text("Audi"), .text("BMW")])],
        "one more that is left out")
    talk.press("\\", "\\")
    #expect(talk.status.contains("No condition holds"))
    // What is missing is compared with nothing.
    talk.server.cars[1]?[2] = .null
    talk.press("r", "right", ":")
    talk.type("\((talk.server.order.firstIndex(of: 1) ?? 0) + 1)")
    talk.press("enter", "=")
    #expect(asked(talk) == [Condition(column: "year", .isMissing)])
}

@Test func conditionsAreEditedAndDropped() {
    var talk = ServedApp(lists: [PlainCars.table])
    for text in ["year>=2000", "make=bmw"] {
        talk.press("f")
        talk.type(text)
        talk.press("enter")
    }
    talk.press("F")
    #expect(talk.shows("edit  year ≥ 2000") && talk.shows("drop  make = bmw"))
    talk.press("enter")
    #expect(talk.status.hasPrefix(" filter year ≥ 2000"))
    talk.press("backspace")
    talk.type("5")
    talk.press("enter")
    #expect(asked(talk).first == Condition(column: "year", .atLeast, [.integer(2_005)]))
    #expect(asked(talk).count == 2)
    // The cross of a chip drops it, and the rest of it is edited.
    let chips = talk.lines[2]
    let cross = chips.firstIndex(of: "✕").map { chips.distance(from: chips.startIndex, to: $0) }
    talk.send(.mouse(MouseEvent(.press(.left), row: 2, column: cross ?? 0)))
    #expect(asked(talk) == [Condition(column: "make", .isOneOf, [.text("bmw")])])
    talk.send(.mouse(MouseEvent(.press(.left), row: 2, column: 4)))
    #expect(talk.status.hasPrefix(" filter make = bmw"))
    talk.press("esc")
}

@Test func noRowsSaysWhichConditionsHold() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press("f")
    talk.type("year < 1900")
    talk.press("enter")
    #expect(talk.shows("No table meet year < 1900."))
    #expect(talk.lines[0].contains("0 of 1,000"))
}

@Test func aPasteIsTypedIntoTheCondition() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press("f")
    talk.send(.paste("year = 1999\n"))
    talk.press("enter")
    #expect(asked(talk) == [Condition(column: "year", .isOneOf, [.integer(1_999)])])
}
