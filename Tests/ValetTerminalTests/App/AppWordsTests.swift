import Testing

@testable import ValetTerminal

/// What the screens say in words: messages, names of rows, missing values.
@Suite struct AppWordsTests {
    private static let reason =
        "another server has this database open and takes its changes: ask who runs it at "
        + "10.0.0.17 port 4711, or connect to that one"

    @Test func aLongMessageTakesTheLinesThatItNeeds() {
        let list = PlainCars.cars.with { ($0.isEditable, $0.readOnlyReason) = (false, Self.reason) }
        var talk = ServedApp(lists: [list])
        let before = talk.lines
        talk.press("e")
        let words = talk.lines.suffix(2).joined().split(separator: " ").joined(separator: " ")
        #expect(words == "Cars is read-only: " + Self.reason)
        #expect(talk.lines.dropLast(2) == before.dropLast(2))
        talk.press("y")
        #expect(talk.lines.dropLast() == before.dropLast())
    }

    @Test func theLogKeepsWhatWasSaid() {
        var talk = ServedApp(after: "y", .wait(130_000), "[", "L")
        #expect(talk.app.palette?.items.map(\.keys) == ["0 s", "2 min"])
        #expect(talk.lines.contains { $0.hasPrefix("┌ Messages ") }, "as wide as the screen")
        #expect(talk.app.palette?.items.last?.title == "Copied “1990 Audi M0”, 12 bytes")
        talk.press("down", "enter", says: "Copied “1990 Audi M0”")
        for _ in 0..<300 { talk.press("[", "y") }
        talk.press("L")
        #expect(talk.app.palette?.items.count == 100)
        talk.press("esc", "/", "L")
        #expect(talk.app.palette == nil && talk.app.list?.typed.search.text == "L")
    }

    @Test func aChangeThatWaitsForTheConnectionIsNotCounted() {
        var talk = ServedApp(after: "/", .text("volvo"))
        let found = talk.server.order.count
        #expect(talk.lines[0].contains(" Cars  \(found) of 1,000"))
        talk.send(.disconnected(reason: "test"))
        #expect(talk.lines[0].contains(" Cars  \(found) of 1,000"))
        talk.press("backspace", "x")
        #expect(talk.lines[0].hasPrefix(" Cars      "))
        #expect(talk.status.contains("The search loads after reconnecting"))
        talk.press("esc", "2", says: "The list loads after reconnecting")
        talk.send(.connecting)
        talk.send(.connected)
        #expect(talk.lines[0].contains(" Cars  1,000"))
    }

    @Test func aLostConnectionIsSaidOnce() {
        var talk = ServedApp()
        talk.send(.disconnected(reason: "reset"))
        #expect(talk.status.contains("Connection lost: reset"))
        talk.press("j")
        talk.send(.connecting)
        talk.send(.disconnected(reason: "refused"))
        #expect(!talk.status.contains("lost") && talk.lines[0].contains("○ offline"))
    }

    @Test func helpInAFormListsTheKeysOfTheForm() {
        var talk = ServedApp(after: "e", "f1")
        let titles = talk.app.palette?.items.map(\.title) ?? []
        #expect(titles.contains("clear the field") && titles.contains("redraw the screen"))
        #expect(!titles.contains("quit") && !titles.contains("cancel; twice quits"))
        talk.press(.text("clear"), "enter")
        #expect(talk.app.form?.changeCount == 1)
    }

    @Test func anEmptyTextIsNotNULL() {
        var talk = ServedApp()
        talk.server.cars[talk.rowID]?[1] = .text("")
        talk.server.cars[talk.rowID]?[4] = .null
        talk.press("r", "enter")
        let fields = talk.lines.map { $0.split(separator: " ") }
        #expect(fields.contains(["Model", "\"\""]))
        #expect(fields.contains(["Owner", "NULL", "means", "Nobody"]))
        #expect(talk.press("j", "y").contains(.copy("")))
        #expect(talk.press("j", "j", "y").contains(.copy("0.5")), "the unit isn't stored")
    }

    @Test func aRowOfATableIsNamedByTwoTexts() {
        var talk = ServedApp(lists: [PlainCars.table], after: "j", "d")
        #expect(talk.status.hasPrefix(" Delete “M0 Audi”, row \(talk.rowID)?"))
        talk.press("n", "enter")
        #expect(talk.lines[0].hasPrefix(" M0 Audi "))
        talk.press("q")
        #expect(talk.press("y").contains(.copy("M0")))
    }

    @Test func undoNamesARowThatThisProgramDidNotChange() {
        var talk = ServedApp()
        let rowID = talk.server.order[7]
        _ = talk.server.carryOut(.set(rowID, 4, .text("Zoe")))
        talk.press("u", says: "Undone: a change of “")
        _ = talk.server.carryOut(.set(talk.server.order[900], 4, .text("Zoe")))
        talk.press("u", says: "Undone: a change of row \(talk.server.order[900])")
    }
}
