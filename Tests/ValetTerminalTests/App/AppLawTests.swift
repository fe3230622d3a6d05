import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// Where the labels of a table stand.
private func labelLine(_ talk: ServedApp) -> String { talk.lines[2] }

@Test func pagesWithEverLongerValuesMoveNoColumn() {
    var talk = ServedApp(lists: [PlainCars.table])
    // Behind the first window, every value is longer than the one before.
    for (place, id) in talk.server.order.enumerated().dropFirst(60) {
        talk.server.cars[id]?[1] = .text(String(repeating: "M", count: place / 10))
        talk.server.cars[id]?[4] = .text(String(repeating: "O", count: place / 10))
        talk.server.cars[id]?[3] = .real(Double(place) * 1e9)
    }
    let labels = labelLine(talk)
    for _ in 0..<40 {
        talk.press("pgdn")
        #expect(labelLine(talk) == labels)
    }
    // What doesn't fit is cut, a number to nothing but the sign of it.
    #expect(talk.lines[10].contains("MM…  "))
    #expect(talk.lines[10].contains("   …  O"))
    #expect(!talk.lines[10].contains("000"))
}

@Test func aSearchAndAGroupingKeepTheColumns() {
    var talk = ServedApp(lists: [PlainCars.table])
    let labels = labelLine(talk)
    talk.press("/")
    for key in ["b", "u", "^U", "f", "esc", "2", "G", "3"] {
        talk.press(key)
        #expect(labelLine(talk) == labels, "\(key)")
    }
}

@Test func columnsAreMeasuredByTheFirstRowsAfterAnEmptyAnswer() {
    let question = Question(search: .init(text: "zz", scope: "Make"))
    var talk = ServedApp(lists: [PlainCars.table], options: AppOptions(question: question))
    #expect(talk.app.list?.columnWidths.isEmpty == true)
    talk.press("/", "^U", "enter")
    #expect(talk.app.list?.columnWidths[4] == "Nobody".count)
}

@Test func oneLongValueInTwentyWidensNoColumn() {
    let layout = RowLayout(list: PlainCars.table)
    let rows = (0..<60).map { number in
        let model = number.isMultiple(of: 30) ? String(repeating: "x", count: 30) : "M\(number)"
        return Row(
            id: Int64(number),
            cells: [
                .text("Audi"), .text(model), .integer(number == 7 ? 123_456_789 : 1_990), .real(1),
                .null,
            ])
    }
    let window = Window(
        generation: 1, revision: 1, totalRows: 40_000, totalSections: 0, anchor: 0, first: 0,
        rows: rows, runs: [])
    let widths = layout.widths(
        for: window, positions: ListScreen.positions(of: Array(0..<5)),
        glyphs: Glyphs(isASCII: false))
    #expect(widths == [0: 4, 1: 5, 2: 9, 3: 5, 4: 6])
}
