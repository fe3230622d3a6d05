import Testing
import ValetModel

@testable import ValetTerminal

extension ServedApp {
    /// Somebody else changes a row; the window that stands is answered again.
    fileprivate mutating func others(_ change: Change) {
        _ = server.carryOut(change)
        for event in server.standingAnswer() { send(event) }
    }

    fileprivate var rowID: Int64 { app.list?.cursor.rowID ?? 0 }

    fileprivate func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}

private func rename(_ rowID: Int64, to model: String) -> Change {
    .update([
        RowEdit(
            rowID: rowID, cells: [CellEdit(column: 1, value: .text(model), seen: .anything)])
    ])
}

@Test func anOpenDetailShowsWhatOthersChange() {
    var talk = ServedApp()
    talk.press("j", "enter")
    let rowID = talk.rowID
    talk.actions = []
    talk.others(rename(rowID, to: "Another"))
    #expect(talk.shows("Another"))
    // It is read once for each revision that the list shows, and no more.
    #expect(talk.actions == [.requestDetail(rowID: rowID)])
    talk.send(.tick(milliseconds: 90_000))
    #expect(talk.actions.count == 1)
}

@Test func changesThatComeWhileADetailIsReadAreReadAfterIt() {
    var talk = ServedApp()
    talk.press("j", "enter")
    let rowID = talk.rowID
    talk.isHeldUp = true
    talk.actions = []
    talk.others(rename(rowID, to: "First"))
    talk.others(rename(rowID, to: "Second"))
    #expect(talk.actions == [.requestDetail(rowID: rowID)])
    talk.isHeldUp = false
    talk.deliver()
    #expect(talk.shows("Second") && talk.actions.count == 1)
}

@Test func anOpenDetailSaysThatItsRowWasDeleted() {
    var talk = ServedApp()
    talk.press("j", "enter")
    let model = talk.server.cars[talk.rowID]?[1]
    talk.others(.delete([RowDeletion(rowID: talk.rowID, seen: nil)]))
    #expect(talk.shows("This row was deleted"))
    if case .text(let model)? = model { #expect(talk.shows(model)) }
}

@Test(arguments: ["x", "d"])
func aRowThatWasSeenIsCheckedAndDeletedWhileOffline(key: String) {
    var talk = ServedApp(lists: [PlainCars.fleet])
    talk.press("j")
    talk.send(.disconnected(reason: "test"))
    talk.isHeldUp = true
    talk.press(key)
    if key == "d" { talk.press("y") }
    #expect(talk.lines[0].contains("○ offline · 1 waiting"))
}
