import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// A frozen list stands still until the person moves or thaws it.
@Suite struct AppFrozenTests {
    private static let row = Change.insert([
        [ColumnValue(column: 0, value: .text("Audi")), ColumnValue(column: 1, value: .text("A"))]
    ])

    @Test func nothingMovesWhileTheListIsFrozen() {
        var talk = ServedApp()
        talk.press("j", "j", "z")
        let before = talk.lines
        #expect(before[0].hasSuffix("‖ frozen   ● live"))
        talk.others(Self.row)
        talk.others(.delete(talk.rowID))
        talk.others(.set(talk.server.order[5], 4, .text("Zoe")))
        #expect(talk.lines[0].hasSuffix("‖ frozen +3   ● live"))
        #expect(talk.lines.dropFirst() == before.dropFirst())
        talk.press("z")
        #expect(!talk.shows("frozen") && talk.shows("Zoe"))
        #expect(talk.app.list?.held.window?.revision == talk.server.revision)
        #expect(talk.lines.contains { $0.hasPrefix("▌✗") })
    }

    @Test func whatIsScrolledToIsNewAndStandsThen() {
        var talk = ServedApp()
        talk.press("z")
        for _ in 0..<3 { talk.others(Self.row) }
        talk.press("G")
        #expect(talk.app.list?.total == 1_003 && !talk.shows("+"))
        let before = talk.lines
        talk.others(.delete(talk.rowID))
        #expect(talk.lines.dropFirst() == before.dropFirst() && talk.lines[0].contains("+1"))
    }

    @Test func aFirstRowIsNotFollowedWhileFrozen() {
        var talk = ServedApp()
        talk.press("z")
        let rowID = talk.rowID
        talk.others(Self.row)
        #expect(talk.rowID == rowID)
        talk.press("z")
        #expect(talk.rowID == talk.server.order[0] && talk.rowID != rowID)
    }

    @Test func pagesThatWereAskedForAreTaken() {
        var talk = ServedApp()
        talk.server.hasSlowPages = true
        talk.press("z", "G")
        #expect(!talk.shows("░"))
    }

    @Test func oneOwnChangesShow() {
        var talk = ServedApp(lists: [PlainCars.fleet])
        talk.press("j", "z")
        let rowID = talk.rowID
        talk.press("d", "y")
        #expect(talk.app.list?.held.ordinal(of: rowID) == nil)
        #expect(talk.app.list?.total == 999)
    }

    @Test func anASCIITerminalSaysSoToo() {
        var talk = ServedApp(options: AppOptions(isASCII: true))
        talk.press("z")
        #expect(talk.lines[0].hasSuffix("|| frozen   * live"))
    }
}
