import Testing
import ValetModel

@testable import ValetTerminal

/// Who else is here, and where the person is for others.
@Suite struct AppPresenceTests {
    @Test func theFirstLineNamesWhoIsHere() {
        var talk = ServedApp()
        talk.send(
            .othersChanged([
                .other(1, "ana"), .other(2, "bo"), .other(3, "ana"), .other(4, ""),
                .other(5, "a very long name indeed"), .other(6, "zoe", list: "trucks"),
            ]))
        #expect(talk.lines[0].hasSuffix("● live   ana  bo  somebody  +1"))
        talk.send(.resized(Size(columns: 50, rows: 24)))
        #expect(talk.lines[0].hasSuffix("● live   +4"))
        talk.send(.othersChanged([]))
        #expect(talk.lines[0].hasSuffix("● live"))
    }

    @Test func aNameNeverReachesTheTerminalAsItIs() {
        var talk = ServedApp()
        let rowID = talk.app.presence.rowID
        talk.send(.othersChanged([.other(1, "\u{1B}[2J\u{202E}bo\n", rowID, edits: true)]))
        talk.press("p")
        for line in talk.lines {
            #expect(!line.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
        }
    }

    @Test func aRowSaysWhoIsOnIt() throws {
        var talk = ServedApp()
        let rowID = try #require(talk.app.presence.rowID)
        talk.send(.othersChanged([.other(1, "ana", rowID), .other(2, "bo", rowID, edits: true)]))
        #expect(talk.lines[3].contains("  ●bo editing +1"))
        talk.send(.othersChanged([.other(1, "ana", rowID)]))
        #expect(talk.lines[3].contains("  ●ana"))
        talk.send(.othersChanged([.other(1, "ana", rowID, list: "trucks")]))
        #expect(!talk.lines[3].contains("ana"))
    }

    /// Wherever its badge falls among the columns, no number is another one.
    @Test(arguments: 30...99) func nobodyStandsOnAPartOfAValue(columns: Int) {
        var talk = ServedApp(lists: [PlainCars.table], size: Size(columns: columns, rows: 12))
        let rowID = talk.rowID
        let row = talk.lines.firstIndex { $0.hasPrefix("▌") } ?? 0
        talk.press("j")
        func words(_ line: String) -> [Substring] { line.split(separator: " ") }
        let before = Set(words(talk.lines[row]))
        talk.send(.othersChanged([.other(1, "bo", rowID, list: "table")]))
        let after = words(talk.lines[row])
        #expect(after.contains("●bo"))
        #expect(before.union(["●bo", "…"]).isSuperset(of: after), "\(talk.lines[row])")
    }

    @Test(arguments: [CellAccessory.check(column: 5), .disclosure, .detailButton])
    func theSignAtTheEndOfARowIsSeenBesideThem(accessory: CellAccessory) {
        var list = PlainCars.fleet
        list.cell.accessory = accessory
        var talk = ServedApp(lists: [list])
        let rowID = talk.rowID
        talk.press("x", "down")
        let before = talk.lines[3]
        talk.send(.othersChanged([.other(1, "ana", rowID)]))
        let after = talk.lines[3]
        #expect(after.suffix(4) == before.suffix(4) && after.contains(" ●ana "), "\(after)")
    }

    @Test func pListsWhoIsHereAndGoesToTheirRows() throws {
        var talk = ServedApp()
        talk.press("p", says: "Nobody else is here")
        talk.press(.times(5, "j"))
        let there = try #require(talk.app.presence.rowID)
        talk.press("Home")
        #expect(talk.app.presence.rowID != there)
        talk.send(
            .othersChanged([
                .other(1, "ana"), .other(2, "bo", there, edits: true), .other(3, "zoe", 4_711),
            ]))
        talk.press("p", shows: "Who is here", "ana  looks at the list", "bo   edits “")
        #expect(talk.shows("zoe  looks at row 4711"))
        talk.press("down", "enter")
        #expect(talk.app.presence.rowID == there)
    }

    @Test func thePersonsPlaceIsTheRowAndWhatIsDoneToIt() throws {
        var talk = ServedApp()
        let first = talk.app.presence
        #expect(first.list == "cars" && first.rowID != nil && first.activity == .looks)
        talk.press("j")
        let second = try #require(talk.app.presence.rowID)
        #expect(second != first.rowID)
        talk.press("enter")
        #expect(talk.app.presence == Presence(list: "cars", rowID: second))
        talk.press("e")
        #expect(talk.app.presence == Presence(list: "cars", rowID: second, activity: .edits))
        talk.press("esc", "q", "+")
        #expect(talk.app.presence == Presence(list: "cars", rowID: nil, activity: .edits))
    }

    @Test func outsideOfAListThePersonIsNowhere() {
        let app = App(options: AppOptions(targetName: "cars.sqlite"), size: .standard)
        #expect(app.presence == Presence(list: ""))
    }
}
