import Testing
import ValetModel

@testable import ValetTerminal

/// A row that is deleted under the cursor stays until the next key.
@Suite struct AppGoneTests {
    /// An application with the cursor on the row of an ordinal.
    private func open(
        at ordinal: Int, _ lists: [ListDescription] = [PlainCars.cars], rows: Int = 1_000
    ) -> ServedApp {
        ServedApp(lists: lists, rows: rows, after: .times(ordinal, "j"))
    }

    private func sign(_ talk: ServedApp) -> String {
        String((talk.lines.first { $0.hasPrefix("▌") } ?? "").prefix(2))
    }

    @Test func aRowThatSomebodyDeletesStaysStruckThroughUntilTheNextKey() throws {
        var talk = open(at: 4)
        let before = talk.lines
        let row = try #require(before.firstIndex { $0.hasPrefix("▌") })
        let next = talk.server.order[5]
        talk.others(.delete(talk.rowID))
        var screen = talk.app.draw()
        #expect(talk.lines[row] == before[row].replacing("▌  ", with: "▌✗ "))
        #expect(screen[row, 4].style.attributes.contains(.strikethrough))
        #expect(screen.cursor?.row == row)
        // The rows around it hold still.
        #expect(talk.lines[3..<row] == before[3..<row])
        #expect(talk.lines[(row + 1)...20] == before[(row + 1)...20])
        #expect(talk.status.contains("This row was deleted"))
        talk.press("?", "esc")
        screen = talk.app.draw()
        #expect(talk.rowID == next && talk.lines[row].hasPrefix("▌  "))
        #expect(!screen[row, 4].style.attributes.contains(.strikethrough))
    }

    @Test(
        arguments: [("j", 4), ("x", 4), ("k", 3), ("G", 998), ("pgdn", nil)] as [(String, Int?)])
    func aKeyLeavesItAsItWouldLeaveTheRow(key: String, place: Int?) {
        var talk = open(at: 4)
        var untouched = talk
        talk.others(.delete(talk.rowID))
        talk.press(key)
        untouched.press(key)
        let expected = place.map { talk.server.order[$0] } ?? untouched.rowID
        #expect(talk.rowID == expected)
    }

    @Test(arguments: ["enter", "e", "d", "x", "m"])
    func noKeyActsOnItsNeighbourInstead(key: String) {
        var talk = open(at: 4, [PlainCars.fleet])
        talk.others(.delete(talk.rowID))
        talk.press(key)
        #expect(talk.app.detail == nil && talk.app.form == nil && talk.app.confirmation == nil)
        #expect(talk.submitted.isEmpty && talk.status.contains("This row was deleted"))
        #expect(sign(talk) == "▌ " && talk.rowID == talk.server.order[4])
    }

    @Test func aKeyThatWaitedForARowIsNotForItsNeighbour() {
        var talk = open(at: 4)
        talk.server.hasSlowPages = true
        talk.pressHeldUp("r", "d")
        let rowID = talk.rowID
        talk.server.cars[rowID] = nil
        talk.deliver()
        #expect(talk.app.confirmation == nil)
        #expect(talk.rowID == talk.server.order[4])
    }

    @Test(arguments: [0, 13, 2])
    func itHoldsItsLineAtTheEndsOfTheListToo(ordinal: Int) throws {
        var talk = open(at: ordinal, rows: 14)
        let row = try #require(talk.lines.firstIndex { $0.hasPrefix("▌") })
        let model = talk.lines[row].suffix(20)
        talk.others(.delete(talk.rowID))
        #expect(talk.lines[row].hasPrefix("▌✗") && talk.lines[row].hasSuffix(model))
        talk.press("i", "esc")
        #expect(talk.rowID == talk.server.order[min(ordinal, 12)])
    }

    @Test func itHoldsItsLineOnTheLastLineOfTheScreen() throws {
        var talk = open(at: 30)
        let row = try #require(talk.lines.firstIndex { $0.hasPrefix("▌") })
        let before = talk.lines
        #expect(row == 22)
        talk.others(.delete(talk.rowID))
        #expect(talk.lines[row].hasPrefix("▌✗"))
        #expect(talk.lines[3..<row] == before[3..<row])
        talk.press("k")
        #expect(talk.rowID == talk.server.order[29])
    }

    @Test func oneOwnDeletionStaysToo() {
        var talk = open(at: 4)
        let next = talk.server.order[5]
        talk.press("d", "y")
        #expect(sign(talk) == "▌✗" && talk.status.contains("Deleted"))
        talk.press("j")
        #expect(talk.rowID == next && sign(talk) == "▌ ")
    }

    @Test func aRowThatWentElsewhereIsNotStruckThrough() {
        var talk = open(at: 4)
        talk.others(.set(talk.rowID, 0, .text("Volvo")))
        let screen = talk.app.draw()
        #expect(sign(talk) == "▌↕" && talk.status.contains("This row is no longer here"))
        #expect(
            !(0..<screen.size.rows).flatMap(screen.row).contains {
                $0.style.attributes.contains(.strikethrough)
            })
        talk.press("j")
        #expect(talk.rowID == talk.server.order[4])
    }

    @Test func moreMayGoAndComeMeanwhile() throws {
        var talk = open(at: 40)
        talk.press("k", "k", "k", "k")
        let row = try #require(talk.lines.firstIndex { $0.hasPrefix("▌") })
        let order = talk.server.order
        for place in [36, 37, 35] { talk.others(.delete(order[place])) }
        talk.others(.insert([.text("Audi"), .text("A")]))
        #expect(talk.lines[row].hasPrefix("▌✗"))
        talk.press("i", "esc")
        #expect(talk.rowID == order[38])
        #expect(talk.lines[row].hasPrefix("▌  "))
    }

    @Test(arguments: [(4, 1_000), (11, 12), (0, 12), (0, 1)])
    func aRowThatComesBackHasItsCursorAgain(ordinal: Int, rows: Int) throws {
        var talk = open(at: ordinal, rows: rows)
        let before = talk.lines
        let rowID = talk.rowID
        talk.others(.delete(rowID))
        talk.others(.undo)
        #expect(talk.lines == before && talk.rowID == rowID)
        #expect(talk.app.list?.gone == nil)
    }

    @Test func theOnlyRowStaysToo() {
        var talk = open(at: 0, rows: 1)
        talk.others(.delete(talk.rowID))
        #expect(sign(talk) == "▌✗" && talk.status.contains("This row was deleted"))
        #expect(talk.shows("M0") && talk.shows("No cars"))
        talk.press("j")
        #expect(sign(talk).isEmpty && !talk.shows("M0"))
        talk.others(.insert([.text("Audi"), .text("New")]))
        #expect(talk.shows("New") && talk.app.list?.gone == nil)
    }

    @Test func theNextRecordAfterADeletedOneIsItsNeighbour() {
        var talk = open(at: 4)
        let next = talk.server.order[5]
        talk.press("enter", shows: "M10")
        talk.others(.delete(talk.rowID))
        #expect(talk.shows("This row was deleted") && talk.shows("M10"))
        talk.press("J")
        #expect(talk.app.detail?.row.id == next)
    }

    @Test func withoutColourOrGlyphsASignSaysIt() {
        var talk = ServedApp(options: AppOptions(isASCII: true), after: "j", "j")
        talk.others(.delete(talk.rowID))
        #expect(talk.lines.contains { $0.hasPrefix(">X ") })
    }
}
