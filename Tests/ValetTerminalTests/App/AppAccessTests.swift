import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

@Test func aListThatIsOnlyReadSaysSo() {
    var list = PlainCars.cars
    (list.isEditable, list.readOnlyReason) = (false, "Anna does")
    var talk = ServedApp(lists: [list])
    #expect(talk.lines[0].hasSuffix("⊘ read only   ● live"))
    talk.actions = []
    for key in ["e", "+", "d", "x", "u", "U"] {
        talk.press(key)
        #expect(talk.status.contains("Cars is read-only: Anna does"), "\(key)")
    }
    talk.press("enter")
    talk.actions = []
    for key in ["e", "d", "u", "U"] {
        talk.press(key)
        #expect(talk.status.contains("Cars is read-only: Anna does"), "\(key)")
    }
    #expect(talk.submitted.isEmpty && talk.app.form == nil && talk.app.confirmation == nil)
    // Each time the catalog is read again, since that may have changed.
    #expect(talk.actions == Array(repeating: .call(.catalog(countingRows: false)), count: 4))
}

@Test func aListThatCanBeChangedAgainSaysSoAndTheOtherWayRound() {
    var list = PlainCars.cars
    (list.isEditable, list.readOnlyReason) = (false, "Anna does")
    var talk = ServedApp(lists: [list])
    talk.server.lists[0] = PlainCars.cars
    talk.press("e")
    #expect(!talk.lines[0].contains("read only") && talk.app.form == nil)
    talk.press("e")
    #expect(talk.app.form != nil)
    talk.press("esc")
    talk.server.lists[0] = list
    talk.pressHeldUp("d", "y")
    talk.waiting = []
    talk.isHeldUp = false
    talk.fail(.readOnly, "Anna does", newest: \.isSubmit)
    #expect(talk.lines[0].contains("⊘ read only"))
    #expect(talk.status.contains("Not deleted: Anna does"))
}

@Test func theCatalogIsReadAgainNowAndThen() {
    var talk = ServedApp()
    talk.actions = []
    talk.send(.roundTrip(milliseconds: 1))
    #expect(talk.actions.isEmpty)
    var list = PlainCars.cars
    list.isEditable = false
    talk.server.lists[0] = list
    talk.wait(milliseconds: 31_000)
    talk.send(.roundTrip(milliseconds: 1))
    talk.send(.roundTrip(milliseconds: 1))
    #expect(
        talk.actions == [.call(.catalog(countingRows: false))]
            && talk.lines[0].contains("⊘ read only"))
    talk.wait(milliseconds: 31_000)
    talk.send(.disconnected(reason: "test"))
    talk.send(.roundTrip(milliseconds: 1))
    #expect(talk.actions == [.call(.catalog(countingRows: false))])
}

@Test func aListWhoseColumnsHaveChangedIsOpenedAnew() {
    var talk = ServedApp(after: "j", "enter")
    #expect(talk.app.detail != nil)
    talk.server.lists[0].columns[2].name = "other"
    talk.server.lists[0].columns[2].label = "Other"
    talk.server.epoch += 1
    talk.send(.disconnected(reason: "the file was replaced"))
    talk.send(.connecting)
    talk.send(.connected)
    #expect(talk.app.list?.list.columns[2].name == "other" && talk.app.detail == nil)
    #expect(talk.status.contains("The columns of “Cars” have changed"))
    #expect(talk.lines[0].contains("● live"))
}

@Test func aListThatIsGoneIsLeft() {
    var (boats, ships) = (PlainCars.cars, PlainCars.cars)
    (boats.name, ships.name) = ("boats", "ships")
    var talk = ServedApp(lists: [PlainCars.cars, boats, ships], after: "enter")
    #expect(talk.app.list?.list.name == "cars")
    talk.server.lists.remove(at: 0)
    talk.server.epoch += 1
    talk.send(.disconnected(reason: "the file was replaced"))
    talk.send(.connecting)
    talk.send(.connected)
    #expect(talk.app.list == nil && talk.status.contains("“Cars” is gone"))
}
