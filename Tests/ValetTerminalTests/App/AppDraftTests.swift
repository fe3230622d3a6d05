import Foundation
import Testing
import ValetModel

@testable import ValetTerminal

/// What was typed when the program was ended comes back at the next start.
@Suite struct AppDraftTests {
    /// As it is written to a file and read again.
    private static func kept(_ talk: ServedApp) throws -> [Draft] {
        let data = try JSONEncoder().encode(talk.app.drafts(wasEnded: true))
        return try JSONDecoder().decode([Draft].self, from: data)
    }

    private static func started(
        with drafts: [Draft], lists: [ListDescription] = [PlainCars.cars],
        _ change: (inout PlainCars) -> Void = { _ in }
    ) -> ServedApp {
        var options = AppOptions()
        options.drafts = drafts
        var talk = ServedApp(lists: lists, options: options, isConnected: false)
        change(&talk.server)
        talk.send(.connected)
        return talk
    }

    /// The first row with another model, before it is saved.
    private static var typed: ServedApp { ServedApp(after: "e", .field(1, "typed")) }

    @Test func offersAnOpenFormAgain() throws {
        var talk = Self.started(with: try Self.kept(Self.typed))
        #expect(talk.status.contains("Not saved last time: “1990 Audi M0”. e on its row opens it"))
        let rowID = talk.rowID
        talk.press("e")
        #expect(talk.app.form?.cells == [1: .text("typed")])
        talk.press("^S")
        #expect(talk.submitted == [.set(rowID, 1, .text("typed"), seen: .cell(.text("M0")))])
        #expect(talk.app.drafts(wasEnded: true).isEmpty)
    }

    @Test func offersWhatWasNotTakenAndWhatHadNoOutcome() throws {
        var refused = Self.typed
        refused.server.nextVerdict = .refused([Refusal(row: 0, column: 1, message: "no")])
        refused.press("^S")
        #expect(try Self.kept(refused).count == 1)
        var waiting = Self.typed
        waiting.pressHeldUp("^S")
        #expect(waiting.app.isSaving)
        #expect(try Self.kept(waiting).count == 1)
        waiting.resume()
        #expect(!waiting.app.isSaving)
        #expect(try Self.kept(waiting).isEmpty)
    }

