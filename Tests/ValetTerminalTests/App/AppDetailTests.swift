import Testing
import ValetModel

@testable import ValetTerminal

@Test func anOpenDetailShowsWhatOthersChange() {
    var talk = ServedApp()
    talk.press("j", "enter")
    let rowID = talk.rowID
    talk.actions = []
    talk.others(.rename(rowID, to: "Another"))
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
    talk.others(.set(rowID, 4, .text("First")))
    talk.others(.set(rowID, 4, .text("Second")))
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
