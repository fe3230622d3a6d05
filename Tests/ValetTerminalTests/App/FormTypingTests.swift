import Testing
import ValetModel

@testable import ValetTerminal

/// What is typed into a field that the caret has just reached, and what a form says.
@Suite struct FormTypingTests {
    @Test func typingReplacesTheValue() {
        var talk = ServedApp(after: "j", "j", "e", "tab")
        let row = talk.lines.firstIndex { $0.hasPrefix("▌  Model") } ?? 0
        #expect(talk.app.draw()[row, 10].style.attributes.contains(.reverse), "drawn reverse")
        talk.press(.text("X5"), shows: "• Model  X5")
        talk.press("tab", "up", "end", "!")
        #expect(talk.shows("• Model  X5!"), "End keeps it")
        talk.press("tab", "up", "home", "a")
        #expect(talk.shows("• Model  aX5!"), "Home keeps it")
        talk.press("tab", "up", "left", "b")
        #expect(talk.shows("• Model  baX5!"), "an arrow keeps it")
        talk.press("tab", "tab")
        talk.send(.mouse(MouseEvent(.press(.left), row: row, column: 9)))
        talk.press("c")
        #expect(talk.shows("• Model  baX5!c"), "a click keeps it")
    }

    @Test func theFormBeginsWithTheChosenCell() {
        var talk = ServedApp(lists: [PlainCars.table], after: "right", "right", "e")
        talk.press(.text("1999"), shows: "• Year   1999")
        talk.press("^S", "left", "left", "e", .text("Panda"), shows: "• Model  Panda")
        var untouched = ServedApp(lists: [PlainCars.table], after: "e")
        untouched.press(.text("Fiat"), shows: "• Make   Fiat")
    }

    @Test func anEmptiedFieldStaysAndClearingIsMeant() {
        var talk = ServedApp(after: "j", "j", "e", "tab", "backspace")
        #expect(talk.app.form?.changeCount == 0)
        talk.press("tab", shows: "Model  M1", says: "Model stays “M1”: ^U clears it")
        talk.press("up", "backspace", "^S")
        #expect(talk.submitted.isEmpty && talk.status.contains("Nothing was changed"))
        talk.press("e", "tab", "^U", "tab", shows: "• Model  NULL")
        talk.press("^S")
        #expect(talk.submitted.count == 1 && talk.server.cars[talk.rowID]?[1] == .null)
    }

    @Test func aRejectedRowSaysWhatItsMarkMeans() {
        var talk = ServedApp(after: "j", "e", "tab", "tab", "1")
        talk.others(.set(talk.rowID, 2, .integer(1950)))
        talk.press("^S", "esc", "j", "k")
        #expect(talk.status.hasPrefix(" ! not saved: e opens what you typed"))
        talk.press("j")
        #expect(!talk.status.contains("not saved"))
    }

    @Test func theFormSaysWhoElseIsThereAndWhatTheySave() {
        var talk = ServedApp(after: "j", "j", "e", "tab", "M", "i", "n", "e")
        let rowID = talk.rowID
        talk.send(.othersChanged([.other(7, "bo", rowID, edits: true)]))
        #expect(talk.lines[1] == " ●bo editing this row, too")
        talk.others(.set(rowID, 2, .integer(2001)))
        #expect(talk.lines[1].hasSuffix("~ saved meanwhile: Year"))
        #expect(talk.shows(" ~ Year   2001"), "an untouched field shows it")
        talk.others(.rename(rowID, to: "Theirs"))
        #expect(talk.lines[1].hasSuffix("~ saved meanwhile: Model, Year"))
        #expect(talk.shows("~ Model  Mine") && talk.shows("~ now “Theirs”"))
        talk.press("^S")
        #expect(talk.app.conflict != nil && talk.shows("theirs (bo, 14:02 UTC)"))
    }

    @Test func theFormSaysThatItsRowWasDeleted() {
        var talk = ServedApp(after: "j", "j", "e", "tab", "M")
        talk.others(.delete(talk.rowID))
        #expect(talk.lines[1] == " ! somebody has deleted this row")
        talk.press("^S")
        #expect(talk.app.conflict?.isOfDeletedRow == true)
        talk.press("+")
        #expect(talk.app.form?.rowID == nil && talk.shows("M") && !talk.shows("has deleted"))
    }

    @Test func aRowThatNothingNamesIsCalledByItsID() {
        var talk = ServedApp(lists: [PlainCars.table], after: "+", .field(2, "2001"), "^S")
        #expect(talk.status.contains("Added 1 row"), "\(talk.status)")
        talk.press("d")
        #expect(talk.app.confirmation?.question.contains("“row 1001”") == true)
    }

    @Test func theEditorSaysWhatACatalogForbids() {
        var list = PlainCars.cars
        list.rowRules = RowRules(
            allowsAdding: false, allowsDeleting: false, allowsMoving: false, readOnlyColumn: 4)
        var talk = ServedApp(lists: [list])
        for (key, text) in [
            ("+", "Rows can't be added to Cars"), ("d", "Rows of Cars can't be deleted"),
            ("m", "Rows of Cars can't be moved"), ("e", "This row is read-only"),
        ] {
            talk.press(.key(key), says: text)
            #expect(talk.app.form == nil)
        }
        talk.press("enter", "e", says: "This row is read-only")
        #expect(talk.lines[2].hasPrefix("▌  Make"))
        talk.press("d", says: "Rows of Cars can't be deleted")
        #expect(talk.submitted.isEmpty)
    }

