import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// The dialog about what both have changed: a choice for each field.
@Suite struct ConflictDialogTests {
    /// Of the second row, somebody else changes the make, the model, the year and the owner; this
    /// person the make, the model, the year, which becomes the same, and the fuel.
    private static func conflict(size: Size = .standard, isASCII: Bool = false) throws -> (
        talk: ServedApp, rowID: Int64
    ) {
        var talk = ServedApp(size: size, options: AppOptions(isASCII: isASCII), after: "j")
        let rowID = try talk.openConflict(
            .field(0, "Opel"), .field(1, "Mine"), .field(1, "2020"), .field(1, "7"),
            theirs: [0: .text("Seat"), 1: .text("Theirs"), 2: .integer(2020), 4: .text("Bo")])
        return (talk, rowID)
    }

    private static func change(_ rowID: Int64, _ edits: [CellEdit]) -> [Change] {
        [.update([RowEdit(rowID: rowID, cells: edits)])]
    }

    private static let make = CellEdit(0, .text("Opel"), seen: .text("Seat"))
    private static let model = CellEdit(1, .text("Mine"), seen: .text("Theirs"))
    private static let fuel = CellEdit(3, .real(7), seen: .real(29.5))

    @Test func eachFieldShowsYoursTheirsAndThePick() throws {
        var (talk, _) = try Self.conflict()
        func box(_ talk: ServedApp) -> String {
            let top = talk.lines.firstIndex { $0.contains("┌") } ?? 0
            let box = talk.lines[top...].prefix { !$0.contains("└") }
            return box.map { $0.drop { $0 != "┌" && $0 != "│" }.prefix(60) }
                .joined(separator: "\n")
        }
        #expect(
            box(talk) == """
                ┌ Someone changed this row ────────────────────────────────┐
                │             yours             theirs (bo, 14:02 UTC)     │
                │▌Make        Opel              Seat              1/2      │
                │ Model       Mine              Theirs            1/2      │
                │ Year        2020              2020  (same)               │
                │ merged already: Owner                                    │
                │                                                          │
                │ 1 mine   2 theirs   m all mine   t all theirs            │
                │ Enter save   e edit   Esc cancel                         │
                """)
        talk.press("2", shows: "│ Make        Opel              Seat              2 theirs │")
        #expect(talk.shows("│▌Model       Mine              Theirs            1/2      │"))
        talk.press("1", shows: "│▌Model       Mine              Theirs            1 mine   │")
        let (screen, line) = (talk.app.draw(), talk.lines.firstIndex { $0.contains("│▌") } ?? 0)
        #expect(screen[line, 24].style == Style(.standard, [.bold, .reverse]), "the pick")
        #expect(screen[line, 42].style == .dim, "what is left")
        #expect(screen.cursor == Position(row: line, column: 12))
    }

    /// The year is as both want it, so it is not sent again.
    @Test(arguments: [
        (["1", "2"], [make, fuel]), (["2", "1"], [model, fuel]),
        (["1", "1"], [make, model, fuel]), (["2", "2"], [fuel]),
        (["m"], [make, model, fuel]), (["t"], [fuel]),
        (["t", "down", "1"], [model, fuel]),
        (["1", "1", "up", "2"], [model, fuel]),
    ])
    func aPickIsSent(keys: [String], edits: [CellEdit]) throws {
        var (talk, rowID) = try Self.conflict()
        for key in keys { talk.press(key) }
        #expect(talk.submitted.isEmpty, "picks can be looked at before they are saved")
        talk.press("enter")
        #expect(talk.submitted == Self.change(rowID, edits))
        #expect(talk.app.conflict == nil && talk.server.cars[rowID]?[4] == .text("Bo"))
        #expect(talk.server.cars[rowID]?[3] == .real(7))
    }

    @Test func nothingIsSavedBeforeAllIsPicked() throws {
        var (talk, _) = try Self.conflict()
        talk.press("2", "up", "enter")
        #expect(talk.submitted.isEmpty && talk.app.conflict?.selected == 1)
        #expect(talk.status.contains("Model: 1 keeps yours, 2 takes theirs"))
    }

    @Test func editTakesThePicksAlong() throws {
        var (talk, rowID) = try Self.conflict()
        talk.press("2", "e")
        let form = try #require(talk.app.form)
        #expect(!form.fields[0].isChanged && form.fields[0].seen == .text("Seat"))
        #expect(form.fields[1].isChanged && talk.shows("• Model  Mine"))
        #expect(talk.shows("  Make   Seat") && talk.shows("  Owner  Bo"))
        talk.press("^S")
        #expect(talk.submitted == Self.change(rowID, [Self.model, Self.fuel]))
    }

    @Test func cancelLosesNothing() throws {
        var (talk, _) = try Self.conflict()
        let typed = talk.app.conflict?.form
        talk.press("1", "esc")
        #expect(talk.app.conflict == nil && talk.submitted.isEmpty)
        talk.press("e")
        #expect(talk.app.conflict?.form.fields == typed?.fields)
        #expect(talk.shows("(same)") && talk.shows("merged already: Owner"), "read again")
    }

    /// What others do to the row meanwhile is shown, and is chosen about anew.
    @Test func theDialogShowsWhatIsStoredByNow() throws {
        var (talk, rowID) = try Self.conflict()
        talk.press("1")
        talk.others(.set(rowID, 0, .text("Fiat")))
        #expect(talk.shows("Make        Opel              Fiat              1/2"))
        #expect(talk.shows("theirs, by now") && !talk.shows("theirs (bo"))
        talk.press("up", "1", says: "Make has changed again: choose once more")
        #expect(talk.shows("Make        Opel              Fiat              1/2"))
        talk.press("1", "2", "enter")
        let make = CellEdit(0, .text("Opel"), seen: .text("Fiat"))
        #expect(talk.submitted == Self.change(rowID, [make, Self.fuel]))
        #expect(talk.server.cars[rowID]?[0] == .text("Opel"))
    }

    /// The same when it was closed meanwhile, and takes all at once.
    @Test func aDialogThatIsOpenedAgainShowsWhatIsStoredByNow() throws {
        var (talk, rowID) = try Self.conflict()
        talk.press("esc")
        talk.server.cars[rowID]?[0] = .text("Fiat")
        talk.press("e")
        #expect(talk.shows("Make        Opel              Fiat              1/2"))
        talk.press("m", says: "Make has changed again: choose once more")
        #expect(talk.app.conflict?.picks == [:])
        talk.press("t", "enter")
        #expect(talk.submitted == Self.change(rowID, [Self.fuel]))
        #expect(talk.server.cars[rowID]?[0] == .text("Fiat"))
    }

    @Test func missingValuesAreTold() throws {
        var talk = ServedApp(after: "j", "e")
        let rowID = talk.rowID
        talk.press(.field(4, "Mine"))
        talk.others(.set(rowID, 4, .null))
        #expect(talk.shows("~ now NULL"), "no text of that name")
        talk.press("^S")
        let row = try #require(talk.lines.firstIndex { $0.contains("│▌Owner") })
        #expect(talk.lines[row].contains("│▌Owner       Mine              NULL  "))
        #expect(talk.app.draw().row(row).contains { $0.character == "N" && $0.style == .dim })
        talk.press("2")
        #expect(talk.server.cars[rowID]?[4] == .null)
    }

    @Test func clicksPickAndAnswer() throws {
        var (talk, rowID) = try Self.conflict()
        talk.click("Theirs            1/2")
        #expect(talk.app.conflict?.selected == 1 && talk.app.conflict?.picks == [1: .theirs])
        talk.click("Opel")
        #expect(talk.app.conflict?.picks == [0: .mine, 1: .theirs])
        talk.send(.mouse(MouseEvent(.wheelDown, row: 12, column: 40)))
        #expect(talk.app.conflict?.selected == 1)
        talk.click("merged already")
        talk.click(row: 0, column: 0)
        #expect(talk.app.conflict?.picks.count == 2 && talk.submitted.isEmpty)
        talk.click("Enter save")
        #expect(talk.submitted == Self.change(rowID, [Self.make, Self.fuel]))
    }

    @Test func itsWordsAreClickedOnWhicheverLineTheyStand() throws {
        var (talk, _) = try Self.conflict(size: Size(columns: 34, rows: 12))
        talk.click("t all theirs")
        #expect(talk.app.conflict?.picks == [0: .theirs, 1: .theirs])
        talk.click("Esc cancel")
        #expect(talk.app.conflict == nil)
    }

    @Test func asciiHasAllOfIt() throws {
        let (talk, _) = try Self.conflict(isASCII: true)
        #expect(talk.lines.allSatisfy { !$0.contains("▌") && !$0.contains("│") })
        #expect(talk.shows("|>Make        Opel              Seat              1/2      |"))
    }

    /// Of many fields, the selected one is seen, and so are the answers.
    @Test func aSmallScreenShowsTheSelectedField() throws {
        var list = PlainCars.cars
        list.columns += (0..<30).map { ColumnDescription(name: "more\($0)", type: .text) }
        var form = FormScreen(.edit(rowID: 1), of: list, glyphs: Glyphs(isASCII: false))
        form.take(RowDetail(id: 1, revision: 1, cells: Array(repeating: .text("old"), count: 35)))
        for _ in 0..<30 {
            form.handle(.character("x"))
            _ = form.move(.down, size: .standard)
        }
        let conflicts = (5..<35).map { Conflict(1, .cell($0, .text("new"))) }
        var dialog = ConflictDialog(form: form, conflicts: conflicts)
        dialog.move(.last)
        for (columns, rows) in [(80, 24), (40, 10), (30, 6), (9, 3), (1, 1)] {
            var screen = Screen(size: Size(columns: columns, rows: rows))
            dialog.draw(on: &screen)
            guard columns >= 30 else { continue }
            #expect(screen.text.contains("▌mor") && screen.text.contains("1 mine"))
        }
    }
}

