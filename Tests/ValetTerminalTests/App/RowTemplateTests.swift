import Testing
import ValetModel

@testable import ValetTerminal

/// A brace with a combining mark behind it is one character, and still a brace.
@Test func bracesAreSeenBeforeCombiningMarks() {
    let columns = ["a", "\u{301}b"].map { ColumnDescription(name: $0, type: .text) }
    let template = RowTemplate("{a}\u{301} {\u{301}b}", columns: columns)
    #expect(template.segments == [.column(0), .literal("\u{301} "), .column(1)])
}
