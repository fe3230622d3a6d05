import Testing
import ValetModel

@testable import ValetTerminal

/// Rows that are moved by hand.
@Suite struct AppMoveTests {
    private func open(
        rows: Int = 5, list: ListDescription = PlainCars.byHand, grouping: String? = nil
    ) -> ServedApp {
        var options = AppOptions()
        options.query.grouping = grouping
        return ServedApp(lists: [list], options: options, rows: rows)
    }

    /// The models and the section titles on the screen, from top to bottom.
    private func shown(_ talk: ServedApp) -> [String] {
        talk.lines.dropFirst(2).dropLast().compactMap { line in
            if let title = line.firstMatch(of: /^── (\S+)/) { return String(title.1) }
            return line.firstMatch(of: /M\d+/).map { String($0.0) }
        }
    }

    @Test func arrowsMoveTheRowAndEnterPutsItDown() {
        var talk = open()
        talk.press("m", says: "Moving “1990 Audi M0”: Enter drops it")
        #expect(shown(talk) == ["M0", "M1", "M2", "M3", "M4"])
        talk.press("j", "j")
        #expect(shown(talk) == ["M1", "M2", "M0", "M3", "M4"])
        #expect(talk.lines[4].hasPrefix("▌↕ 1990 Audi M0"))
        talk.press("k")
        #expect(shown(talk) == ["M1", "M0", "M2", "M3", "M4"])
        talk.press("G")
        #expect(shown(talk) == ["M1", "M2", "M3", "M4", "M0"])
        talk.press("g")
        #expect(shown(talk) == ["M0", "M1", "M2", "M3", "M4"])
        #expect(talk.submitted == [])
        talk.press("j", "j", "enter")
        #expect(talk.submitted == [.move(rowIDs: [1], to: .behind(.init(rowID: 3, seen: 1)))])
        #expect(shown(talk) == ["M1", "M2", "M0", "M3", "M4"])
        #expect(talk.lines[4].hasPrefix("▌  1990 Audi M0"))
        #expect(talk.app.list?.cursor.rowID == 1 && talk.app.message == "Moved “1990 Audi M0”")
        talk.press("u")
        #expect(shown(talk) == ["M0", "M1", "M2", "M3", "M4"])
        #expect(talk.app.message == "Undone: move of “1990 Audi M0”")
    }

    @Test func escapePutsTheRowBack() {
        var talk = open()
        talk.press("j", "m", "G", "esc")
        #expect(shown(talk) == ["M0", "M1", "M2", "M3", "M4"] && talk.submitted == [])
        #expect(talk.app.list?.cursor.rowID == 2 && talk.app.list?.mode == .browsing)
        talk.press("m", "enter")
        #expect(talk.app.list?.mode == .browsing && talk.submitted == [])
        talk.press("m", "j", "Q", "/", "e")
        #expect(talk.app.list?.mode.isMoving == true, "other keys do nothing")
        talk.press("^C")
        #expect(talk.app.list?.mode == .browsing)
    }