@Test func aValueThatCameWhileTheDialogWasOpenIsNotOverwrittenUnseen() {
    var talk = ServedApp(after: "j")
    let rowID = talk.rowID
    talk.press("e", "tab", "^U", .text("Mine"))
    talk.others(.rename(rowID, to: "First"))
    #expect(talk.lines[1] == " ~ saved meanwhile: Model" && talk.shows("~ now “First”"))
    talk.press("^S")
    #expect(talk.app.conflict != nil)
    // The dialog shows the first; this one was never seen.
    talk.others(.rename(rowID, to: "Second"))
    talk.press("e", "^S")
    #expect(talk.server.cars[rowID]?[1] == .text("Second"))
    #expect(talk.lines.contains { $0.contains("Mine") && $0.contains("Second") })
    // By now it was.
    talk.press("e", "^S")
    #expect(talk.app.conflict == nil && talk.server.cars[rowID]?[1] == .text("Mine"))
}

@Test func theSameEditByTwoMergesAndTheRestIsSaved() {
    var talk = ServedApp(after: "j")
    let rowID = talk.rowID
    talk.press("e", .field(1, "Same"), .field(1, "1999"))
    talk.server.cars[rowID]?[1] = .text("Same")
    talk.press("^S")
    #expect(talk.app.conflict == nil && talk.app.form == nil)
    #expect(talk.server.cars[rowID]?[1] == .text("Same"))
    #expect(talk.server.cars[rowID]?[2] == .integer(1999))
    #expect(talk.status.contains("Saved") && talk.app.changes.unsavedCount(besides: nil) == 0)

    talk.press("e", .field(1, "Again"))
    talk.server.cars[rowID]?[1] = .text("Again")
    talk.press("^S")
    #expect(talk.app.conflict == nil && talk.app.changes.unsavedCount(besides: nil) == 0)
    #expect(talk.status.contains("bo has already saved the same"))
}

