import Testing
import ValetModel

@testable import ValetTerminal

private func fleet(rows: Int = 1_000) -> ServedApp {
    var list = PlainCars.fleet
    list.actions = [RowAction(name: "Wash", effect: .set(column: 5, .integer(1)))]
    return ServedApp(lists: [list], rows: rows)
}

private func marked(_ talk: ServedApp) -> Int { talk.lines.count { $0.contains("◆") } }

@Test func spaceSelectsAndGoesOn() {
    var talk = fleet()
    let ids = talk.server.order.prefix(3)
    talk.press("space", "space", "space")
    #expect(talk.app.list?.selection.rowIDs == Array(ids))
    #expect(talk.app.list?.cursor.ordinal == 3)
    #expect(marked(talk) == 3 && talk.status.contains("   3 selected"))
    // Again puts it back.
    talk.press("g", "space")
    #expect(talk.app.list?.selection.rowIDs == Array(ids.dropFirst()))
    talk.press("X")
    #expect(marked(talk) == 0 && talk.status.contains("2 rows no longer selected"))
    talk.press("X", says: "Nothing is selected")
    let ascii = ServedApp(options: AppOptions(isASCII: true), after: "space")
    #expect(ascii.lines[3].hasPrefix("  *1990 Audi"))
}

@Test func theSelectionOutlivesQueriesAndDropsWhatIsGone() {
    var talk = fleet()
    let ids = Array(talk.server.order.prefix(3))
    talk.press("space", "space", "space", "2", "/", .text("volvo"), "enter", "esc", "1", "g")
    #expect(talk.app.list?.selection.rowIDs == ids)
    // Somebody else deletes one of them, not the cursor's.
    talk.press("G", "g", "j")
    talk.others(.delete(ids[0], ids[2]))
    #expect(talk.app.list?.selection.rowIDs == [ids[1]])
    // One that only goes to another place stays.
    talk.others(.set(ids[1], 0, .text("Volvo")))
    #expect(talk.app.list?.selection.rowIDs == [ids[1]])
}

@Test func allThatMatchIsSelectedUpToALimit() {
    var talk = fleet()
    talk.press("/", .text("volvo"), "enter", "*")
    #expect(talk.app.list?.selection.rowIDs == talk.server.order)
    #expect(talk.status.contains("\(talk.server.order.count) rows selected"))
    var large = fleet(rows: Limits.rowsPerSelection + 1)
    large.actions = []
    large.press("*")
    #expect(large.actions.isEmpty && large.app.list?.selection.isEmpty == true)
    #expect(large.app.message?.contains("10,001 rows match. At most 10,000 can be") == true)
    // An answer to an earlier query selects nothing.
    talk.press("X")
    talk.pressHeldUp("*", "2")
    talk.deliver()
    #expect(talk.app.list?.selection.isEmpty == true)
}

@Test func rowsOfAListThatWasLeftAreNotSpokenOfElsewhere() {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table], after: "enter")
    talk.pressHeldUp("*", "q", "j", "enter")
    talk.app.message = nil
    talk.deliver()
    #expect(talk.app.list?.list.name == PlainCars.table.name)
    #expect(talk.app.message == nil)
}

@Test func rowsThatCannotBeSelectedAreNot() {
    var talk = ServedApp(lists: [PlainCars.fleet.with { $0.cell.selectableColumn = 5 }])
    let first = talk.rowID
    talk.server.cars[first]?[5] = .integer(0)
    talk.press("r", "space")
    #expect(talk.app.list?.selection.isEmpty == true)
    #expect(talk.status.contains("This row can't be selected"))
    talk.press("*")
    #expect(talk.app.list?.selection.count == 999)
    #expect(talk.app.list?.selection.contains(first) == false)
}

@Test func allSelectedAreDeletedByOneCommandAfterOneQuestion() {
    var talk = fleet()
    let ids = Array(talk.server.order.prefix(2))
    talk.press("space", "space", "G", "d")
    #expect(talk.shows("Delete 2 rows that are not on the screen?") && talk.shows("[Keep]"))
    talk.press("enter")
    #expect(talk.submitted.isEmpty)
    talk.press("d", "y")
    #expect(talk.submitted == [.delete(ids.map { RowDeletion(rowID: $0) })])
    #expect(talk.server.cars[ids[0]] == nil && talk.server.cars[ids[1]] == nil)
    #expect(talk.status.contains("Deleted 2 rows"))
    #expect(talk.app.list?.selection.isEmpty == true)
    talk.press("u")
    #expect(talk.server.cars.count == 1_000)
    #expect(talk.status.contains("Undone: deletion of 2 rows"))
    talk.press("space", "d", "y", says: "Deleted 1 row")
    talk.press("u", says: "Undone: deletion of 1 row")
}