    @Test func namesDeletionsAndMovesThatHadNoOutcome() throws {
        var talk = ServedApp(lists: [PlainCars.fleet])
        talk.pressHeldUp("x", "down", "d", "y", "u")
        let drafts = try Self.kept(talk)
        talk = Self.started(with: drafts, lists: [PlainCars.fleet])
        let deeds = ["check of “1990 Audi M0”", "deletion of “2009 Audi M0”", "undo"]
        #expect(
            talk.app.message == "Not confirmed last time: \(deeds.joined(separator: ", "))")
        #expect(try Self.kept(talk).isEmpty, "said once")
        talk = Self.started(with: drafts + (try Self.kept(Self.typed)), lists: [PlainCars.fleet])
        #expect(talk.app.message?.contains("opens it. Not confirmed last time: check") == true)
        // Its list was not opened.
        talk = Self.started(with: drafts, lists: [PlainCars.table, PlainCars.byHand])
        #expect(talk.app.drafts(wasEnded: false) == drafts)
    }

    @Test func offersANewRowAgain() throws {
        var talk = ServedApp(after: "+", .field(0, "Opel"))
        talk = Self.started(with: try Self.kept(talk))
        #expect(talk.status.contains("Not saved last time: a new row. + opens it"))
        talk.press("+", "^S")
        #expect(talk.submitted == [.insert([0: .text("Opel")])])
    }

    @Test func keepsAClearedFieldAndASwitch() throws {
        var talk = ServedApp(lists: [PlainCars.fleet], after: "e", "^U", .times(5, "tab"), "space")
        let cells = talk.app.form?.cells
        #expect(cells == [0: .null, 5: .integer(1)])
        talk = Self.started(with: try Self.kept(talk), lists: [PlainCars.fleet])
        talk.press("e")
        #expect(talk.app.form?.cells == cells)
    }

    /// Another file may be at the same path: the id is another row's.
    @Test func neverChangesAnotherRow() throws {
        let drafts = try Self.kept(Self.typed)
        var talk = Self.started(with: drafts, Self.haveOtherOwners)
        talk.press("e")
        #expect(talk.app.conflict?.isOfDeletedRow == true && talk.app.form == nil)
        #expect(talk.shows("This row can't be found again"))
    }

    @Test func showsWhatWasTypedIntoAColumnThatIsGone() throws {
        let other = PlainCars.cars.with { $0.columns[1].name = "another" }
        let talk = Self.started(with: try Self.kept(Self.typed), lists: [other])
        var form = talk
        form.press("e")
        #expect(form.lines.contains { $0.contains("model “typed”") } || form.app.conflict != nil)
        #expect(talk.app.changes.unsavedForms(besides: nil).first?.lost == ["model “typed”"])
    }

    @Test func asksBeforeItIsGivenUpAndKeepsWhatWasNotOpened() throws {
        let drafts = try Self.kept(Self.typed)
        var talk = Self.started(with: drafts)
        talk.press("Q", says: "1 change is not saved. Quit?")
        #expect(talk.press("y") == [.quit(0)])
        #expect(talk.app.drafts(wasEnded: false).isEmpty)
        // Its list was not opened in this one.
        talk = Self.started(with: drafts, lists: [PlainCars.table, PlainCars.byHand])
        #expect(talk.app.drafts(wasEnded: false) == drafts)
    }

    @Test func aDraftThatIsTypedOnTakesThePlaceOfItsOrigin() throws {
        var talk = Self.started(with: try Self.kept(Self.typed))
        talk.press("e", .field(1, "newer"))
        let drafts = try Self.kept(talk)
        #expect(drafts.map(\.typed) == [["model": .text("newer")]])
    }

    /// Two windows had the same row open.
    @Test func oneOfSeveralOfARowIsOfferedAndTheOthersAreKept() throws {
        var drafts: [Draft] = []
        for text in ["one", "two"] {
            drafts += try Self.kept(ServedApp(after: "e", .field(1, text)))
        }
        var talk = Self.started(with: drafts)
        talk.press("e")
        #expect(talk.app.form?.cells == [1: .text("two")])
        talk.press("^S")
        #expect(talk.app.drafts(wasEnded: false) == [drafts[0]])
    }

    @Test func severalNewRowsAreOfferedOneAfterTheOther() throws {
        var talk = ServedApp()
        for make in ["Opel", "Saab", "Seat"] {
            talk.pressHeldUp("+", .field(0, make), "^S")
        }
        talk = Self.started(with: try Self.kept(talk))
        #expect(talk.status.contains("a new row and 2 more"))
        #expect(talk.app.drafts(wasEnded: true).count == 3)
        for _ in 0..<3 { talk.press("+", "^S") }
        #expect(talk.submitted == ["Opel", "Saab", "Seat"].map { .insert([.text($0)]) })
        #expect(talk.app.drafts(wasEnded: true).isEmpty)
    }

    /// In the same file, somebody has changed another field since.
    @Test func goesOnWhereAnotherFieldWasChangedSince() throws {
        var talk = ServedApp(lists: [Self.kept], after: "e", .field(1, "typed"))
        let drafts = try Self.kept(talk)
        talk = Self.started(with: drafts, lists: [Self.kept], Self.haveOtherOwners)
        talk.press("e")
        #expect(talk.app.conflict == nil && talk.app.form?.cells == [1: .text("typed")])
        // In another file it is another row.
        let other = Self.kept.with { $0.epoch = 8 }
        talk = Self.started(with: drafts, lists: [other], Self.haveOtherOwners)
        talk.press("e")
        #expect(talk.app.conflict?.isOfDeletedRow == true)
    }

    private static let kept = PlainCars.cars.with { ($0.rowIDs, $0.epoch) = (.row, 1) }

    private static func haveOtherOwners(_ server: inout PlainCars) {
        for rowID in server.cars.keys { server.cars[rowID]?[4] = .text("Somebody") }
    }

    @Test func isAnnouncedWhereTheListsComeFirst() throws {
        let talk = Self.started(
            with: try Self.kept(Self.typed), lists: [PlainCars.cars, PlainCars.table])
        #expect(talk.status.contains("Not saved last time: changes in Cars. Enter shows them"))
    }

    // MARK: What was not taken

    private static func refused(_ talk: inout ServedApp, _ keys: String...) {
        talk.pressHeldUp("^S")
        for key in keys { talk.press(key) }
        talk.server.nextVerdict = .refused([Refusal(row: 0, column: 1, message: "no")])
        talk.resume()
    }

    @Test func aDraftThatIsNotTakenIsKeptAlsoWhereItsListWasLeft() {
        var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table], after: "enter", "e")
        talk.press(.field(1, "typed"))
        Self.refused(&talk, "q")
        #expect(talk.status.contains("Not saved: no  (Cars)"))
        talk.press("enter", "e")
        #expect(talk.app.form?.cells == [1: .text("typed")])
    }

    @Test func twoNewRowsThatAreNotTakenAreBothKept() {
        var talk = ServedApp()
        for make in ["Opel", "Saab"] {
            talk.pressHeldUp("+")
            talk.press(.field(0, make), "^S")
        }
        talk.press("j")
        talk.isHeldUp = false
        for _ in 0..<2 {
            talk.server.nextVerdict = .refused([Refusal(row: 0, column: 0, message: "no")])
            talk.deliverOne()
        }
        talk.deliver()
        #expect(talk.app.changes.unsavedForms(besides: nil).count == 2)
        var opened: Set<Cell> = []
        for _ in 0..<2 {
            talk.press("+")
            opened.insert(talk.app.form?.cells[0] ?? .null)
            talk.press("esc", "y")
        }
        #expect(opened == [.text("Opel"), .text("Saab")])
        talk.press("+")
        #expect(talk.app.form?.changeCount == 0, "what was discarded is gone")
    }

    @Test func anEditThatIsNotSavedIsShownBeforeQuitting() {
        var talk = Self.typed
        Self.refused(&talk, "j")
        talk.others(.delete(talk.server.order[0]))
        talk.press("Q", says: "s Show")
        talk.press("s")
        #expect(talk.app.palette?.items.map(\.title) == ["1990 Audi M0"])
        talk.press("enter")
        #expect(talk.app.form?.cells == [1: .text("typed")] || talk.app.conflict != nil)
    }

    /// A detail of the list that is left would act on the other list.
    @Test func anEditOfAnotherListIsShownWithNothingOfTheListThatIsLeft() {
        var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table], after: "enter", "e")
        talk.press(.field(1, "typed"))
        Self.refused(&talk, "q")
        talk.press("j", "enter", "j", "enter")
        #expect(talk.app.list?.list.name == "table" && talk.app.detail != nil)
        talk.press("Q", "s", "enter")
        #expect(talk.app.list?.list.name == "cars")
        #expect(talk.app.form?.cells == [1: .text("typed")] && talk.app.layers.all.count == 1)
    }

    @Test func whatIsTypedStaysWhenAnotherEditIsShown() throws {
        var talk = Self.typed
        Self.refused(&talk, "j")
        let refused = try #require(talk.app.changes.unsavedForms(besides: nil).first?.rejection)
        talk.press("e", .field(1, "second"))
        _ = talk.app.openRejection(refused)
        #expect(talk.app.form?.cells == [1: .text("typed")])
        talk.press("^U", .text("more"))
        // The one that is on the screen goes on.
        _ = talk.app.openRejection(refused)
        #expect(talk.app.form?.cells == [1: .text("more")])
        talk.press("^S")
        let others = talk.app.changes.unsavedForms(besides: nil)
        #expect(others.map(\.cells) == [[1: .text("second")]])
    }

    @Test func keepsALongTextThatWasTypedOver() throws {
        let long = String(repeating: "long ", count: 100)
        func change(_ server: inout PlainCars) {
            for rowID in server.cars.keys { server.cars[rowID]?[1] = .text(long) }
        }
        var talk = ServedApp(isConnected: false)
        change(&talk.server)
        talk.send(.connected)
        talk.press("e", .field(1, "short"))
        talk = Self.started(with: try Self.kept(talk), change)
        let rowID = talk.rowID
        talk.press("e", "^S")
        #expect(
            talk.submitted == [
                .set(rowID, 1, .text("short"), seen: .long(ValueDigest(of: long.utf8)))
            ])
    }

    /// What was seen there was bytes, of which nothing is kept.
    @Test func savesOverWhatIsStoredWhereItIsNotKnownWhatWasSeen() throws {
        var drafts = try Self.kept(Self.typed)
        drafts[0].seen["model"] = nil
        var talk = Self.started(with: drafts)
        talk.press("e", "^S")
        #expect(talk.submitted == [.set(talk.rowID, 1, .text("typed"), seen: .cell(.text("M0")))])
    }
}
