import Testing
import ValetModel

@testable import ValetTerminal

private let annas = PlainCars.readOnly.with { $0.readOnlyReason = "Anna does" }

@Test func aListThatIsOnlyReadSaysSo() {
    var talk = ServedApp(lists: [annas])
    #expect(talk.lines[0].hasSuffix("⊘ read only   ● live"))
    for key in ["e", "+", "d", "x", "u", "U", "E"] {
        talk.press(.key(key), says: "Cars is read-only: Anna does")
    }
    #expect(talk.app.list?.isEditing == false)
    talk.press("enter")
    talk.actions = []
    for key in ["e", "d", "u", "U"] {
        talk.press(.key(key), says: "Cars is read-only: Anna does")
    }
    #expect(talk.submitted.isEmpty && talk.app.form == nil && talk.app.confirmation == nil)
    // Each time the catalog is read again, since that may have changed.
    #expect(talk.actions == Array(repeating: .call(.catalog(countingRows: false)), count: 4))
}

@Test func aListThatCanBeChangedAgainSaysSoAndTheOtherWayRound() {
    var talk = ServedApp(lists: [annas])
    talk.server.lists[0] = PlainCars.cars
    talk.press("e")
    #expect(!talk.lines[0].contains("read only") && talk.app.form == nil)
    talk.press("e")
    #expect(talk.app.form != nil)
    talk.press("esc")
    talk.server.lists[0] = annas
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
    talk.server.lists[0] = PlainCars.readOnly
    talk.wait(milliseconds: 31_000)
    talk.send(.roundTrip(milliseconds: 1))
    talk.send(.roundTrip(milliseconds: 1))
    #expect(talk.actions == [.call(.catalog(countingRows: false))])
    #expect(talk.lines[0].contains("⊘ read only"))
    talk.wait(milliseconds: 31_000)
    talk.send(.disconnected(reason: "test"))
    talk.send(.roundTrip(milliseconds: 1))
    #expect(talk.actions == [.call(.catalog(countingRows: false))])
}

@Test func aListWhoseColumnsHaveChangedIsOpenedAnew() {
    var talk = ServedApp(after: "j", "enter")
    #expect(talk.app.detail != nil)
    talk.reconnect {
        $0.lists[0].columns[2].name = "other"
        $0.lists[0].columns[2].label = "Other"
        $0.epoch += 1
    }
    #expect(talk.app.list?.list.columns[2].name == "other" && talk.app.detail == nil)
    #expect(talk.status.contains("The columns of “Cars” have changed"))
    #expect(talk.lines[0].contains("● live"))
}

@Test func aListThatIsGoneIsLeft() {
    let others = ["boats", "ships"].map { name in PlainCars.cars.with { $0.name = name } }
    var talk = ServedApp(lists: [PlainCars.cars] + others, after: "enter")
    #expect(talk.app.list?.list.name == "cars")
    talk.reconnect {
        $0.lists.remove(at: 0)
        $0.epoch += 1
    }
    #expect(talk.app.list == nil && talk.status.contains("“Cars” is gone"))
}

/// What somebody has typed is theirs, whatever became of the list.
@Test func whatWasNotTakenOpensInAListThatIsOnlyReadByNow() {
    var talk = ServedApp(after: "j", "e", .field(1, "Mine"))
    talk.server.lists[0] = annas
    talk.pressHeldUp("^S")
    talk.waiting = []
    talk.isHeldUp = false
    talk.fail(.readOnly, "Anna does", newest: \.isSubmit)
    #expect(talk.lines[0].contains("⊘ read only"))
    talk.press("e")
    #expect(talk.app.form?.changeCount == 1 && talk.shows("Mine"))
    talk.press("esc", "y", "e", says: "Cars is read-only: Anna does")
}

@Test func helpOffersWhatTheListTakes() {
    func titles(_ list: ListDescription, _ keys: Stroke...) -> [String] {
        var talk = ServedApp(lists: [list])
        for key in keys { talk.press(key) }
        talk.press("?")
        return talk.app.palette?.items.map(\.title) ?? []
    }
    let (edit, columns) = ("edit the row", "choose which columns are shown")
    #expect(titles(PlainCars.table).contains(edit) && titles(PlainCars.table).contains(columns))
    #expect(!titles(annas).contains(edit) && !titles(annas).contains(columns))
    #expect(titles(PlainCars.table.with { $0.isEditable = false }).contains(columns))
    #expect(
        titles(PlainCars.cars, "enter").contains(edit) && !titles(annas, "enter").contains(edit))
}