@Test func checksAndActionsAreMadeOnAllSelected() {
    var talk = fleet()
    let ids = Array(talk.server.order.prefix(2))
    talk.press("space", "space", "x", shows: "Check 2 rows?")
    talk.press("y")
    #expect(ids.allSatisfy { talk.server.cars[$0]?[5] == .integer(1) })
    talk.press("x", shows: "Uncheck 2 rows?")
    talk.press("y")
    #expect(ids.allSatisfy { talk.server.cars[$0]?[5] == .integer(0) })
    talk.press(".", shows: "2 selected")
    #expect(!talk.shows(" edit") && talk.shows(" delete"), "what is done to one row")
    talk.press(.text("wash"), "enter", shows: "Wash: 2 rows?")
    talk.press("y")
    #expect(ids.allSatisfy { talk.server.cars[$0]?[5] == .integer(1) })
    #expect(talk.submitted.count == 3)
    talk.press("u")
    #expect(ids.allSatisfy { talk.server.cars[$0]?[5] == .integer(0) })
}

/// The cursor has moved on from the rows that were selected.
@Test func anEditIsOfAllThatAreSelected() {
    var talk = fleet()
    let ids = Array(talk.server.order.prefix(2))
    let before = ids.map { talk.server.cars[$0]?[2] }
    talk.press("space", "space", "e", says: ":set")
    #expect(talk.app.form == nil)
    talk.press(.text("ye"), "tab", says: ":set year =")
    let problem = "Year: a whole number, such as 2019"
    talk.press(.text("x"), "enter", shows: problem, says: ":set year = x")
    #expect(talk.submitted.isEmpty)
    talk.press("backspace", .text("1999"), "enter", shows: "Year = 1999: 2 rows?")
    talk.press("y", says: "Year = 1999: 2 rows")
    #expect(ids.allSatisfy { talk.server.cars[$0]?[2] == .integer(1999) })
    #expect(talk.submitted.count == 1)
    talk.press("u", says: "Undone: Year = 1999: 2 rows")
    #expect(ids.map { talk.server.cars[$0]?[2] } == before)
    talk.press("X", "e")
    #expect(talk.app.form != nil)
}

/// What is done to rows out of sight is not done unseen.
@Test func theQuestionSaysWhichRowsAreNotOnTheScreen() {
    var talk = fleet()
    talk.press("space", "space", "d", shows: "Delete 2 rows?")
    talk.press("n", "G", "d", shows: "Delete 2 rows that are not on the screen?")
    talk.press("n", "space", "d", shows: "Delete 3 rows, 2 of them not on the screen?")
}

/// A person who has gone to a column is about to set that one.
@Test func anEditOfAllThatAreSelectedIsOfTheChosenColumn() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press("space", "space", "l", "e", says: ":set make =")
    talk.press(.text("Saab"), "enter", shows: "2 rows?")
    talk.press("y")
    #expect(talk.submitted.count == 1)
}

@Test(arguments: [
    ("wheels = 4", "There is no column “wheels”"), ("year", "set takes a column and a value"),
    ("= 4", "There is no column “”"), ("year =", ""), ("Owner = = x", ""),
])
func anAssignmentIsUnderstoodOrStays(typed: String, words: String) {
    var talk = fleet()
    talk.press("space", ":", .text("set " + typed), "enter")
    #expect(words.isEmpty || talk.shows(words))
    #expect(talk.status.contains(":set " + typed) == !words.isEmpty, "\(talk.status)")
    #expect((talk.app.confirmation == nil) == !words.isEmpty)
    talk.press("n", "esc", "X", ":", .text("set year = 1"), "enter", shows: "Nothing is selected")
    #expect(talk.submitted.isEmpty)
}

