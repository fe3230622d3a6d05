import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

@Test func aRowIsReadBeforeItIsEditedAndWhatWasSeenIsSent() {
    var talk = ServedApp(after: "j", "j")
    let rowID = talk.rowID
    talk.actions = []
    talk.pressHeldUp("e")
    #expect(talk.actions == [.detail(rowID)])
    // Nothing is typed over a row that isn't here: the keys wait for it.
    talk.press("tab", "^U", .text("Z"), .paste("1"), "^S")
    #expect(talk.app.form?.isReading == true && talk.submitted.isEmpty)
    talk.resume()
    #expect(talk.submitted == [.set(rowID, 1, .text("Z1"), seen: .cell(.text("M1")))])
    #expect(talk.app.form == nil && talk.server.cars[rowID]?[1] == .text("Z1"))
    #expect(talk.status.contains("Saved “1998 Audi Z1”"))
}

@Test func oneOwnEditIsFollowed() throws {
    var talk = ServedApp(after: "pgdn", "k", "k")
    let rowID = talk.rowID
    let line = try #require(talk.app.list?.cursor.line)
    talk.press("e", .field(0, "Volvo"), "^S")
    #expect(talk.rowID == rowID && talk.app.list?.cursor.line == line)
    #expect(talk.app.list?.cursor.ordinal == talk.server.order.firstIndex(of: rowID))
    #expect((talk.app.list?.cursor.ordinal ?? 0) > 700)
}

@Test(arguments: [("audi", "e"), ("volvo", "+")])
func aRowThatTheSearchDoesNotFindLeavesWithAWord(search: String, key: String) throws {
    var talk = ServedApp(after: "/", .text(search), "enter", "j", "j")
    let (next, line) = (talk.server.order[key == "e" ? 3 : 2], talk.app.list?.cursor.line)
    talk.press(key)
    talk.press(.field(0, "Fiat"), "^S", says: "”, which doesn't match “\(search)” now")
    #expect(talk.status.hasPrefix(key == "e" ? " Saved “1998 Fiat M1" : " Added “– Fiat"))
    #expect(talk.rowID == next && talk.app.list?.cursor.line == line)
    // Without the search it is where it belongs.
    talk.press("j")
    #expect(!talk.status.contains("match"))
}

@Test func aRowThatWaitsShowsWhatItWillBe() throws {
    var talk = ServedApp(after: "j", "e", .field(1, "Z9"))
    talk.pressHeldUp("^S")
    let line = try #require(talk.lines.first { $0.hasPrefix("▌") })
    #expect(line.hasPrefix("▌… 2009 Audi Z9"))
    talk.press("e")
    #expect(talk.app.form == nil && talk.status.contains("still being saved"))
    talk.send(.disconnected(reason: "test"))
    #expect(talk.lines[0].contains("○ offline · 1 waiting"))
}

@Test func aTypedValueIsCheckedOnLeavingTheField() {
    var talk = ServedApp(after: "e", .field(2, "soon"))
    #expect(talk.app.form?.fields[2].problem == nil)
    talk.press("tab")
    #expect(talk.lines.contains { $0.hasSuffix("! a whole number, such as 2019") })
    talk.press("tab", "tab", "^S")
    #expect(talk.submitted.isEmpty && talk.app.form?.selected == 2)
    talk.press("^U", "2", "0", "2", "6", "^S")
    #expect(talk.submitted.count == 1 && talk.app.form == nil)
}

@Test func aFieldThatIsNotChangedIsNotSent() {
    let talk = ServedApp(after: "e", "tab", "x", "backspace", "^S")
    #expect(talk.submitted.isEmpty && talk.app.form == nil)
    #expect(talk.status.contains("Nothing was changed"))
}

