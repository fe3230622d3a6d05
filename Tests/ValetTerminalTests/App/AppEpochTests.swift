import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// The server has opened the file again, after another program has changed its tables or its row
/// ids.
@Suite struct AppEpochTests {
    private static func form(
        _ talk: inout ServedApp, typing text: String
    ) throws -> (rowID: Int64, row: [Cell]) {
        talk.press("j")
        let rowID = talk.rowID
        talk.press("e")
        talk.fill(1, with: text)
        return (rowID, try #require(talk.server.cars[rowID]))
    }

    private static func newer(
        _ talk: ServedApp, keepsRowIDs: Bool = true, without column: Int? = nil
    ) throws -> Catalog {
        var list = try #require(talk.app.list).list
        (list.epoch, list.rowIDs) = (8, keepsRowIDs ? .row : .epoch)
        if let column { list.columns.remove(at: column) }
        return Catalog(lists: [list])
    }

    @Test func aFormGoesByTheNamesOfItsColumns() throws {
        var talk = ServedApp()
        let (_, _) = try Self.form(&talk, typing: "Mine")
        let form = try #require(talk.app.form)
        let adopted = form.adopted(by: try Self.newer(talk, without: 0).lists)
        let model = try #require(adopted.fields.first { $0.isChanged })
        #expect(model.column == 0 && model.description.name == form.fields[1].description.name)
        #expect(adopted.fields.count == form.fields.count - 1)
        #expect(adopted.lost.isEmpty && !adopted.isReading)
        guard
            case .update(let edits)? = {
                var form = adopted; return form.change()
            }()
        else {
            Issue.record("nothing to save")
            return
        }
        #expect(edits.map { $0.cells.map(\.column) } == [[0]])

        let without = form.adopted(by: try Self.newer(talk, without: 1).lists)
        #expect(without.changeCount == 0)
        #expect(without.othersText(editors: []).contains("! gone: Model “Mine”"))
    }

    @Test func theFormOfARowThatHasAnotherIDIsNotSavedToTheRowThatHasItNow() throws {
        var talk = ServedApp()
        let (rowID, _) = try Self.form(&talk, typing: "Mine")
        // What a VACUUM does: another row has the id.
        let other = try #require(talk.server.cars[rowID + 1])
        talk.server.cars[rowID] = other
        talk.send(
            .catalogLoaded(try Self.newer(talk, keepsRowIDs: false), rowCounts: [nil]))
        #expect(talk.app.form == nil && talk.app.conflict?.isOfDeletedRow == true)
        #expect(talk.lines.contains { $0.contains("This row can't be found again") })
        #expect(talk.server.cars[rowID] == other && talk.submitted.isEmpty)
        // What was typed can be added as a new row.
        talk.press("+")
        #expect(talk.app.form?.rowID == nil && talk.shows("Mine"))
    }

    @Test func theFormOfARowThatIsAsItWasGoesOn() throws {
        var talk = ServedApp()
        let (rowID, _) = try Self.form(&talk, typing: "Mine")
        talk.send(
            .catalogLoaded(try Self.newer(talk, keepsRowIDs: false), rowCounts: [nil]))
        #expect(talk.app.conflict == nil && talk.app.form?.rowID == rowID)
        talk.press("^S")
        #expect(talk.server.cars[rowID]?[1] == .text("Mine"))
    }

    @Test func aListWithOtherColumnsIsShownAnew() throws {
        var talk = ServedApp()
        let before = talk.app.generation
        var newer = try Self.newer(talk)
        newer.lists[0].columns[3].name = "renamed"
        talk.send(.catalogLoaded(newer, rowCounts: [nil]))
        #expect(talk.app.list?.list.columns[3].name == "renamed")
        #expect(talk.app.generation > before)
    }

    @Test func whatWasRefusedSaysSoAndIsKept() throws {
        var talk = ServedApp()
        let (rowID, _) = try Self.form(&talk, typing: "Mine")
        talk.app.connection.disconnected(reason: "gone")
        let actions = talk.app.handle(.key(.control("s")))
        guard case .submit(let number, _, _)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        talk.app.connection.connected()
        talk.send(.commandFailed(number: number, ValetError(.catalogChanged, "rows have moved")))
        #expect(talk.status.contains("Not saved: rows have moved"))
        #expect(talk.app.changes.rejection(of: rowID, in: "cars")?.form.changeCount == 1)
    }
}