@Test func aRowThatComesBackIsEditedAndNotAddedAgain() throws {
    var talk = ServedApp(after: "j")
    let rowID = talk.rowID
    let cells = try #require(talk.server.cars[rowID])
    talk.press("e")
    talk.others(.delete(rowID))
    talk.press(.field(1, "Mine"), "^S")
    #expect(talk.app.conflict?.isOfDeletedRow == true)
    talk.others(.undo)
    #expect(talk.server.cars[rowID] == cells)
    #expect(talk.app.conflict == nil && talk.app.form?.rowID == rowID)
    let count = talk.server.cars.count
    // A key that was meant for the dialog does not take the place of what was typed.
    talk.press(.text("!"), "^S")
    #expect(talk.server.cars[rowID]?[1] == .text("Mine!") && talk.server.cars.count == count)
}

@Test func undoneDeletionTakesTheCursorToTheRow() {
    var talk = ServedApp(after: "j", "j")
    let rowID = talk.rowID
    talk.press("d", "y", "j", "j", "j")
    #expect(talk.rowID != rowID)
    talk.press("u")
    #expect(talk.rowID == rowID)
}

@Test func aSearchSaysOfHowManyRowsAlsoAfterAnEdit() {
    var talk = ServedApp(after: "/", .text("audi"), "enter")
    #expect(talk.lines[0].contains(" of 1,000"))
    talk.press("d", "y")
    #expect(talk.lines[0].contains(" of 999"))
    talk.press("esc")
    #expect(talk.lines[0].contains("999"))
}

@Test func theCatalogKnowsHowManyRowsTheListWasLeftWith() {
    var talk = ServedApp(lists: [PlainCars.table, PlainCars.cars])
    talk.press("j", "enter", "d", "y", "q")
    #expect(talk.lines.contains { $0.hasPrefix("▌") && $0.hasSuffix("999") })
}

@Test func aDraftThatWasNotTakenIsNotLostWithoutAQuestion() {
    var talk = ServedApp(after: "j", "e", .field(1, "Mine"))
    talk.server.cars[talk.rowID]?[1] = .text("Theirs")
    talk.press("^S", "esc")
    #expect(talk.app.conflict == nil && talk.status.contains("not saved"))
    talk.press("Q", says: "1 change is not saved. Quit?")
    #expect(talk.press("y").contains(.quit(0)))
}
