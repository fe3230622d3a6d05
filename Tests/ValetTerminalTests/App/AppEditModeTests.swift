import Testing

@testable import ValetTerminal

/// The edit mode: rows are deleted and moved without questions.
@Suite struct AppEditModeTests {
    @Test func rowsAreDeletedAtOnceAndTheCursorGoesOn() {
        var talk = ServedApp()
        let order = talk.server.order
        talk.press("j", "E")
        #expect(talk.status.hasPrefix(" Edit mode: d delete   u undo   Esc done"))
        talk.press("d", "d")
        // Whatever the status line says.
        #expect(talk.lines[0].hasSuffix("edit mode   ● live"))
        #expect(talk.server.cars[order[1]] == nil && talk.server.cars[order[2]] == nil)
        #expect(talk.rowID == order[3] && talk.server.cars.count == 998)
        talk.press("u")
        #expect(talk.server.cars.count == 999)
        talk.press("esc", "d")
        #expect(talk.app.confirmation != nil && talk.server.cars.count == 999)
    }

    @Test func aRowThatWaitsForItsDeletionIsStruckThroughAndNotDeletedTwice() {
        var talk = ServedApp(rows: 3, after: "G", "E")
        talk.pressHeldUp("d", "G", "d")
        #expect(talk.submitted.count == 1)
        let row = talk.lines.firstIndex { $0.hasPrefix("▌…") } ?? 0
        #expect(talk.app.draw()[row, 4].style.attributes.contains(.strikethrough))
        talk.resume()
        #expect(talk.server.cars.count == 2 && talk.app.list?.total == 2)
    }

    @Test func spaceLiftsARowAndPutsItDown() {
        var talk = ServedApp(lists: [PlainCars.byHand])
        let order = talk.server.order
        talk.press("E", says: "Space move")
        talk.press("space", "j", "j", "space")
        #expect(talk.server.order.prefix(3) == [order[1], order[2], order[0]])
        #expect(talk.status.contains("Moved"))
        talk.press("space", "k", "esc", "j", says: "Edit mode")
    }

    @Test func noRowIsDeletedInPlaceOfOneThatHasGone() {
        var talk = ServedApp(after: "j", "E")
        talk.others(.delete(talk.rowID))
        talk.press("d")
        #expect(talk.submitted.isEmpty && talk.status.contains("This row was deleted"))
    }

    @Test func aDetailStillAsks() {
        var talk = ServedApp(after: "E", "enter")
        #expect(!talk.lines[0].contains("edit mode"))
        talk.press("d")
        #expect(talk.app.confirmation != nil && talk.submitted.isEmpty)
    }
}