@Test func aRowThatSomebodyElseDeletedLeavesTheSelectionWithTheConflict() {
    var talk = fleet()
    let ids = Array(talk.server.order.prefix(2))
    talk.press("space", "space", "G")
    talk.server.cars[ids[0]] = nil
    talk.server.nextVerdict = .conflict([Conflict(ids[0], .rowDeleted)])
    talk.press("d", "y", says: "Not deleted: bo has deleted one of the rows")
    #expect(talk.app.list?.selection.rowIDs == [ids[1]])
}

@Test func copyingTakesAllSelectedRowsAndSaysWhatIsCut() throws {
    var talk = fleet(rows: 1_200)
    let ids = Array(talk.server.order.prefix(2))
    talk.server.cars[ids[0]]?[0] = .text("two\n\"lines\"")
    talk.press("r", "space", "space", "Y")
    let copied = try #require(talk.actions.last?.copied)
    #expect(copied.hasSuffix("\n") && copied.contains("\t\"two\n\"\"lines\"\"\"\t"))
    #expect(copied.split(separator: "\n").count >= 2)
    #expect(talk.status.contains("Copied 2 rows, "))
    talk.press("*", "Y", says: "Copied 1,200 rows, ")
    // As many as there is room for.
    for id in talk.server.cars.keys {
        talk.server.cars[id]?[0] = .text(String(repeating: "x", count: 1_000))
    }
    talk.press("r", "Y", says: "rows, 1,04")
    #expect(talk.app.message?.hasSuffix(" bytes: :export FILE takes more") == true)
    #expect(talk.app.message?.hasPrefix("Copied 1,0") == true)
    talk.press("X")
    talk.server.cars[talk.rowID]?[0] = .text(String(repeating: "x", count: 2 << 20))
    talk.press("r", "space", "Y", says: "The row is too long to copy: :export FILE takes it")
    talk.send(.disconnected(reason: "test"))
    talk.press("Y")
    #expect(talk.app.message == "Offline: the rows can't be fetched")
}

@Test func aListThatCanOnlyBeReadCanBeSelectedAndCopied() {
    var talk = ServedApp(lists: [PlainCars.table.with { $0.isEditable = false }], after: "space")
    #expect(talk.app.list?.selection.count == 1)
    talk.press("d")
    #expect(talk.app.confirmation == nil && talk.status.contains("is read-only"))
    talk.press("Y", says: "Copied 1 row, ")
}

@Test func theNewestSelectedRowMayGiveTheTitleItsColourAndAMessage() throws {
    var list = PlainCars.cars
    list.cell.selectedTitle = "Car of {year}"
    list.cell.selectedMessage = "You took one of {year}"
    list.cell.tintColumn = 4
    var talk = ServedApp(lists: [list])
    talk.server.cars[talk.server.order[1]]?[2] = .integer(1911)
    talk.server.cars[talk.server.order[1]]?[4] = .text("#ff0000")
    talk.press("r", "j", "space")
    #expect(talk.lines[0].hasPrefix(" Car of 1911"))
    #expect(talk.status.contains("You took one of 1911"))
    #expect(talk.app.draw()[0, 1].style.tint == Tint("#ff0000")?.legible)
    talk.press("/", .text("a"))
    let screen = talk.app.draw()
    let letter = try #require(screen.cursor.map { screen[$0.row, $0.column - 1] })
    #expect(letter.style.tint == Tint("#ff0000")?.legible)
    talk.press("esc", "space")
    #expect(talk.lines[0].hasPrefix(" Car of 20") || talk.lines[0].hasPrefix(" Car of 19"))
    #expect(!talk.lines[0].hasPrefix(" Car of 1911"))
    // Without a selection the list has its own name again.
    talk.press("X")
    #expect(talk.lines[0].hasPrefix(" Cars"))
    #expect(talk.app.draw()[0, 1].style.tint == nil)
}

/// A server may say anything.
@Test func aListWithoutColumnsIsSelectedWithoutATrap() throws {
    var list = PlainCars.table
    list.columns = []
    list.titleColumn = nil
    list.scopes = []
    list.groupings = [Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)]
    var talk = ServedApp(lists: [list])
    talk.pressHeldUp("*")
    let asked = talk.actions.compactMap { action -> [Int]? in
        if case .call(.matching(_, _, _, let columns)) = action { columns } else { nil }
    }
    #expect(asked == [[]])
    #expect(!talk.lines.isEmpty)
}
