import TestSupport
import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// The server has opened the file again, after another program has changed its tables or its row
/// ids.
@Suite struct AppEpochTests {
    /// The model of the second row is typed over.
    private static var typing: ServedApp { ServedApp(after: "j", "e", .field(1, "Mine")) }

    private static func newer(
        _ talk: ServedApp, keepsRowIDs: Bool = true, without column: Int? = nil
    ) throws -> Catalog {
        var list = try #require(talk.app.list).list
        (list.epoch, list.rowIDs) = (8, keepsRowIDs ? .row : .epoch)
        if let column { list.columns.remove(at: column) }
        return Catalog(lists: [list])
    }

    @Test func aFormGoesByTheNamesOfItsColumns() throws {
        let talk = Self.typing
        let form = try #require(talk.app.form)
        let adopted = form.adopted(by: try Self.newer(talk, without: 0).lists)
        let model = try #require(adopted.fields.first { $0.isChanged })
        #expect(model.column == 0 && model.description.name == form.fields[1].description.name)
        #expect(adopted.fields.count == form.fields.count - 1)
        #expect(adopted.lost.isEmpty && !adopted.isReading)
        var saved = adopted
        guard case .update(let edits)? = saved.change() else { throw Unexpected("nothing to save") }
        #expect(edits.map { $0.cells.map(\.column) } == [[0]])

        let without = form.adopted(by: try Self.newer(talk, without: 1).lists)
        #expect(without.changeCount == 0)
        #expect(without.othersText(editors: []).contains("! gone: Model “Mine”"))
    }

    @Test func theFormOfARowThatHasAnotherIDIsNotSavedToTheRowThatHasItNow() throws {
        var talk = Self.typing
        let rowID = talk.rowID
        // What a VACUUM does: another row has the id.
        let other = try #require(talk.server.cars[rowID + 1])
        talk.server.cars[rowID] = other
        talk.load(try Self.newer(talk, keepsRowIDs: false))
        #expect(talk.app.form == nil && talk.app.conflict?.isOfDeletedRow == true)
        #expect(talk.lines.contains { $0.contains("This row can't be found again") })
        #expect(talk.server.cars[rowID] == other && talk.submitted.isEmpty)
        // What was typed can be added as a new row.
        talk.press("+")
        #expect(talk.app.form?.rowID == nil && talk.shows("Mine"))
    }

    /// A server that was started again says that row ids are what they were: then the row may have
    /// been changed meanwhile, too.
    @Test func theFormGoesOnWhereRowIDsAreWhatTheyWere() throws {
        for isSaid in [true, false] {
            var list = PlainCars.cars
            list.epoch = 1
            var talk = ServedApp(lists: [list], after: "j", "e", .field(1, "Mine"))
            let rowID = talk.rowID
            talk.server.cars[rowID]?[0] = .text("Seat")
            var newer = try Self.newer(talk, keepsRowIDs: false)
            if isSaid { newer.lists[0].earlierEpochs = [5, 1] }
            talk.load(newer)
            #expect((talk.app.form?.rowID == rowID) == isSaid)
            #expect((talk.app.conflict == nil) == isSaid)
            guard isSaid else { continue }
            talk.press("^S")
            #expect(talk.server.cars[rowID]?[1] == .text("Mine"))
        }
    }

    @Test func theFormOfARowThatIsAsItWasGoesOn() throws {
        var talk = Self.typing
        let rowID = talk.rowID
        talk.load(try Self.newer(talk, keepsRowIDs: false))
        #expect(talk.app.conflict == nil && talk.app.form?.rowID == rowID)
        talk.press("^S")
        #expect(talk.server.cars[rowID]?[1] == .text("Mine"))
    }

    /// The server moves its columns, or refuses it.
    @Test func aChangeIsSentForTheListOfWhichItWasAsked() throws {
        var talk = ServedApp(lists: [PlainCars.fleet], after: "space", "space", "x")
        let asked = try #require(talk.app.list).list
        #expect(talk.app.confirmation != nil)
        talk.load(try Self.newer(talk, without: 0))
        #expect(talk.app.list?.list.epoch == 8)
        talk.press("y")
        let sent = talk.actions.compactMap { action in
            if case .call(.submit(_, let list, _)) = action { list } else { nil }
        }
        #expect(sent.map(\.epoch) == [asked.epoch] && sent.map(\.columns) == [asked.columns])
    }

    /// Their ids may be other rows' by now.
    @Test(arguments: [RowIDLifetime.epoch, .row])
    func rowsStaySelectedInAnotherEpochOnlyByIDsThatLast(lifetime: RowIDLifetime) {
        let list = PlainCars.cars.with { $0.rowIDs = lifetime }
        var talk = ServedApp(lists: [list], after: "space", "space", "M")
        talk.reconnect { $0.epoch += 1 }
        let stays = lifetime == .row
        #expect(talk.app.list?.selection.isEmpty != stays)
        #expect(talk.app.list?.selection.compared.isEmpty != stays)
    }

