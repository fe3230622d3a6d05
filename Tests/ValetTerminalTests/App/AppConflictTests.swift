import Testing
import ValetModel

@testable import ValetTerminal

extension ServedApp {
    /// Types over the model in a form.
    fileprivate mutating func typeModel(_ text: String) {
        press("tab", "^U")
        type(text)
        press("^S")
    }
}

private func model(_ rowID: Int64, _ text: String) -> Change {
    .update([
        RowEdit(rowID: rowID, cells: [CellEdit(column: 1, value: .text(text), seen: .anything)])
    ])
}

@Test func aValueThatCameWhileTheDialogWasOpenIsNotOverwrittenUnseen() {
    var talk = ServedApp(after: "j")
    let rowID = talk.rowID
    talk.press("e")
    talk.press("tab", "^U", .text("Mine"))
    talk.others(model(rowID, "First"))
    #expect(talk.lines[1] == " ~ saved meanwhile: Model" && talk.shows("~ now “First”"))
    talk.press("^S")
    #expect(talk.app.conflict != nil)
    // The dialog shows the first; this one was never seen.
    talk.others(model(rowID, "Second"))
    talk.press("e", "^S")
    #expect(talk.server.cars[rowID]?[1] == .text("Second"))
    #expect(talk.lines.contains { $0.contains("Mine") && $0.contains("Second") })
    // By now it was.
    talk.press("e", "^S")
    #expect(talk.app.conflict == nil && talk.server.cars[rowID]?[1] == .text("Mine"))
}

@Test func theSameEditByTwoMergesAndTheRestIsSaved() {
    var talk = ServedApp(after: "j")
    let rowID = talk.rowID
    talk.press("e")
    talk.fill(1, with: "Same")
    talk.fill(1, with: "1999")
    talk.server.cars[rowID]?[1] = .text("Same")
    talk.press("^S")
    #expect(talk.app.conflict == nil && talk.app.form == nil)
    #expect(talk.server.cars[rowID]?[1] == .text("Same"))
    #expect(talk.server.cars[rowID]?[2] == .integer(1999))
    #expect(talk.status.contains("Saved") && talk.app.changes.unsavedCount(besides: nil) == 0)

    talk.press("e")
    talk.fill(1, with: "Again")
    talk.server.cars[rowID]?[1] = .text("Again")
    talk.press("^S")
    #expect(talk.app.conflict == nil && talk.app.changes.unsavedCount(besides: nil) == 0)
    #expect(talk.status.contains("bo has already saved the same"))
}

@Test func aRowThatComesBackIsEditedAndNotAddedAgain() throws {
    var talk = ServedApp(after: "j")
    let rowID = talk.rowID
    let cells = try #require(talk.server.cars[rowID])
    talk.press("e")
    talk.others(.delete([RowDeletion(rowID: rowID)]))
    talk.typeModel("Mine")
    #expect(talk.app.conflict?.isOfDeletedRow == true)
    talk.others(.undo)
    #expect(talk.server.cars[rowID] == cells)
    #expect(talk.app.conflict == nil && talk.app.form?.rowID == rowID)
    let count = talk.server.cars.count
    talk.press("^S")
    #expect(talk.server.cars[rowID]?[1] == .text("Mine") && talk.server.cars.count == count)
}

@Test func undoneDeletionTakesTheCursorToTheRow() {
    var talk = ServedApp(after: "j", "j")
    let rowID = talk.rowID
    talk.press("d", "y", "j", "j", "j")
    #expect(talk.rowID != rowID)
    talk.press("u")
    #expect(talk.rowID == rowID)
}

@Test func aSearchSaysOfHowManyRowsAlsoAfterAnEdit() {
    var talk = ServedApp(after: "/", .text("audi"), "enter")
    #expect(talk.lines[0].contains(" of 1,000"))
    talk.press("d", "y")
    #expect(talk.lines[0].contains(" of 999"))
    talk.press("esc")
    #expect(talk.lines[0].contains("999"))
}

@Test func theCatalogKnowsHowManyRowsTheListWasLeftWith() {
    var talk = ServedApp(lists: [PlainCars.table, PlainCars.cars])
    talk.press("j", "enter", "d", "y", "q")
    #expect(talk.lines.contains { $0.hasPrefix("▌") && $0.hasSuffix("999") })
}

@Test func aDraftThatWasNotTakenIsNotLostWithoutAQuestion() {
    var talk = ServedApp(after: "j", "e")
    talk.fill(1, with: "Mine")
    talk.server.cars[talk.rowID]?[1] = .text("Theirs")
    talk.press("^S", "esc")
    #expect(talk.app.conflict == nil && talk.status.contains("not saved"))
    talk.press("Q", says: "1 change is not saved. Quit?")
    #expect(talk.press("y").contains(.quit(0)))
}
