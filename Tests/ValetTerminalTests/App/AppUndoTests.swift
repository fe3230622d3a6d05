import TestSupport
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

/// A row is deleted, and the server answers so when that is undone.
private func undo(_ verdict: Verdict, in talk: inout ServedApp) {
    talk.press("j", "d", "y")
    talk.server.nextVerdict = verdict
    talk.press("u")
}

@Test func anUndoSaysHowMuchMoreOthersHaveChanged() {
    var talk = ServedApp()
    for (count, words) in [(3, "Before and 2 more."), (64, "Before and 63+ more.")] {
        undo(blocked(count), in: &talk)
        let question = talk.app.confirmation?.question ?? ""
        #expect(question.contains(words), "\(question)")
        talk.press("enter")
    }
}

@Test func anUndoThatIsRefusedCanBeSkipped() {
    var talk = ServedApp()
    undo(.refused([Refusal(row: 0, column: nil, message: "it is too long")]), in: &talk)
    let question = talk.app.confirmation?.question ?? ""
    #expect(question.contains("can't be undone: it is too long"), "\(question)")
    talk.press("y")
    #expect(talk.submitted.last == .skipUndo(step: PlainCars.step))
    #expect(talk.status.contains("Skipped: u undoes the change before"))
    talk.press("u")
    #expect(talk.status.contains("there is nothing to undo") && talk.app.confirmation == nil)
}

@Test func anUndoThatOthersAreInTheWayOfIsSkippedOrForcedWithBothValuesShown() {
    var talk = ServedApp()
    undo(blocked(), in: &talk)
    let line = talk.status
    #expect(line.contains("bo has changed it"), "\(line)")
    #expect(line.contains("is Theirs, and was Before"), "\(line)")
    #expect(line.contains("[Leave]") && line.contains("y Undo") && line.contains("s Skip"))
    talk.press("s")
    #expect(talk.submitted.last == .skipUndo(step: PlainCars.step))
    #expect(talk.status.contains("Skipped: u undoes the change before"))
    undo(blocked(), in: &talk)
    let seen = talk.server.revision
    talk.press("y")
    #expect(talk.submitted.last == .forceUndo(step: PlainCars.step, seen: seen))
    #expect(talk.status.contains("Undone: deletion of"))
    undo(blocked(), in: &talk)
    talk.press("enter")
    #expect(talk.submitted.last == .undo && talk.app.confirmation == nil)
}

/// Redo brings back what was there before the undo, which is not what the person had set.
@Test func redoAfterAForcedUndoSaysThatOthersValuesAreBack() {
    var talk = ServedApp()
    undo(blocked(), in: &talk)
    talk.press("y")
    talk.press("U", says: "Undo taken back: 1 row as before it")
    talk.press("u", says: "Undone: deletion of “")
    talk.press("U", says: "Redone: deletion of “")
}

/// What somebody has done while the person thought is shown before it is taken back.
@Test func whatOthersDoBehindTheQuestionIsAskedAbout() {
    var talk = ServedApp()
    undo(blocked(), in: &talk)
    talk.server.nextVerdict = .conflict([
        Conflict(3, .cell(1, .text("Newer")), restored: .text("Before"))
    ])
    talk.press("y")
    #expect(talk.status.contains("is Newer, and was Before"), "\(talk.status)")
    talk.press("enter")
    #expect(talk.app.confirmation == nil)
}

/// The question says what is so while it stands.
@Test func theQuestionBeforeAnUndoShowsWhatIsStoredByNow() throws {
    var talk = ServedApp(after: "j")
    let rowID = talk.rowID
    let theirs = Conflict(rowID, .cell(1, .text("Theirs")), restored: .text("Before"))
    undo(.conflict([theirs]), in: &talk)
    // It stays where it is.
    guard case .text(let model)? = talk.server.cars[rowID]?[1] else { throw Unexpected("no car") }
    talk.others(.set(rowID, 1, .text(model + "x")))
    let question = talk.app.confirmation?.question ?? ""
    #expect(question.hasPrefix("It has changed again: "), "\(question)")
    #expect(question.contains("is \(model)x, and was Before"), "\(question)")
    talk.others(.set(rowID, 3, .real(2)))
    #expect(talk.app.confirmation?.question == question, "nothing of what it is about")
    talk.press("y")
    #expect(talk.submitted.last?.isForcedUndo == true)
}

@Test func undoSaysWhatItCouldNotRestore() {
    var talk = ServedApp()
    let conflict = Conflict(1, .cell(1, .text("Now")), by: "", restored: .text("Before"))
    undo(.appliedButFor(rowIDs: [1], [conflict]), in: &talk)
    #expect(talk.status.contains("except that"), "\(talk.status)")
    #expect(talk.status.contains("is Now, and was Before"), "\(talk.status)")
}

/// Of a row's changes, the one that was undone, not the newest.
@Test func undoNamesTheChangeThatItHasUndone() {
    var talk = ServedApp(after: "j", "e", .field(1, "Z1"), "^S", "d", "y")
    talk.press("u", says: "Undone: deletion of “")
    talk.press("u", says: "Undone: edit of “")
    talk.press("U", says: "Redone: edit of “")
    talk.press("U", says: "Redone: deletion of “")
    talk.press("u", says: "Undone: deletion of “")
    talk.press("u", says: "Undone: edit of “")
    talk.press("e", .field(1, "Z2"), "^S", "U", says: "Not redone")
    talk.press("u", says: "Undone: edit of “")
}

extension Change {
    fileprivate var isForcedUndo: Bool { if case .forceUndo = self { true } else { false } }
}