    @Test(arguments: ["enter", "+"]) func fieldsStandInTheirSections(key: String) {
        var list = PlainCars.cars
        list.detail = [
            DetailSection(title: "Owner", columns: [4]),
            DetailSection(title: "Car", columns: [1, 0]),
        ]
        var talk = ServedApp(lists: [list], after: .key(key))
        let first = talk.lines
        #expect(first[2] == " Owner" && first[3].hasPrefix("▌  Owner") && first[4] == " Car")
        #expect(first[5].hasPrefix("   Model") && first[6].hasPrefix("   Make") && first[7] == "")
        guard key == "enter" else { return }
        talk.press("j", "j", "j")
        #expect(talk.lines[6].hasPrefix("▌  Make"))
        talk.press("home")
        #expect(talk.lines[3].hasPrefix("▌  Owner"))
    }

    @Test func pasteGoesIntoTheFieldAsText() {
        var talk = ServedApp(after: "e", "end", .paste("one\r\ntwo\u{1B}[31m"), "d")
        #expect(talk.app.form?.cells[0] == .text("Audione two\u{1B}[31md"))
        #expect(talk.lines.contains { $0.contains("one two␛[31md") })
        talk.press("esc", .paste("y"))
        #expect(talk.app.confirmation != nil)
    }

    @Test func aPasteThatDoesNotFitIsSaid() {
        var talk = ServedApp(after: "e", "end")
        let text = String(repeating: "x", count: Limits.bytesPerDetailCell)
        talk.press(.paste(text), says: "Not pasted: more than 4,096 bytes")
        #expect(talk.app.form?.changeCount == 0)
        talk.press("^U", .paste(text))
        #expect(talk.app.form?.cells[0] == .text(text) && !talk.status.contains("Not pasted"))
        talk.press("esc", "y", "?", .paste(text))
        #expect(talk.app.message == "Not pasted: more than 256 bytes")
        talk.press("esc", "/", .paste(text + "x"), says: "Not pasted")
        #expect(talk.app.list?.typed.search.text == "")
        talk.send(.pasteTooLong)
        #expect(talk.status.contains("1,048,576"))
    }
}

/// 2026-03-09 13:02:30 UTC, a Monday.
private let monday = PersonClock(seconds: 1_773_061_350)

@Test(arguments: [
    ("tomorrow", "2026-03-10"), ("Yesterday ", "2026-03-08"), ("today", "2026-03-09"),
    ("now", "2026-03-09 13:02"), ("2025-06-01 9:05", "2025-06-01 09:05"),
    ("2025-06-01T9:05", "2025-06-01T09:05"), ("2025-06-01 19:05", nil), ("this week", nil),
    ("2025-06-01", nil), ("soon", nil), ("2025-6-1 9:05", nil), ("", nil),
])
func aWordForADayBecomesTheDay(typed: String, date: String?) {
    let column = ColumnDescription(name: "at", type: .date)
    #expect(column.date(named: typed, at: monday) == date)
    let text = ColumnDescription(name: "at", type: .text)
    #expect(text.date(named: typed, at: monday) == nil)
}

@Test func whatClocksShowIsThePersons() {
    var clock = monday
    // Already Tuesday there.
    clock.zone = ZoneClock(named: "Pacific/Auckland")
    let column = ColumnDescription(name: "at", type: .date)
    #expect(column.date(named: "today", at: clock) == "2026-03-10")
}

/// Numbers are shown in UTC where the list has no zone, and a column of days has days.
@Test func nowIsWhatTheColumnShows() {
    var clock = monday
    clock.zone = ZoneClock(named: "Pacific/Auckland")
    let column = ColumnDescription(name: "at", type: .date)
    #expect(column.date(named: "now", at: clock, like: .integer(5)) == "2026-03-09 13:02")
    #expect(column.date(named: "today", at: clock, like: .integer(5)) == "2026-03-09")
    #expect(column.date(named: "now", at: clock, like: .text("2026-01-01")) == "2026-03-10")
    let moment = Cell.text("2026-01-01 10:00")
    #expect(column.date(named: "now", at: clock, like: moment) == "2026-03-10 02:02")
}

@Test func aFormTakesTheWordsOfConditions() {
    let list = PlainCars.cars.with {
        $0.columns.append(ColumnDescription(name: "due", label: "Due", type: .date))
    }
    var talk = ServedApp(
        lists: [list], options: AppOptions(startSeconds: monday.seconds), after: "e")
    talk.press(.times(5, "tab"), .text("tomorrow"), "up", "down")
    #expect(talk.lines.contains { $0.hasPrefix("▌• Due") && $0.hasSuffix("2026-03-10") })
    talk.press("^U", .text("2026-04-01 9:05"), "^S")
    #expect(talk.server.cars[talk.rowID]?[5] == .text("2026-04-01 09:05"))
}