@Test func escapeAsksBeforeChangesAreLost() {
    var talk = ServedApp(after: "e", "esc")
    #expect(talk.app.form == nil)
    talk.press("e", "x", "tab", "y", "esc")
    #expect(talk.status.hasPrefix(" Discard 2 changes?  [Keep editing]  y Discard"))
    // Whatever is typed meanwhile is no answer; Enter is the safe one.
    talk.press("a", "Q", "enter")
    #expect(talk.app.form?.changeCount == 2)
    talk.press("esc", "esc")
    #expect(talk.app.form?.changeCount == 2)
    talk.press("esc", "y")
    #expect(talk.app.form == nil && talk.submitted.isEmpty)
}

@Test func theServersObjectionTakesTheCaret() {
    var talk = ServedApp(after: "j", "e")
    talk.server.nextVerdict = .refused([
        Refusal(row: 0, column: 2, message: "nobody builds cars then")
    ])
    talk.press(.field(2, "2999"), "up", "^S")
    // Nothing was pressed since, so the form is back at once.
    #expect(talk.app.form?.selected == 2 && talk.app.form?.changeCount == 1)
    #expect(talk.lines.contains { $0.hasSuffix("! nobody builds cars then") })
    talk.press("^U", "2", "0", "2", "0", "^S")
    #expect(talk.submitted.count == 2 && talk.app.form == nil)
    #expect(talk.status.contains("Saved"))
}

@Test func aRejectedRowIsMarkedUntilItIsOpenedAgain() throws {
    var talk = ServedApp(after: "j", "e")
    talk.server.nextVerdict = .refused([Refusal(row: 0, column: 1, message: "taken")])
    talk.press(.field(1, "Z9"))
    talk.pressHeldUp("^S", "j")
    talk.resume()
    #expect(talk.app.form == nil && talk.status.contains("Not saved: taken  (e)"))
    let line = try #require(talk.lines.first { $0.hasPrefix(" !") })
    // What was there before is there again.
    #expect(line.hasPrefix(" ! 2009 Audi M0"))
    talk.press("k", "e")
    #expect(talk.app.form?.fields[1].problem == "taken")
    #expect(talk.app.form?.changeCount == 1)
    talk.press("^S")
    #expect(talk.app.form == nil && !talk.lines.contains { $0.hasPrefix("▌!") })
}

/// Opens the dialog about the model of the second row: mine is `Mine`, theirs `Theirs`.
private func conflict() throws -> (ServedApp, Int64) {
    var talk = ServedApp(after: "j")
    let rowID = try talk.openConflict(
        .field(1, "Mine"), .field(1, "7"), theirs: [1: .text("Theirs")])
    return (talk, rowID)
}

@Test func mineIsSentAgainWithTheirsAsSeen() throws {
    var (talk, rowID) = try conflict()
    talk.press("1")
    let edits = [
        CellEdit(1, .text("Mine"), seen: .text("Theirs")),
        CellEdit(2, .integer(7), seen: .integer(2009)),
    ]
    #expect(talk.submitted == [.update([RowEdit(rowID: rowID, cells: edits)])])
    #expect(talk.app.conflict == nil && talk.server.cars[rowID]?[1] == .text("Mine"))
}

@Test func theirsLeavesTheRestOfTheEdit() throws {
    var (talk, rowID) = try conflict()
    talk.press("2")
    #expect(talk.submitted == [.set(rowID, 2, .integer(7), seen: .cell(.integer(2009)))])
    #expect(talk.server.cars[rowID]?[1] == .text("Theirs"))
}

@Test func aConflictCanBeEdited() throws {
    var (talk, rowID) = try conflict()
    talk.press("e")
    #expect(talk.actions == [.detail(rowID)])
    #expect(talk.app.form?.isReading == false && talk.app.form?.changeCount == 2)
    talk.press("^S")
    #expect(talk.server.cars[rowID]?[1] == .text("Mine"))
}

