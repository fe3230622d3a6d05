import Testing
import ValetModel

@testable import ValetTerminal

/// What the form, the detail and the questions say about values, problems and the connection.
@Suite struct FormWordsTests {
    // MARK: Empty fields

    @Test func noDefaultCanBeReadAsAValue() {
        var talk = ServedApp.cars {
            $0.columns[2].isRequired = true
            $0.columns[2].unit = "AD"
            $0.columns[1].placeholder = "such as i4"
            $0.columns[1].unit = "type"
        }
        talk.press("+")
        #expect(talk.lines[2] == "▌  Make     (default)")
        #expect(talk.lines[3] == "   Model    such as i4 type")
        #expect(talk.lines[4] == "   Year  *  AD")
        #expect(talk.lines[5] == "   Fuel     (default)")
        #expect(talk.lines[6] == "   Owner    Nobody (default)")
        let screen = talk.app.draw()
        for row in 2..<7 {
            let value = screen.row(row).dropFirst(12).filter { $0.character != " " }
            #expect(!value.isEmpty && value.allSatisfy { $0.style == .dim }, "row \(row)")
        }
        talk.press("tab", "tab", "tab", "7")
        #expect(talk.lines[5] == "▌• Fuel     7 l")
        talk.press("backspace")
        #expect(talk.lines[5] == "▌  Fuel     (default)")
    }

    /// A table without a catalog shows what is stored, and so does its form.
    @Test func aTableNamesNoDefaultThatItDoesNotShow() {
        let talk = ServedApp(lists: [PlainCars.table], after: "+")
        #expect(talk.shows("  Make   (default)") && talk.shows("  Owner  Nobody (default)"))
    }

    @Test func anEmptiedNumberIsNull() {
        let talk = ServedApp(after: "e", "tab", "tab", "tab", "^U")
        #expect(talk.lines[5] == "▌• Fuel   NULL")
    }

    // MARK: NULL

    @Test func whatIsMissingReadsOneWayInATable() {
        var talk = ServedApp(lists: [PlainCars.table])
        talk.server.cars[talk.rowID] = [.text("Audi"), .text("A"), .null, .null, .text(""), .null]
        talk.press("j")
        let rowID = talk.rowID
        talk.server.cars[rowID] = [.null, .text(""), .integer(7), .null, .null, .null]
        talk.server.arrange()
        // Without sections, of which the row's would be titled.
        talk.press("r", "3")
        // NULL, an empty text, and an owner with a default.
        let row = talk.lines.firstIndex { $0.count { $0 == "–" } == 4 } ?? 0
        #expect(talk.lines[row].contains("7"))
        #expect(!talk.shows("Unknown") && !talk.shows("NULL") && !talk.shows("Nobody"))
        let dash = talk.app.draw().row(row).first { $0.character == "–" }
        #expect(dash?.style.attributes.contains(.dim) == true)
    }

    @Test func theDetailTellsNullFromEmptyText() {
        var talk = ServedApp()
        talk.server.cars[talk.rowID] = [.null, .text(""), .null, .real(1), .text(""), .null]
        talk.press("enter")
        #expect(talk.lines[2] == "▌  Make   NULL")
        #expect(talk.lines[3] == "   Model  \"\"")
        #expect(talk.lines[4] == "   Year   NULL")
        #expect(talk.lines[5] == "   Fuel   1.0 l")
        #expect(talk.lines[6] == "   Owner  \"\"  means Nobody")
        let screen = talk.app.draw()
        for row in [2, 3, 4, 6] {
            let value = screen.row(row).dropFirst(10).filter { $0.character != " " }
            #expect(!value.isEmpty && value.allSatisfy { $0.style == .dim }, "row \(row)")
        }
        #expect(screen[5, 10].style == .plain)
    }

    // MARK: Problems

    @Test func theStatusNamesTheFirstProblem() {
        var talk = ServedApp(after: "e", "x")
        #expect(talk.status.hasPrefix(" 1 change "))
        talk.press("tab", "tab", "tab", .text("much"), "tab")
        #expect(talk.status.hasPrefix(" ! Fuel: a number, such as 12.5  "))
        talk.press("up", "up", .text("soon"), "tab")
        let words = "Year: a whole number, such as 2019  (1 of 2 problems)"
        #expect(talk.shows(" ! \(words)"))
        talk.press("^S")
        #expect(talk.app.form?.selected == 2 && talk.shows(" ! \(words)"))
    }

    // MARK: Fields beyond the detail

    @Test func aNewRowAsksForWhatTheDetailLeavesOut() {
        var talk = ServedApp.cars {
            $0.detail = [DetailSection(title: "", columns: [1, 2])]
            $0.columns[4].isRequired = true
        }
        talk.press("e")
        #expect(talk.app.form?.fields.map(\.column) == [1, 2])
        talk.press("esc", "+", "A", "tab", "tab", "B", "^S")
        #expect(talk.submitted == [.insert([1: .text("A"), 4: .text("B")])])
    }

    @Test func aRowThatIsAddedAgainKeepsWhatTheDetailLeavesOut() throws {
        var talk = ServedApp.cars {
            $0.detail = [DetailSection(title: "", columns: [1, 2])]
            $0.columns[0].isRequired = true
        }
        talk.press("j")
        let rowID = talk.rowID
        talk.press("e", "Z")
        talk.server.cars[rowID] = nil
        talk.press("^S", "+", "^S")
        #expect(talk.submitted.last == .insert([.text("Audi"), .text("Z"), .integer(2009)]))
    }

    // MARK: Names and the connection

    @Test func aSavedRowHasItsNewName() {
        var talk = ServedApp(after: "j", "e", .field(1, "Z9"), "^S")
        #expect(talk.status.hasPrefix(" Saved “2009 Audi Z9”"))
        talk.press("u")
        #expect(talk.status.hasPrefix(" Undone: edit of “2009 Audi Z9”"))
    }

    @Test(arguments: [false, true]) func offlineADeletionSaysThatItWaits(isSelection: Bool) {
        var talk = ServedApp()
        if isSelection { talk.press("space", "space") }
        talk.send(.disconnected(reason: "test"))
        talk.press("d")
        let name = isSelection ? "2 rows" : "“1990 Audi M0”"
        #expect(talk.status.hasPrefix(" Offline: sent later. Delete \(name)?  [Keep]  y"))
        talk.pressHeldUp("y")
        #expect(talk.status.hasPrefix(" Offline: this is sent after reconnecting"))
        #expect(talk.lines[0].contains("○ offline · 1 waiting"))
    }
}
