import Testing
import ValetModel

@testable import ValetTerminal

@Test func aClickOnAGroupingChoosesIt() {
    var talk = ServedApp()
    for (text, grouping) in [("Year", "Year"), ("3 None", "None"), ("1 Make", "Make")] {
        talk.click(text)
        #expect(talk.app.list?.query.grouping == grouping)
    }
    talk.actions = []
    talk.click("[Make]")
    talk.click(row: 1, column: 1)
    #expect(talk.actions.isEmpty)
}

@Test func aClickOnALabelSortsAndAgainReverses() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.click("Year")
    // The grouping bears that name, too, and stands before.
    #expect(talk.app.list?.query.grouping == "Year")
    talk.click("Fuel")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "fuel")])
    talk.click("Fuel")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "fuel", isDescending: true)])
    #expect(talk.app.list?.cellColumn == 3)
    talk.click("Owner")
    #expect(talk.app.list?.query.sort.first == Query.Sort(column: "owner"))
}

@Test func aClickInATableChoosesTheCell() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.click(row: 6, column: 20)
    #expect(talk.app.list?.cursor.ordinal == 2 && talk.app.list?.cellColumn == 0)
    talk.click(row: 6, column: 4)
    #expect(talk.app.list?.cellColumn == 1 && talk.app.detail == nil)
    talk.click(row: 6, column: 4)
    #expect(talk.app.detail != nil)
}

@Test func aClickOnAHeaderLeadsToItsFirstRow() throws {
    var talk = ServedApp(after: "]")
    let bmw = try #require(talk.app.list?.cursor.ordinal)
    talk.press("k", "k")
    #expect(talk.lines[2].contains("── Audi"))
    talk.click("── BMW")
    #expect(talk.app.list?.cursor.ordinal == bmw)
    talk.press("pgdn", "pgdn")
    #expect(talk.lines[2].contains("── BMW"))
    talk.click(row: 2, column: 4)
    #expect(talk.app.list?.cursor.ordinal == bmw, "the sticky one")
}

@Test func theSearchAndItsScopesAreClicked() {
    var talk = ServedApp()
    talk.click("/ search")
    #expect(talk.app.list?.mode == .searching)
    talk.press(.text("bo"))
    talk.click("Owner ")
    #expect(talk.app.list?.query.search == Query.Search(text: "bo", scope: "Owner"))
    talk.press("enter")
    talk.click("bo ✕")
    #expect(talk.app.list?.mode == .searching)
    talk.press("enter")
    talk.click("✕")
    #expect(talk.app.list?.query.search == nil && talk.app.list?.mode == .browsing)
}

@Test func aRightClickOpensTheDrawerOfItsRow() throws {
    var talk = ServedApp()
    let rowID = talk.server.order[4]
    talk.click(row: 7, column: 10, button: 2)
    #expect(talk.rowID == rowID && talk.app.palette != nil)
    talk.click("edit ")
    #expect(talk.app.palette == nil && talk.app.form?.rowID == rowID)
}

@Test func helpAndPickersAreClicked() {
    var talk = ServedApp(after: "?")
    talk.send(bytes: "\u{1B}[<65;30;10M")
    // A heading does nothing.
    talk.click("  Change ")
    #expect(talk.app.palette != nil)
    talk.press(.text("next s"))
    talk.click("next section")
    #expect(talk.app.list?.cursor.ordinal == talk.server.runs[1].first)
    talk.press("s")
    talk.click("Fuel")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "fuel")])
    // Title and filter choose nothing, and beside the box is away from it.
    talk.press("?")
    talk.click("Keys")
    #expect(talk.app.palette != nil)
    talk.click(row: 0, column: 0)
    #expect(talk.app.palette == nil)
}

@Test func listsAreClicked() {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table])
    talk.click("Table")
    #expect(talk.app.list == nil)
    talk.click("Table")
    #expect(talk.app.list?.list.name == "table")
}