@Test func aConflictCanWait() throws {
    var (talk, _) = try conflict()
    talk.press("esc")
    #expect(talk.app.conflict == nil && talk.lines.contains { $0.hasPrefix("▌! 2009 Audi") })
    talk.press("e")
    #expect(talk.app.conflict != nil && talk.submitted.isEmpty)
}

@Test func aRowThatSomebodyDeletedCanBeAddedAgain() throws {
    var talk = ServedApp(after: "j", "e")
    let rowID = talk.rowID
    talk.press(.field(1, "Mine"))
    talk.server.cars[rowID] = nil
    talk.press("^S")
    #expect(try #require(talk.app.conflict).isOfDeletedRow)
    talk.press("1", "2", "e", "+")
    #expect(talk.app.form?.purpose == .add)
    talk.press("^S")
    #expect(
        talk.submitted.last
            == .insert([.text("Audi"), .text("Mine"), .integer(2009), .real(29.5), .text("漢字")]))
}

@Test func aNewRowIsFollowedToItsPlace() {
    let talk = ServedApp(after: "+", .field(0, "Fiat"), "tab", .text("Panda"), "^S")
    #expect(talk.submitted == [.insert([.text("Fiat"), .text("Panda")])])
    #expect(talk.rowID == 1_001 && talk.app.list?.total == 1_001)
    #expect(talk.status.contains("Added"))
}

@Test func aDeletionAsksOnceAndKeepsByDefault() {
    var talk = ServedApp(after: "j")
    let rowID = talk.rowID
    talk.press("d")
    #expect(talk.status.hasPrefix(" Delete “2009 Audi M0”?  [Keep]  y Delete"))
    talk.press("enter")
    #expect(talk.submitted.isEmpty && talk.app.confirmation == nil)
    talk.press("d", "d", "esc", "d", "y")
    #expect(talk.submitted == [.delete([RowDeletion(rowID: rowID, seen: 1)])])
    #expect(talk.server.cars[rowID] == nil && talk.app.list?.total == 999)
    // The neighbour takes its place.
    #expect(talk.app.list?.cursor.ordinal == 1 && talk.rowID == talk.server.order[1])
}

@Test func aRowThatWasChangedSinceIsNotDeleted() {
    var talk = ServedApp(after: "j")
    talk.server.revision += 1
    let asked = talk.actions.count
    talk.press("d", "y", says: "Not deleted: bo has changed it")
    #expect(talk.server.cars.count == 1_000)
    // The rows come again, of the newest revision.
    #expect(
        talk.actions.dropFirst(asked).contains {
            if case .call(.window) = $0 { true } else { false }
        })
}

@Test func aCheckIsTurnedRound() {
    var talk = ServedApp(lists: [PlainCars.fleet], after: "j")
    let rowID = talk.rowID
    talk.press("x")
    #expect(talk.submitted == [.set(rowID, 5, .integer(1), seen: .anything)])
    #expect(talk.lines.contains { $0.hasPrefix("▌✓ 2009 Audi M0") })
    // What is seen is turned round, also before the server has answered.
    talk.actions = []
    talk.pressHeldUp("x", "x")
    #expect(
        talk.submitted == [
            .set(rowID, 5, .integer(0), seen: .anything),
            .set(rowID, 5, .integer(1), seen: .anything),
        ])
}

@Test func aKeyThatEditsWaitsForItsRow() {
    var talk = ServedApp()
    talk.pressHeldUp("G", "e")
    #expect(talk.app.form == nil && talk.app.wantsTicks)
    talk.resume()
    #expect(talk.app.form?.rowID == talk.server.order.last)
    talk.press("esc")
    talk.pressHeldUp("g", "d", "esc")
    talk.resume()
    #expect(talk.app.confirmation == nil)
}

@Test func quittingAsksWhileAChangeWaits() {
    var talk = ServedApp()
    talk.pressHeldUp("u", "q")
    #expect(talk.status.hasPrefix(" 1 change is not saved yet. Quit?  [Stay]  y Quit"))
    talk.press("esc", "Q")
    #expect(!talk.actions.contains(.quit(0)))
    #expect(talk.press("y") == [.quit(0)])
}

