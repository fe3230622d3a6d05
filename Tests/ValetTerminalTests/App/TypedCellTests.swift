import Testing
import ValetModel

@testable import ValetTerminal

private func cell(
    _ type: ColumnType, _ text: String, like example: Cell? = nil, isRequired: Bool = false
) -> Cell? {
    let column = ColumnDescription(name: "c", type: type, isRequired: isRequired)
    return try? column.cell(typed: text, like: example)
}

@Test func textIsStoredAsItIsTyped() {
    #expect(cell(.text, " a  ") == .text(" a  "))
    #expect(cell(.text, "007") == .text("007"))
    #expect(cell(.text, "") == .null)
    #expect(cell(.text, "", isRequired: true) == .text(""))
}

@Test func numbersAreWholeOrDecimal() {
    #expect(cell(.integer, " 2019 ") == .integer(2019))
    #expect(cell(.integer, "-9223372036854775808") == .integer(.min))
    for text in ["9223372036854775808", "12.5", "1e3", "12a", "0x10", "1,000"] {
        #expect(cell(.integer, text) == nil, "\(text)")
    }
    #expect(cell(.real, "12.50") == .real(12.5))
    #expect(cell(.real, "-1e3") == .real(-1_000))
    for text in ["12,5", "nan", "inf", "0x1p3", "1e999", "-", "."] {
        #expect(cell(.real, text) == nil, "\(text)")
    }
    #expect(cell(.integer, "") == .null && cell(.real, "  ") == .null)
    #expect(cell(.integer, "", isRequired: true) == nil)
}

@Test func datesKeepTheColumnsForm() {
    #expect(cell(.date, "2024-02-29") == .text("2024-02-29"))
    #expect(cell(.date, "2024-02-29T18:30:00+01:00") == .text("2024-02-29T18:30:00+01:00"))
    let seconds = Cell.integer(0)
    #expect(cell(.date, "1970-01-02", like: seconds) == .integer(86_400))
    #expect(cell(.date, "1970-01-01 01:01", like: seconds) == .integer(3_660))
    #expect(cell(.date, "1970-01-01T01:01:05", like: seconds) == .integer(3_665))
    #expect(cell(.date, "-5", like: seconds) == .integer(-5))
    // A number of seconds has no zone, so the zone would be lost.
    for text in ["2024-02-29 18:30Z", "2024-02-29 18:30+01", "2023-02-29", "soon", "29.2.24"] {
        #expect(cell(.date, text, like: seconds) == nil, "\(text)")
    }
    for text in ["2023-02-29", "9", "soon", "29.2.24"] { #expect(cell(.date, text) == nil) }
}

@Test func datesAreTypedInTheListsZone() throws {
    var columns = [ColumnDescription(name: "c", type: .date)]
    columns.setZone("Europe/Zurich")
    let column = columns[0]
    func cell(_ text: String, like example: Cell? = nil) -> Cell? {
        try? column.cell(typed: text, like: example)
    }
    #expect(cell("2026-07-01 00:30") == .text("2026-06-30 22:30"))
    #expect(cell("2026-07-01") == .text("2026-07-01"))
    #expect(cell("2026-07-01 00:30Z") == .text("2026-07-01 00:30Z"))
    #expect(cell("soon") == nil)
    let seconds = Cell.integer(1_782_858_600)
    #expect(cell("2026-07-01 00:30", like: seconds) == seconds)
    #expect(cell("2026-07-01", like: seconds) == .integer(1_782_856_800))
    #expect(cell("1782858600", like: seconds) == seconds, "a number is what is stored")
    let glyphs = Glyphs(isASCII: false)
    #expect(CellText.of(seconds, in: column, glyphs: glyphs).text == "2026-07-01 00:30")
    #expect(CellText.stored(seconds, in: column, glyphs: glyphs).text == "2026-07-01 00:30")
    for (format, text) in [
        (ColumnFormat.plain, "2026-07-01 00:30"), (.day, "1 Jul 2026"), (.time, "00:30"),
    ] {
        columns[0].format = format
        let cell = Cell.text("2026-06-30 22:30")
        #expect(CellText.of(cell, in: columns[0], glyphs: glyphs).text == text)
    }
}

/// A form that nobody types in stores nothing; what is typed back is the moment that was there.
@Test(arguments: [
    Cell.text("2026-10-25 01:30"), .text("2026-06-30T22:30:00Z"), .integer(1_000_020),
])
func aFieldOfADateGoesRound(seen: Cell) throws {
    var columns = [ColumnDescription(name: "c", type: .date)]
    columns.setZone("Europe/Zurich")
    var field = FormField(
        column: 0, columns[0], seen: seen, example: nil, glyphs: Glyphs(isASCII: false))
    #expect(!field.isChanged)
    guard case .text(let shown) = field.entry else { throw TypingError(message: "no text") }
    field.fill(typed: "2000-01-01 00:00")
    #expect(field.isChanged)
    field.fill(typed: shown.text)
    #expect(try !field.isChanged && field.cell() == seen)
}

@Test func aColumnOfAnythingTakesNumbersAsNumbers() {
    #expect(cell(.blob, "12") == .integer(12))
    #expect(cell(.blob, "1.5") == .real(1.5))
    #expect(cell(.blob, "007") == .text("007"))
    #expect(cell(.blob, "12", like: .text("a")) == .text("12"))
    #expect(cell(.blob, "x") == .text("x"))
}

@Test func aBooleanIsAWordOrADigit() {
    #expect(cell(.boolean, "YES") == .integer(1) && cell(.boolean, "0") == .integer(0))
    #expect(cell(.boolean, "perhaps") == nil && cell(.boolean, "") == .null)
}

/// Its text alone may not say which moment was picked.
@Test(arguments: [
    "2024-01-02 10:00:00Z", "2024-10-27 01:30:00", "2024-01-02 10:00:00+05:00",
])
func aPickedTimeIsStoredAsItWasPicked(picked: String) throws {
    var list = PlainCars.cars
    list.columns[4] = ColumnDescription(name: "at", type: .date)
    list.timeZone = "Europe/Zurich"
    let column = list.columns[4]
    var field = FormField(
        column: 0, column, seen: .text("2024-01-01 10:00:00"), example: nil,
        glyphs: Glyphs(isASCII: false))
    field.fill(.text(picked))
    #expect(try field.cell() == .text(picked))
    field.selectAll()
    field.insert("2024-01-03 11:00:00")
    #expect(try field.cell() == .text("2024-01-03 10:00:00"), "typed over it")
}

@Test func wheelsThatNobodyTurnedLeaveTheFieldAsItIs() {
    var picker = WheelPicker(
        title: "At", .dateAndTime, rules: ColumnRules(), stored: 28_401_150, start: 0)
    let untouched = picker
    #expect(picker.handle(.enter) == .cancel)
    picker = untouched
    #expect(picker.handle(.down) == .stay)
    guard case .type = picker.handle(.enter) else {
        Issue.record("the turned wheels are not taken")
        return
    }
}