    /// The view may be answered before the catalog.
    @Test func aSearchMayBeOfAColumnThatTheListLacksYet() {
        let list = PlainCars.cars.with {
            $0.scopes = [Scope(name: "Grouping", columns: .currentGrouping, match: .words)]
        }
        let query = Query(search: .init(text: "audi 19"))
        for grouping in [2, 99] { _ = FoundText(query, in: list, grouping: grouping) }
    }

    @Test func aListWithOtherColumnsIsShownAnew() throws {
        var talk = ServedApp()
        let before = talk.app.calls.generation
        var newer = try Self.newer(talk)
        newer.lists[0].columns[3].name = "renamed"
        talk.load(newer)
        #expect(talk.app.list?.list.columns[3].name == "renamed")
        #expect(talk.app.calls.generation > before)
    }

    @Test func aRefusedChangeSaysSoAndIsKept() throws {
        var talk = Self.typing
        let rowID = talk.rowID
        talk.app.connection.disconnected(reason: "gone")
        let actions = talk.app.handle(.key(.control("s")))
        guard case .server(let token, .submit)? = actions.first else {
            throw Unexpected("\(actions)")
        }
        talk.app.connection.connected()
        talk.send(.answer(token, .failure(ValetError(.catalogChanged, "rows have moved"))))
        #expect(talk.status.contains("Not saved: rows have moved"))
        #expect(talk.app.changes.rejection(of: rowID, in: "cars")?.form.changeCount == 1)
    }

    /// The list shows the beginning of a long text, and the row that is read has more of it.
    @Test func aLongTextIsTheSameWhereverItIsCut() throws {
        let long = String(repeating: "é", count: 3_000)
        func row(_ limit: Int, _ text: String) -> [Cell] {
            [.text("Opel"), .text(text).cut(toBytes: limit), .blob(bytes: [], byteCount: 7)]
        }
        let list = ListDescription(
            name: "notes", title: "Notes",
            columns: ["make", "note", "photo"].map { ColumnDescription(name: $0, type: .text) },
            titleColumn: 0, groupings: [], scopes: [], cell: .columns)
        var form = FormScreen(
            .edit(rowID: 1), of: list,
            row: Dictionary(uniqueKeysWithValues: row(1_024, long).enumerated().map { ($0, $1) }),
            glyphs: Glyphs(isASCII: false))
        form.isRowInDoubt = true
        func isSame(_ cells: [Cell]) -> Bool {
            form.isSameRow(as: RowDetail(id: 1, revision: 1, cells: cells))
        }
        #expect(isSame(row(4_096, long)) && isSame(row(.max, long)))
        #expect(!isSame(row(4_096, long + "é")) && !isSame(row(4_096, "e" + long.dropFirst())))
        var other = row(4_096, long)
        other[2] = .text("1234567")
        #expect(!isSame(other))
        other[2] = .blob(bytes: [1, 2], byteCount: 8)
        #expect(!isSame(other))
    }

    // MARK: The dialog about a conflict

    /// Somebody else changes the make and the model, which this person has changed, too.
    private static func conflict(_ talk: inout ServedApp) throws -> Int64 {
        talk.press("j")
        return try talk.openConflict(
            .field(0, "Opel"), .field(1, "Mine"), theirs: [0: .text("Seat"), 1: .text("Theirs")])
    }

    @Test func aConflictGoesByTheNamesOfItsColumns() throws {
        var talk = ServedApp()
        _ = try Self.conflict(&talk)
        talk.press("2", "1", "up")
        let dialog = try #require(talk.app.conflict)
        let adopted = try #require(dialog.adopted(by: try Self.newer(talk, without: 0).lists))
        #expect(adopted.cells.map(\.column) == [0])
        #expect(adopted.picks == [0: .mine] && adopted.selected == 0)
        #expect(
            adopted.form.fields.first?.description.name == dialog.form.fields[1].description.name)
        #expect(adopted.isReading, "what is stored has other numbers, too")
    }

    @Test func aConflictAboutColumnsThatAreGoneIsAForm() throws {
        var talk = ServedApp()
        let rowID = try Self.conflict(&talk)
        var newer = try Self.newer(talk)
        newer.lists[0].columns.removeFirst(2)
        talk.app.adoptConflict(newer.lists)
        #expect(talk.app.conflict == nil && talk.app.form?.rowID == rowID)
        #expect(talk.app.form?.lost.count == 2)
    }

    @Test func aConflictAboutARowThatHasAnotherIDOverwritesNothing() throws {
        var talk = ServedApp()
        let rowID = try Self.conflict(&talk)
        let other = try #require(talk.server.cars[rowID + 1])
        talk.server.cars[rowID] = other
        talk.load(try Self.newer(talk, keepsRowIDs: false))
        #expect(talk.app.form == nil && talk.app.conflict?.isOfDeletedRow == true)
        talk.press("m", "enter")
        #expect(talk.server.cars[rowID] == other && talk.submitted.isEmpty)
    }
}
