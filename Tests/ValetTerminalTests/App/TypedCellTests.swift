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
