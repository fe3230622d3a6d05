import Testing
import ValetModel

@testable import ValetTerminal

/// Fields that hold the id of another list's row show that row's title.
@Suite struct LinkedRowTests {
    /// Cars whose owner is a car.
    private static func talk() -> ServedApp {
        let editor = ColumnEditor.list(name: "cars", valueColumn: nil)
        let list = PlainCars.cars.with { $0.columns[4].editor = editor }
        var talk = ServedApp(lists: [list], after: "j")
        talk.server.cars[talk.rowID]?[4] = .text("3")
        return talk
    }

    private static func asked(_ talk: ServedApp) -> [Int64] {
        talk.actions.compactMap {
            if case .call(.linked("cars", let rowID)) = $0 { rowID } else { nil }
        }
    }

    @Test func theFormShowsTheTitleAndSavesTheID() {
        var talk = Self.talk()
        talk.press("e")
        #expect(talk.lines[6] == "   Owner ▾  1992 Volvo M2" && Self.asked(talk) == [3])
        // On the field, too, until something is typed.
        talk.press("up", "up", "down", "down", "down", "down")
        #expect(talk.lines[6] == "▌  Owner ▾  1992 Volvo M2")
        let screen = talk.app.draw()
        #expect(screen[6, 12].style == .reverse && screen.cursor == Position(row: 6, column: 12))
        talk.press(.text("1"))
        #expect(talk.lines[6] == "▌• Owner ▾  1")
        talk.press("0")
        #expect(talk.lines[6] == "▌• Owner ▾  10" && Self.asked(talk) == [3])
        talk.press("up")
        #expect(talk.lines[6] == "   Owner ▾  10" || talk.lines[6].hasPrefix(" • Owner ▾  1999 "))
        talk.press("^S")
        #expect(talk.submitted == [.set(talk.rowID, 4, .text("10"), seen: .cell(.text("3")))])
    }

    @Test func aPickedRowIsShownByItsTitle() throws {
        var talk = Self.talk()
        talk.press("e", .times(4, "tab"), "enter", "down", "down")
        let rowID = talk.rowID
        let title = try #require(talk.lines.first { $0.contains("│▌  ") || $0.contains("▌  ") })
        talk.press("enter")
        #expect(talk.app.picker == nil && Self.asked(talk).last == rowID)
        let shown = talk.lines[6].dropFirst(12)
        #expect(!shown.isEmpty && title.contains(shown))
    }

    /// What is typed is looked for among the titles, where only ids can be stored.
    @Test func aNameIsTypedWhereAnIDIsStored() {
        let list = PlainCars.cars.with {
            $0.columns[2].editor = .list(name: "cars", valueColumn: nil)
        }
        var talk = ServedApp(lists: [list], after: "j", "e", "tab", "tab")
        talk.press(.text("Fiat"))
        #expect(talk.app.picker != nil && talk.shows("Fiat") && talk.shows("Pick from Cars"))
        talk.press("esc", "2", "0", "0", "1")
        #expect(talk.app.picker == nil && talk.shows("• Year  ▾  2001"))
        talk.press("^U", .text("Volvo"), "enter")
        #expect(talk.app.picker == nil && talk.shows("Volvo") && talk.app.form?.changeCount == 1)
        // Without a connection it can only be typed.
        talk.send(.disconnected(reason: "test"))
        talk.press("^U", .text("V"))
        #expect(talk.app.picker == nil && talk.shows("• Year  ▾  V"))
    }

    @Test func theDetailAndItsPaneShowTheTitle() {
        var talk = Self.talk()
        talk.press("enter")
        #expect(talk.lines[6] == "   Owner  1992 Volvo M2")
        #expect(talk.press("G", "y").contains(.copy("3")), "a copy has what is stored")
    }

    @Test func aRowThatIsNotThereKeepsItsID() {
        var talk = Self.talk()
        talk.server.cars[3] = nil
        talk.press("e")
        #expect(talk.lines[6] == "   Owner ▾  3" && Self.asked(talk) == [3])
        talk.press("esc", "e")
        #expect(Self.asked(talk) == [3, 3], "asked again, since it may be there by now")
    }

    /// A break loses the query, and the next connection asks again.
    @Test func aBreakAsksAgain() {
        var talk = Self.talk()
        talk.pressHeldUp("enter")
        talk.deliverOne()
        #expect(talk.waiting.count == 1 && Self.asked(talk) == [3])
        talk.waiting = []
        talk.isHeldUp = false
        talk.wait(milliseconds: 100)
        #expect(talk.lines[6] == "   Owner  …", "not an id that would be another text in a moment")
        talk.send(.disconnected(reason: "test"))
        #expect(talk.lines[6] == "   Owner  3")
        talk.send(.connected)
        #expect(talk.lines[6] == "   Owner  1992 Volvo M2")
    }

    @Test func aConflictShowsBothTitles() throws {
        var talk = Self.talk()
        _ = try talk.openConflict(.field(4, "10"), theirs: [4: .text("17")])
        let line = talk.lines.first { $0.contains("│▌") } ?? ""
        #expect(line.contains("│▌Owner       1999 Volvo M9     2006 Volvo M16"))
    }

    @Test func manyAreAskedForSomeAtATime() {
        var rows = LinkedRows()
        let wanted = Set((0..<100).map { LinkedRow(list: "cars", rowID: $0) })
        var asked: [LinkedRow] = []
        while true {
            let next = rows.show(wanted)
            guard !next.isEmpty else { break }
            #expect(next.count <= 8)
            asked += next
            for row in next { rows.take("title", of: row) }
        }
        #expect(Set(asked) == wanted && asked.count == 100 && !rows.isAwaited)
    }
}
