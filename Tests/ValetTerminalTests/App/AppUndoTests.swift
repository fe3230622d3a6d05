import Testing
import ValetModel

@testable import ValetTerminal

@Test func undoSaysWhatItHasUndone() {
    var talk = ServedApp(after: "j", "d", "y", "u")
    #expect(talk.submitted.last == .undo)
    #expect(talk.status.contains("Undone: deletion of “2009 Audi M0”"))
    #expect(talk.app.list?.total == 1_000)
    talk.press("u", says: "Not undone: there is nothing to undo")
}

@Test func redoSaysWhatItHasDoneAgain() {
    var talk = ServedApp(after: "j", "d", "y", "u", "j", "j", "U")
    #expect(talk.submitted.last == .redo)
    #expect(talk.status.hasPrefix(" Redone: deletion of “2009 Audi M0”"))
    #expect(talk.app.list?.total == 999)
    talk.press("^R")
    #expect(talk.submitted.last == .redo)
    #expect(talk.status.hasPrefix(" Not redone: there is nothing to undo"))
}

/// A row that comes back is gone to, wherever the cursor is by then.
@Test func anAdditionThatIsDoneAgainTakesTheCursorToItsRow() {
    var talk = ServedApp(after: "+", .field(0, "Fiat"), "^S", "u", "g")
    #expect(talk.app.list?.total == 1_000 && talk.rowID != 1_001)
    talk.press("U")
    #expect(talk.status.hasPrefix(" Redone: adding “"))
    #expect(talk.app.list?.total == 1_001 && talk.rowID == 1_001)
}

/// What was changed meanwhile can't be done again.
@Test func aChangeEndsWhatCanBeDoneAgain() {
    let talk = ServedApp(after: "j", "d", "y", "u", "e", .field(1, "Z1"), "^S", "U")
    #expect(talk.status.hasPrefix(" Not redone: ") && talk.app.list?.total == 1_000)
}

private func blocked(_ count: Int = 1) -> Verdict {
    .conflict(
        (0..<count).map { row in
            Conflict(Int64(3 + row), .cell(1, .text("Theirs")), restored: .text("Before"))
        })
}

@Test func anUndoSaysHowMuchMoreOthersHaveChanged() {
    var talk = ServedApp()
    for (count, words) in [(3, "Before and 2 more."), (64, "Before and 63+ more.")] {
        talk.press("j", "d", "y")
        talk.server.nextVerdict = blocked(count)
        talk.press("u")
        let question = talk.app.confirmation?.question ?? ""
        #expect(question.contains(words), "\(question)")
        talk.press("enter")
    }
}

@Test func anUndoThatIsRefusedCanBeSkipped() {
    var talk = ServedApp(after: "j", "d", "y")
    talk.server.nextVerdict = .refused([Refusal(row: 0, column: nil, message: "it is too long")])
    talk.press("u")
    let question = talk.app.confirmation?.question ?? ""
    #expect(question.contains("can't be undone: it is too long"), "\(question)")
    talk.press("y")
    #expect(talk.submitted.last == .skipUndo(step: PlainCars.step))
    #expect(talk.status.contains("Skipped: u undoes the change before"))
    talk.press("u")
    #expect(talk.status.contains("there is nothing to undo") && talk.app.confirmation == nil)
}

@Test func anUndoThatOthersAreInTheWayOfIsSkippedOrForcedWithBothValuesShown() {
    var talk = ServedApp(after: "j", "d", "y")
    talk.server.nextVerdict = blocked()
    talk.press("u")
    let line = talk.status
    #expect(line.contains("bo has changed it"), "\(line)")
    #expect(line.contains("is Theirs, and was Before"), "\(line)")
    #expect(line.contains("[Leave]") && line.contains("y Undo") && line.contains("s Skip"))
    talk.press("s")
    #expect(talk.submitted.last == .skipUndo(step: PlainCars.step))
    #expect(talk.status.contains("Skipped: u undoes the change before"))
    talk.press("j", "d", "y")
    talk.server.nextVerdict = blocked()
    talk.press("u", "y")
    #expect(talk.submitted.last == .forceUndo(step: PlainCars.step))
    #expect(talk.status.contains("Undone: deletion of"))
    talk.press("j", "d", "y")
    talk.server.nextVerdict = blocked()
    talk.press("u", "enter")
    #expect(talk.submitted.last == .undo && talk.app.confirmation == nil)
}

@Test func undoSaysWhatItCouldNotRestore() {
    var talk = ServedApp(after: "j", "d", "y")
    talk.server.nextVerdict = .appliedButFor(
        rowIDs: [1], [Conflict(1, .cell(1, .text("Now")), by: "", restored: .text("Before"))])
    talk.press("u")
    #expect(talk.status.contains("except that"), "\(talk.status)")
    #expect(talk.status.contains("is Now, and was Before"), "\(talk.status)")
}
