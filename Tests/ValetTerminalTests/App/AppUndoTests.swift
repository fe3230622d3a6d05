import Testing
import ValetModel

@testable import ValetTerminal

@Test func undoSaysWhatItHasUndone() {
    var talk = ServedApp()
    talk.press("j", "d", "y", "u")
    #expect(talk.submitted.last == .undo)
    #expect(talk.status.contains("Undone: deletion of “2009 Audi M0”"))
    #expect(talk.app.list?.total == 1_000)
    talk.press("u")
    #expect(talk.status.contains("Not undone: there is nothing to undo"))
}

@Test func redoSaysWhatItHasDoneAgain() {
    var talk = ServedApp()
    talk.press("j", "d", "y", "u", "j", "j", "U")
    #expect(talk.submitted.last == .redo)
    #expect(talk.status.hasPrefix(" Done again: deletion of “2009 Audi M0”"))
    #expect(talk.app.list?.total == 999)
    talk.press("^R")
    #expect(talk.submitted.last == .redo)
    #expect(talk.status.hasPrefix(" Not done again: there is nothing to undo"))
}

/// A row that comes back is gone to, wherever the cursor is by then.
@Test func anAdditionThatIsDoneAgainTakesTheCursorToItsRow() {
    var talk = ServedApp()
    talk.press("+")
    talk.fill(0, with: "Fiat")
    talk.press("^S", "u", "g")
    #expect(talk.app.list?.total == 1_000 && talk.rowID != 1_001)
    talk.press("U")
    #expect(talk.status.hasPrefix(" Done again: adding “"))
    #expect(talk.app.list?.total == 1_001 && talk.rowID == 1_001)
}

/// What was changed meanwhile can't be done again.
@Test func aChangeEndsWhatCanBeDoneAgain() {
    var talk = ServedApp()
    talk.press("j", "d", "y", "u", "e")
    talk.fill(1, with: "Z1")
    talk.press("^S", "U")
    #expect(talk.status.hasPrefix(" Not done again: ") && talk.app.list?.total == 1_000)
}
