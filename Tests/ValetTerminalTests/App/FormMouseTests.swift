import Testing
import ValetModel

@testable import ValetTerminal

/// The mouse over the form: pickers, wheels and questions. It is 2026-11-22 11:30 UTC.
@Suite struct FormMouseTests {
    private static let others = [PlainCars.fleet]

    private static func times() -> ServedApp {
        var talk = ServedApp.cars(and: others) { $0.columns[1].editor = .moment(.time) }
        talk.press("enter")
        talk.server.cars[talk.rowID]?[1] = .text("11:30")
        talk.press("e", "tab", "enter")
        return talk
    }

    private static func place(of text: String, in talk: ServedApp) throws -> Position {
        try #require(talk.app.draw().place(of: text), "“\(text)” is not there")
    }

    private static func wheel(_ kind: MouseEvent.Kind, at place: Position) -> AppEvent {
        .mouse(MouseEvent(kind, row: place.row, column: place.column))
    }

    // MARK: Wheels

    @Test func aClickTurnsAWheelToItsLineAndAnotherTakes() {
        var talk = Self.times()
        talk.click("13   ")
        #expect(talk.shows("▌13    •30"))
        #expect(talk.shows("•11     28"), "what stood in the field stays marked")
        talk.click("29  ")
        #expect(talk.shows(" 13    ▌29") && talk.app.wheels?.focus == 1)
        talk.click("13    ▌")
        #expect(talk.shows("▌13     29") && talk.app.wheels != nil, "first it gets the keys")
        talk.click("▌13")
        #expect(talk.app.wheels == nil && talk.shows("• Model ▾  13:29"))
    }

    @Test func theMousesWheelTurnsTheWheelUnderIt() throws {
        var talk = Self.times()
        let minutes = try Self.place(of: "•30", in: talk)
        talk.send(Self.wheel(.wheelDown, at: minutes))
        #expect(talk.shows("•11    ▌31"))
        let hours = try Self.place(of: "•11", in: talk)
        talk.send(Self.wheel(.wheelUp, at: hours))
        talk.send(Self.wheel(.wheelUp, at: Position(row: 0, column: 0)))
        #expect(talk.shows("▌09     31"), "elsewhere it turns the one that has the keys")
    }

    @Test func itsWordsAndWhatIsBesideTheBoxAreClicked() {
        var talk = Self.times()
        talk.click("13   ")
        talk.click("↑↓ turn")
        talk.click("Hour")
        #expect(talk.app.wheels != nil)
        talk.click("Enter pick   Esc")
        #expect(talk.shows("• Model ▾  13:30"))
        talk.press("enter")
        talk.click("12  ")
        talk.click("Esc back")
        #expect(talk.app.wheels == nil && talk.shows("• Model ▾  13:30"))
        talk.press("enter")
        talk.click(row: 0, column: 0)
        #expect(talk.app.wheels == nil && talk.shows("• Model ▾  13:30"))
    }

    @Test func withoutColourTheWheelThatHasTheKeysIsMarked() {
        var talk = Self.times()
        #expect(talk.shows("▌11    •30"), "both as they stood in the field")
        talk.press("right", "down", shows: "•11    ▌31", "•30")
        var screen = Screen(size: .standard, isASCII: true)
        talk.app.wheels?.draw(on: &screen, glyphs: Glyphs(isASCII: true))
        #expect(screen.text.contains("+11    >31"))
    }

    // MARK: Choices and lists

    @Test func aClickSelectsAChoiceAndAnotherTakesIt() throws {
        var talk = ServedApp.cars(and: Self.others) {
            $0.columns[1].editor = .choices((1...40).map { .text("choice \($0)") })
        }
        talk.press("enter", "+", "tab", "enter")
        talk.click("choice 9 ")
        #expect(talk.app.palette != nil && talk.shows("▌    choice 9"))
        // It has not moved away under the mouse.
        talk.click("choice 9 ")
        #expect(talk.app.palette == nil && talk.shows("• Model ▾  choice 9"))
        talk.press("enter")
        let first = try Self.place(of: "choice 4", in: talk)
        for _ in 0..<20 { talk.send(Self.wheel(.wheelDown, at: first)) }
        talk.click("▌    choice 29")
        #expect(talk.app.palette == nil && talk.shows("• Model ▾  choice 29"))
    }

    @Test func theListInTheBoxTakesTheMouse() throws {
        var talk = ServedApp.cars(and: Self.others) {
            $0.columns[4].editor = .list(name: "cars", valueColumn: "model")
        }
        talk.press("enter", "+", .times(4, "tab"), "enter")
        let box = try Self.place(of: "Pick from", in: talk)
        let line = Position(row: box.row + 8, column: box.column + 10)
        talk.send(Self.wheel(.wheelDown, at: line))
        #expect(talk.app.frontList?.cursor.ordinal ?? 0 > 0, "the view moves")
        talk.click(row: line.row, column: line.column)
        #expect(talk.app.picker != nil)
        let model = talk.server.cars[talk.rowID]?[1] ?? .null
        let shown = talk.lines[line.row]
        #expect(shown.contains("▌") && model != .null)
        talk.click(row: line.row, column: line.column, button: 2)
        #expect(talk.app.palette == nil, "no drawer")
        talk.click(row: line.row, column: line.column)
        #expect(talk.app.picker == nil && talk.app.form?.cells[4] == model)
        talk.press("enter")
        talk.click(row: 0, column: 0)
        #expect(talk.app.picker == nil && talk.app.form != nil, "beside the box")
    }

    // MARK: Queries

    @Test(arguments: [80, 34]) func theAnswersOfAQuestionAreClicked(columns: Int) {
        var talk = ServedApp(size: Size(columns: columns, rows: 24), after: "j", "d")
        talk.click("Delete “")
        talk.click(row: 5, column: 5)
        #expect(talk.app.confirmation != nil, "the question is no answer, nor is the list")
        talk.click("[Keep]")
        #expect(talk.app.confirmation == nil && talk.submitted.isEmpty)
        let rowID = talk.rowID
        talk.press("d")
        talk.click("y Delete")
        #expect(talk.app.confirmation == nil && talk.server.cars[rowID] == nil)
    }

    @Test func aFormIsDiscardedOrKeptByAClick() {
        var talk = ServedApp(after: "e", "x", "esc")
        talk.click("[Keep editing]")
        #expect(talk.app.form?.changeCount == 1)
        talk.press("esc")
        talk.click("y Discard")
        #expect(talk.app.form == nil && talk.submitted.isEmpty)
    }
}
