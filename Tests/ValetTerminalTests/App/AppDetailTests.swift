import Testing
import ValetModel

@testable import ValetTerminal

@Test func anOpenDetailShowsWhatOthersChange() {
    var talk = ServedApp(after: "j", "enter")
    let rowID = talk.rowID
    talk.actions = []
    talk.others(.rename(rowID, to: "Another"))
    #expect(talk.shows("Another") && talk.lines[0].contains("Audi Another"))
    // It is read once for each revision that the list shows, and no more.
    #expect(talk.actions == [.detail(rowID)])
    talk.send(.tick(milliseconds: 90_000))
    #expect(talk.actions.count == 1)
}

@Test func changesThatComeWhileADetailIsReadAreReadAfterIt() {
    var talk = ServedApp(after: "j", "enter")
    let rowID = talk.rowID
    talk.isHeldUp = true
    talk.actions = []
    talk.others(.set(rowID, 4, .text("First")))
    talk.others(.set(rowID, 4, .text("Second")))
    #expect(talk.actions == [.detail(rowID)])
    talk.resume()
    #expect(talk.shows("Second") && talk.actions.count == 1)
}

@Test func anOpenDetailSaysThatItsRowWasDeleted() {
    var talk = ServedApp(after: "j", "enter")
    let model = talk.server.cars[talk.rowID]?[1]
    talk.others(.delete([RowDeletion(rowID: talk.rowID, seen: nil)]))
    #expect(talk.shows("This row was deleted"))
    if case .text(let model)? = model { #expect(talk.shows(model)) }
}

@Test(arguments: ["x", "d"])
func aRowThatWasSeenIsCheckedAndDeletedWhileOffline(key: String) {
    var talk = ServedApp(lists: [PlainCars.fleet], after: "j")
    talk.send(.disconnected(reason: "test"))
    talk.pressHeldUp(.key(key))
    if key == "d" { talk.press("y") }
    #expect(talk.lines[0].contains("○ offline · 1 waiting"))
}

/// Labels of the fields that are marked as changed by others.
private func marked(_ talk: ServedApp) -> [String] {
    talk.lines.filter { $0.dropFirst().first == "~" }.map {
        String($0.dropFirst(2).split(separator: " ")[0])
    }
}

@Test func aFieldThatSomebodyElseChangesIsMarkedForFiveSeconds() {
    var talk = ServedApp(after: "j", "enter")
    #expect(marked(talk).isEmpty && !talk.app.wantsTicks)
    talk.others(.set(talk.rowID, 4, .text("Zoe")))
    #expect(marked(talk) == ["Owner"] && talk.app.wantsTicks)
    talk.wait(milliseconds: 3_000)
    talk.others(.set(talk.rowID, 3, .real(77)))
    #expect(marked(talk) == ["Fuel", "Owner"])
    talk.wait(milliseconds: 2_000)
    #expect(marked(talk) == ["Fuel"])
    talk.wait(milliseconds: 3_000)
    #expect(marked(talk).isEmpty && !talk.app.wantsTicks)
}

@Test func oneOwnChangesAreNotMarked() {
    var talk = ServedApp(after: "j", "enter", "e")
    talk.fill(4, with: "Zoe")
    talk.press("^S")
    #expect(talk.shows("Zoe") && marked(talk).isEmpty)
    talk.press("e")
    talk.fill(4, with: "Yve")
    talk.pressHeldUp("^S")
    guard case .server(_, .submit(_, _, let change))? = talk.waiting.last else {
        Issue.record("nothing was submitted")
        return
    }
    // The outcome comes first, then the row: the old value does not come back in between.
    let outcome = talk.server.carryOut(change)
    talk.answer(.outcome(outcome), toNewest: \.isSubmit)
    #expect(talk.shows("Yve") && marked(talk).isEmpty)
    talk.waiting.removeAll { if case .server(_, .submit) = $0 { true } else { false } }
    talk.resume()
    #expect(talk.shows("Yve") && marked(talk).isEmpty)
}

@Test func anotherRecordBeginsWithoutMarks() {
    var talk = ServedApp(after: "j", "enter")
    talk.others(.set(talk.rowID, 4, .text("Zoe")))
    talk.press("J")
    #expect(marked(talk).isEmpty)
}