/// Also where another way than `q` ends the program.
@Test func everyWayToQuitAsksWhileAChangeWaits() {
    var talk = ServedApp()
    talk.pressHeldUp("u", "^C")
    #expect(talk.press("^C").isEmpty && talk.status.contains("not saved yet. Quit?"))
    talk.press("esc", "?", .text("at the top"))
    talk.click("back; quits at the top")
    #expect(talk.app.palette == nil && !talk.actions.contains(.quit(0)))
    #expect(talk.status.contains("not saved yet. Quit?"))
    #expect(talk.press("y") == [.quit(0)])
}

@Test func aBreakDoesNotEndAnEdit() {
    var talk = ServedApp()
    talk.pressHeldUp("e", .text("xyz"))
    talk.send(.disconnected(reason: "test"))
    talk.isHeldUp = false
    talk.send(.connected)
    #expect(talk.app.form?.isReading == false)
    #expect(talk.app.form?.cells == [0: .text("xyz")])
}

/// After a conflict the row is read again under what was typed.
@Test(arguments: [ErrorCode.busy, .unknownRow, .shuttingDown])
func whatWasTypedIsKeptWhenTheRowCanNotBeReadAgain(code: ErrorCode) {
    var talk = ServedApp(after: "e", .field(1, "mine"))
    let theirs = Conflict(talk.rowID, .cell(1, .text("theirs")))
    talk.server.nextVerdict = .conflict([theirs])
    talk.press("^S")
    talk.pressHeldUp("e")
    #expect(talk.app.form?.isReading == true)
    talk.waiting = []
    talk.fail(code, "test", newest: \.isDetail)
    talk.isHeldUp = false
    switch code {
    case .busy:
        #expect(talk.app.form == nil && talk.status.contains("What was typed is kept  (e)"))
        talk.press("e")
    case .unknownRow: #expect(talk.app.conflict?.isOfDeletedRow == true)
    default: talk.reconnect()
    }
    #expect(talk.app.edited?.cells[1] == .text("mine"))
}

@Test func anOlderReadingDoesNotReplaceANewerOneInAForm() {
    var talk = ServedApp(after: "e")
    let rowID = talk.rowID
    for (revision, model) in [(9, "newer"), (8, "older")] as [(UInt64, String)] {
        var cells = talk.server.cars[rowID] ?? []
        cells[1] = .text(model)
        let detail = RowDetail(id: rowID, revision: revision, cells: cells)
        talk.answer(.success(.detail(detail)), to: .detail(list: "cars", rowID: rowID))
    }
    #expect(talk.app.form?.seen(1) == .text("newer"))
}

@Test func aFailedCommandIsSaid() {
    var talk = ServedApp(after: "e", "x")
    talk.pressHeldUp("^S")
    talk.fail(.storageFailed, "the disk is full", newest: \.isSubmit)
    #expect(talk.status.contains("Not saved: the disk is full  (e)"))
    // An outcome that nobody waits for says nothing.
    talk.press("esc")
    talk.fail(.storageFailed, "nobody asked", newest: \.isSubmit)
    #expect(!talk.status.contains("nobody"))
}

@Test func theDetailIsEditedInItsPlace() {
    var talk = ServedApp(after: "j", "enter", "e", .field(1, "Z1"), "^S")
    #expect(talk.app.detail != nil && talk.lines.contains { $0.contains("Z1") })
    talk.press("d", "y")
    #expect(talk.app.detail == nil && talk.app.list?.total == 999)
}

@Test func theFirstFormSaysWhatTheFirstChangeAdds() {
    var talk = ServedApp()
    talk.app.options.firstFormNote = "The first change adds tables"
    talk.press("e", says: "adds tables")
    talk.press("esc", "j", "e")
    #expect(!talk.status.contains("adds tables"))
}
