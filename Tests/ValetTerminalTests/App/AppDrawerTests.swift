import Testing
import ValetModel

@testable import ValetTerminal

private func drawer(_ actions: [RowAction], isEditable: Bool = true) -> ServedApp {
    let list = PlainCars.fleet.with { ($0.actions, $0.isEditable) = (actions, isEditable) }
    return ServedApp(lists: [list, PlainCars.table], after: "enter")
}

@Test func theDrawerOpensUnderTheRow() {
    var talk = drawer([RowAction(name: "Greet", effect: .say("Hello"))])
    talk.press("j", "j")
    let line = talk.lines.firstIndex { $0.hasPrefix("▌") } ?? 0
    talk.press(".")
    #expect(talk.lines[line + 1].contains("Audi"))
    for words in ["Greet", "open", "edit", "check", "delete"] {
        #expect(talk.lines[line...].contains { $0.contains(words) }, "\(words)")
    }
    talk.press("esc")
    #expect(talk.app.palette == nil)
}

@Test func anActionSetsAColumnAndIsUndoneByItsName() throws {
    var talk = drawer([RowAction(name: "Wash", effect: .set(column: 5, .integer(1)))])
    talk.press("j")
    let rowID = try #require(talk.app.list?.cursor.rowID)
    talk.press(".", .text("wash"), "enter", says: "Wash: “")
    #expect(talk.server.cars[rowID]?[5] == .integer(1))
    talk.press("u", says: "Undone: Wash: “")
    #expect(talk.server.cars[rowID]?[5] != .integer(1))
}

@Test func anActionSpeaksOrCopiesOfItsRow() {
    var talk = drawer([
        RowAction(name: "Greet", effect: .say("Hello {model}!")),
        RowAction(name: "Plate", effect: .copy("{make}-{year}")),
    ])
    talk.press(".", .text("greet"), "enter", says: "Hello M0!")
    talk.actions = []
    talk.press(".", .text("plate"), "enter")
    #expect(talk.actions == [.copy("Audi-1990")])
}

@Test func anActionOpensAnotherList() {
    let other = PlainCars.table.name
    var talk = drawer([
        RowAction(name: "Other", effect: .open(list: other)),
        RowAction(name: "Nowhere", effect: .open(list: "none")),
    ])
    talk.press(".", .text("nowhere"), "enter", says: "There is no list “none”")
    talk.press(".", .text("other"), "enter")
    #expect(talk.app.list?.list.name == other)
}

@Test func aListThatCanOnlyBeReadOffersNoChanges() {
    var talk = drawer(
        [
            RowAction(name: "Wash", effect: .set(column: 5, .integer(1))),
            RowAction(name: "Greet", effect: .say("Hello")),
        ], isEditable: false)
    talk.press(".")
    let text = talk.lines.joined(separator: "\n")
    #expect(text.contains("Greet") && !text.contains("Wash") && !text.contains("delete"))
}

@Test func theDrawerIsOneAndNoRowOfTheList() throws {
    var talk = drawer([RowAction(name: "Greet", effect: .say("Hello"))])
    talk.press("j", "j", ".")
    let open = talk.lines
    let (rowID, row) = (talk.rowID, try #require(open.firstIndex { $0.hasPrefix("▌") }))
    // Its lines can't be selected: keys move in the drawer, or filter it.
    talk.press("down", "space", ".")
    #expect(talk.rowID == rowID && talk.app.list?.selection.isEmpty == true)
    #expect(talk.shows("No matches"))
    talk.press("backspace", "backspace")
    // A click elsewhere closes it, and the next one opens another.
    talk.send(.mouse(MouseEvent(.press(.left), row: 4, column: 10)))
    #expect(talk.app.palette == nil && talk.rowID == rowID)
    talk.send(.mouse(MouseEvent(.press(.right), row: 4, column: 10)))
    let other = talk.lines
    #expect(talk.app.palette != nil && talk.rowID != rowID)
    #expect(other[row + 1] != open[row + 1] && other.count { $0.contains("Greet") } == 1)
}