@Test func draggingTheIndexAsksOnceAtRest() {
    var talk = ServedApp()
    talk.actions = []
    talk.send(bytes: "\u{1B}[<0;80;4M")
    for row in 5...9 { talk.send(bytes: "\u{1B}[<32;80;\(row)M") }
    // Also where the hand leaves the strip.
    talk.send(bytes: "\u{1B}[<32;40;8M")
    let place = talk.app.list?.view.index[4].first
    #expect(talk.app.list?.cursor.ordinal == place)
    #expect(talk.actions.isEmpty)
    talk.send(bytes: "\u{1B}[<0;80;8m")
    #expect(talk.actions.count == 1)
    #expect(talk.rowID == talk.server.order[place ?? 0])
    // A hand that rests sees where it is.
    talk.actions = []
    talk.send(bytes: "\u{1B}[<0;80;4M\u{1B}[<32;80;5M")
    #expect(talk.actions.isEmpty && talk.app.wantsTicks)
    talk.wait(milliseconds: 300)
    #expect(talk.actions.count == 1)
    talk.wait(milliseconds: 300)
    #expect(talk.actions.count == 1)
}

@Test(arguments: [("20", 19), ("1,000", 999), ("50%", 500), ("9999999", 999)])
func thePaletteTakesRowNumbersAndPercentages(text: String, ordinal: Int) {
    var talk = ServedApp(after: "?", .text(text))
    #expect(talk.shows("go to "))
    talk.press("enter")
    #expect(talk.app.palette == nil && talk.app.list?.cursor.ordinal == ordinal)
    // In the pickers numbers are text.
    talk.press("s", .text("20"), shows: "No matches")
}

@Test func aSectionIsFoundByAPartOfItsTitle() {
    let talk = ServedApp(after: "'", .text("olv"))
    let volvo = talk.server.runs.first { $0.title == "Volvo" }
    #expect(talk.app.list?.cursor.ordinal == volvo?.first)
}

@Test func twinsAreToldApartBeforeOneIsDeleted() {
    var talk = ServedApp(after: "d")
    #expect(talk.shows("Delete “1990 Audi M0”?"))
    talk.press("esc")
    let second = talk.server.order[1]
    let cells = talk.server.cars[talk.rowID]
    talk.server.cars[second] = cells
    talk.press("r", "d", shows: "Delete “1990 Audi M0”, row \(talk.rowID)?")
}

@Test func inASCIITheWordsAndPicturesOfACatalogAreToo() {
    var list = PlainCars.cars
    list.groupings[0].name = "A–Z"
    list.cell.image = .symbol("🚗", selected: nil)
    let talk = ServedApp(lists: [list], options: AppOptions(isASCII: true))
    #expect(talk.lines[1].contains("[A-Z]"))
    #expect(talk.lines[4].hasPrefix("   *  2009 Audi"))
}

@Test func theMouseIsTurnedOffAndOnInTheHelp() {
    var talk = ServedApp(options: AppOptions(hasMouse: true))
    talk.press("?", .text("mouse on"), "enter")
    #expect(talk.actions.last == .terminal(.useMouse(false)))
    #expect(talk.status.contains("drag to select text"))
    talk.press("f2")
    #expect(talk.actions.last == .terminal(.useMouse(true)))
}

@Test func theMouseSelectsOpensAndScrolls() {
    var talk = ServedApp()
    let click = AppEvent.mouse(MouseEvent(.press(.left), row: 6, column: 10))
    talk.send(click)
    #expect(talk.app.list?.cursor.ordinal == 3 && talk.app.detail == nil)
    talk.send(click)
    #expect(talk.app.detail?.row.id == talk.server.order[3])
    talk.press("q")
    let before = talk.app.list?.cursor
    talk.send(.mouse(MouseEvent(.wheelDown, row: 6, column: 10)))
    #expect(talk.app.list?.cursor.rowID == before?.rowID)
    #expect(talk.app.list?.cursor.line == 1)
    talk.send(.mouse(MouseEvent(.wheelDown, row: 6, column: 10)))
    #expect(talk.app.list?.cursor.ordinal == 6)
    talk.send(.mouse(MouseEvent(.press(.left), row: 5, column: 79)))
    #expect(talk.app.list?.cursor.ordinal == talk.app.list?.view.index[2].first)
    talk.send(.mouse(MouseEvent(.press(.left), row: 2, column: 79)))
    #expect(talk.app.list?.mode == .searching)
}