    @Test func aRowThatWasPutDownStaysThereUntilItsOutcome() {
        var talk = open()
        talk.pressHeldUp("m", "j", "enter")
        #expect(shown(talk) == ["M1", "M0", "M2", "M3", "M4"])
        #expect(talk.lines[3].hasPrefix("▌… 1990 Audi M0"))
        talk.resume()
        #expect(shown(talk) == ["M1", "M0", "M2", "M3", "M4"])
        #expect(
            talk.lines[3].hasPrefix("▌  1990 Audi M0") && talk.app.list?.viewport.dropped == nil)
    }

    @Test func aMovedRowStaysNextToItsNeighbourWhateverOthersDo() {
        var talk = open()
        talk.press("m", "j", "j")
        let cells = talk.server.cars[2]
        talk.server.cars[2] = nil
        talk.server.cars[99] = cells?.enumerated().map { $0 == 3 ? .real(-1) : $1 }
        talk.server.revision += 1
        talk.server.arrange()
        talk.answer(
            .window(talk.server.window(anchor: 0, before: 0, count: 5)), toNewest: \.isWindow)
        #expect(shown(talk) == ["M1", "M2", "M0", "M3", "M4"], "another M1 came above")
        talk.press("enter")
        #expect(talk.server.orderByHand == [99, 3, 1, 4, 5])
    }

    @Test func aRowThatIsPutIntoAnotherSectionJoinsIt() {
        var talk = open(rows: 7, grouping: "Make")
        talk.press("2")
        #expect(shown(talk).prefix(4) == ["Audi", "M0", "BMW", "M5"])
        talk.press("j", "m", "k")
        // The only row of its section goes behind the last one of the section before.
        #expect(shown(talk).prefix(4) == ["Audi", "M0", "M5", "Buick"])
        talk.press("k")
        #expect(shown(talk).prefix(4) == ["Audi", "M5", "M0", "Buick"])
        talk.press("enter")
        #expect(
            talk.submitted == [
                .move(rowIDs: [6], to: .before(.init(rowID: 1, seen: 1, joining: "Make")))
            ])
        #expect(shown(talk).prefix(4) == ["Audi", "M5", "M0", "Buick"])
        talk.press("m", "j", "j")
        #expect(shown(talk).prefix(5) == ["Audi", "M0", "Buick", "M5", "M3"])
        talk.press("j", "k", "k", "enter")
        #expect(talk.submitted.last == .move(rowIDs: [6], to: .behind(.init(rowID: 1, seen: 2))))
    }

    @Test func aSectionWhoseValueCannotBeSetTakesNoRow() {
        var talk = open(rows: 5, grouping: "Year")
        talk.press("3", "m", "G", "enter")
        #expect(talk.submitted == [] && talk.app.list?.mode.isMoving == true)
        #expect(talk.app.message == "The row can't be moved to this section")
    }

    @Test func withoutAManualOrderNothingIsMoved() {
        let byHand = PlainCars.byHand
        for (list, keys, words) in [
            (PlainCars.cars, [], "Rows of Cars can't be moved by hand"),
            (byHand, ["4"], "To move rows by hand, group by “Hand” or “Make” or “Year”"),
            (byHand.with { $0.isEditable = false }, [], "Cars is read-only"),
            (byHand, ["s", "M", "enter"], "To move rows by hand, drop the sort first"),
            (byHand, ["/", "a", "enter"], "To move rows by hand, leave the search first"),
        ] as [(ListDescription, [String], String)] {
            var talk = open(list: list)
            for key in keys + ["m"] { talk.press(key) }
            #expect(talk.app.list?.mode.isMoving == false && talk.app.message == words)
        }
    }

    @Test func aNeighbourThatIsElsewhereIsSaid() {
        var talk = open()
        talk.server.nextVerdict = .conflict([Conflict(2, .rowChanged)])
        talk.press("m", "j", "enter")
        #expect(talk.app.message == "Not moved: bo has moved the row next to it")
        #expect(shown(talk) == ["M0", "M1", "M2", "M3", "M4"])
    }

    /// Whatever the keys, the row is put down where it is shown.
    @Test(arguments: [UInt64(1), 2, 3, 4], [nil, "Make"])
    func aRowIsPutDownWhereItIsShown(seed: UInt64, grouping: String?) {
        var random = SeededNumbers(seed: seed)
        let count = 3 + random.below(40)
        var talk = open(rows: count)
        if grouping != nil { talk.press("2") }
        let keys = ["j", "k", "j", "k", "pgdn", "pgup", "^D", "g", "G"]
        for _ in 0..<25 {
            for _ in 0..<random.below(4) { talk.press(keys[random.below(keys.count)]) }
            talk.press("m")
            for _ in 0..<1 + random.below(5) { talk.press(keys[random.below(keys.count)]) }
            let before = shown(talk)
            #expect(before.contains { $0.hasPrefix("M") })
            let line = talk.lines.firstIndex { $0.hasPrefix("▌") }
            talk.press("enter")
            #expect(talk.app.list?.mode == .browsing, "seed \(seed)")
            #expect(talk.lines.firstIndex { $0.hasPrefix("▌") } == line, "seed \(seed)")
            #expect(shown(talk) == before, "seed \(seed)")
            #expect(Set(shown(talk)).count == shown(talk).count, "seed \(seed)")
        }
    }
}
