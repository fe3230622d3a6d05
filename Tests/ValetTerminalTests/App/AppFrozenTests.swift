import Testing
import ValetModel

@testable import ValetTerminal

/// A frozen list is of one revision, wherever the person looks, until it is thawed.
@Suite struct AppFrozenTests {
    private static let row = Change.insert([.text("Audi"), .text("A")])

    @Test func nothingMovesWhileTheListIsFrozen() {
        var talk = ServedApp(after: "j", "j", "z")
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

    @Test func rowsThatAreScrolledToAreOfTheSameRevision() {
        var talk = ServedApp(after: "z")
        let last = talk.server.order[999]
        for _ in 0..<3 { talk.others(Self.row) }
        talk.others(.set(last, 4, .text("Zoe")))
        talk.others(.delete(talk.server.order[500]))
        talk.press("G")
        #expect(talk.rowID == last && talk.app.list?.total == 1_000)
        #expect(!talk.shows("Zoe") && talk.lines[0].contains("‖ frozen +5"))
        talk.press("z")
        #expect(talk.shows("Zoe") && talk.app.list?.total == 1_002 && !talk.shows("frozen"))
    }

    @Test func anotherQueryIsFrozenAtItsOwnMoment() {
        var talk = ServedApp(after: "z")
        talk.others(Self.row)
        #expect(talk.shows("+1"))
        talk.press("2")
        #expect(talk.app.list?.total == 1_001 && talk.shows("‖ frozen   ● live"))
        #expect(talk.status.contains("Frozen again, at the newest rows"))
        talk.others(Self.row)
        talk.press("G")
        #expect(talk.app.list?.total == 1_001 && talk.shows("‖ frozen +1"))
    }

    // MARK: The rows that are opened and copied

    @Test func aDetailIsOfTheSameRevision() {
        var talk = ServedApp(after: "z")
        talk.others(.set(talk.rowID, 4, .text("Zoe")))
        talk.press("enter")
        #expect(talk.app.detail != nil && !talk.shows("Zoe"))
        talk.press("q", "z", "enter", shows: "Zoe")
    }

    @Test func copiesAreOfTheSameRevision() throws {
        var talk = ServedApp()
        let rowID = talk.rowID
        talk.press("z", "space")
        talk.others(.set(rowID, 4, .text("Zoe")))
        talk.press("Y")
        let frozen = try #require(talk.actions.last?.copied)
        talk.press("z", "Y")
        let newest = try #require(talk.actions.last?.copied)
        #expect(!frozen.contains("Zoe") && newest.contains("Zoe"))
    }

    @Test func aFormChangesTheRowAsItIsNow() {
        var talk = ServedApp(lists: [PlainCars.fleet], after: "z")
        talk.others(.set(talk.rowID, 4, .text("Zoe")))
        talk.press("enter")
        #expect(!talk.shows("Zoe"))
        talk.press("e")
        #expect(talk.app.form != nil && talk.shows("Zoe"))
        talk.press("esc")
        #expect(talk.app.detail != nil && !talk.shows("Zoe"))
    }

    @Test func aRefusalForAChangeNotShownSaysHowToSeeIt() {
        var talk = ServedApp(after: "z")
        talk.others(.set(talk.rowID, 4, .text("Zoe")))
        let words = "Not deleted: bo has changed it (z shows the list as it is now)"
        talk.press("d", "y", says: words)
    }

    // MARK: Until when

    @Test func aRevisionThatTheServerKeepsNoLongerIsNoLongerFrozen() {
        var talk = ServedApp(after: "z")
        talk.others(Self.row)
        talk.server.nextPinFailure = ValetError(.expired, "the log took too many bytes")
        talk.press("G")
        #expect(talk.app.list?.frozen == nil && talk.app.list?.total == 1_001)
        #expect(talk.status.contains("No longer frozen: the server has dropped"))
        talk.others(Self.row)
        #expect(talk.app.list?.total == 1_002)
    }

    @Test func aRowThatIsKeptNoLongerIsReadAsItIsNow() {
        var talk = ServedApp(after: "z")
        talk.others(.set(talk.rowID, 4, .text("Zoe")))
        talk.server.nextPinFailure = ValetError(.expired, "the log took too many bytes")
        talk.press("enter")
        #expect(talk.app.list?.frozen == nil && talk.shows("Zoe"))
    }

    @Test func nothingIsCopiedOfWhatIsKeptNoLonger() {
        var talk = ServedApp(after: "z", "space")
        talk.server.nextPinFailure = ValetError(.expired, "the log took too many bytes")
        talk.press("Y")
        #expect(talk.app.list?.frozen == nil)
        #expect(talk.status.contains("Not copied. No longer frozen"))
        #expect(talk.actions.allSatisfy { $0.copied == nil })
    }

    @Test func aListThatCannotBeFrozenSaysWhyAndGoesOn() {
        var talk = ServedApp()
        talk.server.nextPinFailure = ValetError(.busy, "16 views are pinned already")
        talk.press("z")
        #expect(talk.status.contains("Not frozen: ") && talk.status.contains("16 views"))
        talk.others(Self.row)
        #expect(talk.app.list?.frozen == nil && talk.app.list?.total == 1_001)
    }

    @Test func aLostConnectionThaws() {
        var talk = ServedApp(after: "z")
        talk.others(Self.row)
        talk.send(.disconnected(reason: "cut"))
        #expect(talk.shows("frozen") && talk.app.list?.total == 1_000)
        talk.server.connectionIsLost()
        talk.send(.connecting)
        talk.send(.connected)
        #expect(talk.app.list?.frozen == nil && talk.app.list?.total == 1_001)
        #expect(talk.status.contains("Reconnected, and no longer frozen"))
    }

    @Test func withoutAConnectionThereIsNothingToFreeze() {
        var talk = ServedApp()
        talk.send(.disconnected(reason: "cut"))
        talk.press("z", says: "Offline: the list can't be frozen")
        #expect(talk.app.list?.frozen == nil)
    }

    /// What is asked for before the server keeps the rows is of the newest revision, and shown as
    /// it was kept.
    @Test func theMomentIsThatOfTheServersAnswer() {
        var talk = ServedApp()
        talk.pressHeldUp("z", "G", shows: "‖ freezing   ● live")
        talk.others(Self.row)
        talk.resume()
        #expect(talk.app.list?.total == 1_001 && talk.shows("‖ frozen   ● live"))
        #expect(talk.app.list?.held.window?.revision == talk.server.revision)
        talk.others(Self.row)
        #expect(talk.app.list?.total == 1_001 && talk.shows("‖ frozen +1"))
    }

    @Test func aFirstRowIsNotFollowedWhileFrozen() {
        var talk = ServedApp(after: "z")
        let rowID = talk.rowID
        talk.others(Self.row)
        #expect(talk.rowID == rowID)
        talk.press("z")
        #expect(talk.rowID == rowID && talk.server.order[1] == rowID)
    }

    @Test func pagesThatWereAskedForAreTaken() {
        var talk = ServedApp()
        talk.server.hasSlowPages = true
        talk.press("z", "G")
        #expect(!talk.shows("░"))
    }

    @Test func oneOwnChangesShow() {
        var talk = ServedApp(lists: [PlainCars.fleet], after: "j", "z")
        let rowID = talk.rowID
        talk.press("d", "y")
        #expect(talk.app.list?.held.ordinal(of: rowID) == nil)
        #expect(talk.app.list?.total == 999 && talk.status.contains(", and frozen again"))
        // It is frozen anew, with that change.
        talk.others(Self.row)
        talk.press("G")
        #expect(talk.app.list?.total == 999 && talk.shows("‖ frozen +1"))
    }
}
