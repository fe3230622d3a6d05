import Testing
import ValetClient
import ValetModel

@testable import ValetLoad

/// Cars by make, written down as they must be shown.
private enum Cars {
    static let list = ListDescription(
        name: "cars", title: "cars",
        columns: [
            ColumnDescription(name: "make", type: .text),
            ColumnDescription(name: "year", type: .integer),
        ],
        titleColumn: 0,
        groupings: [
            Grouping(
                name: "make", column: 0, expression: .wholeValue,
                rowOrder: [SortKey(column: 1, isDescending: true)], indexTitles: .firstLetter)
        ],
        scopes: [Scope(name: "Any", columns: .columns([0]))], cell: .columns)

    /// In order: newest first in a make, what is missing last, then by row id.
    static let rows: [(make: Cell, year: Cell, section: Int)] =
        [
            (.text("Audi"), .integer(2020), 0), (.text("Audi"), .integer(2019), 0),
            (.text("AUDI"), .integer(2019), 0), (.text("Audi"), .null, 0),
            (.text("Citroën"), .integer(2001), 1), (.text("Citroen"), .integer(2000), 1),
            (.text("Fiat"), .integer(1999), 2), (.text("Škoda"), .integer(2010), 3),
            (.text("Volvo"), .integer(1990), 4), (.text("Volvo"), .real(1989.5), 4),
            (.null, .integer(2012), 5), (.text(""), .integer(2011), 5),
        ]
    static let titles = ["Audi", "Citroën", "Fiat", "Škoda", "Volvo", "–"]

    static var summary: ViewSummary {
        ViewSummary(
            generation: 1, epoch: 9, revision: 7, totalRows: rows.count,
            totalSections: titles.count, grouping: "make", groupingColumn: 0, isSectioned: true,
            hasIndex: true, columns: [0, 1])
    }

    static func window(_ range: Range<Int>) -> Window {
        let runs = titles.indices.map { section in
            SectionRun(
                section: section, title: titles[section],
                first: rows.firstIndex { $0.section == section } ?? 0,
                count: rows.count { $0.section == section })
        }
        return Window(
            generation: 1, revision: 7, totalRows: rows.count, totalSections: titles.count,
            anchor: range.lowerBound, first: range.lowerBound,
            rows: range.map { Row(id: Int64(100 + $0), cells: [rows[$0].make, rows[$0].year]) },
            runs: range.isEmpty
                ? []
                : runs.filter {
                    $0.first < range.upperBound && $0.first + $0.count > range.lowerBound
                })
    }

    static func verifier(_ query: Query = Query()) -> WindowVerifier {
        WindowVerifier(Viewpoint(list: list, query: query, summary: summary))
    }
}

/// What the verifier says of a window that `spoil` has changed, after it saw the whole list.
private func kinds(
    of range: Range<Int> = 0..<12, after: Range<Int>? = nil, asked: Range<Int>? = nil,
    spoil: (inout Window) -> Void
) -> Set<Mismatch.Kind> {
    var verifier = Cars.verifier()
    if let after {
        let asked = WindowVerifier.Asked(.ordinal(after.lowerBound), rows: after.count)
        #expect(verifier.check(Cars.window(after), asked: asked) == [])
    }
    var window = Cars.window(range)
    spoil(&window)
    let asked = asked ?? range
    let found = verifier.check(window, asked: .init(.ordinal(asked.lowerBound), rows: asked.count))
    return Set(found.map(\.kind))
}

@Test func aRightWindowHasNoMismatches() {
    for first in 0..<12 {
        for end in first...12 {
            #expect(kinds(of: first..<end, after: 0..<12) { _ in } == [])
        }
    }
}

@Test func aWindowIsCutAtTheEndsAndNotShifted() {
    var verifier = Cars.verifier()
    var window = Cars.window(8..<12)
    window.anchor = 10
    #expect(verifier.check(window, asked: .init(.ordinal(10), rowsBefore: 2, rows: 9)) == [])
    window = Cars.window(0..<3)
    window.anchor = 1
    #expect(verifier.check(window, asked: .init(.rowID(101), rowsBefore: 5, rows: 7)) == [])
    var empty = Cars.window(12..<12)
    #expect(verifier.check(empty, asked: .init(.ordinal(99), rows: 5)) == [])
    empty.anchor = 11
    #expect(!verifier.check(empty, asked: .init(.end, rows: 5)).isEmpty)
}

@Test func anotherStretchThanWasAskedForIsCaught() {
    #expect(kinds(of: 2..<6, asked: 2..<7) { _ in }.contains(.stretch))
    #expect(kinds(of: 3..<7, asked: 2..<6) { _ in }.contains(.stretch))
}

@Test func aMissingRowIsCaught() {
    #expect(kinds { $0.rows[3] = nil }.contains(.stretch))
}

@Test(arguments: Array(0..<11))
func swappedRowsAreOutOfOrder(_ place: Int) {
    let kinds = kinds { $0.rows.swapAt(place, place + 1) }
    #expect(kinds.contains(.order))
}

@Test func rowsThatTradedPlacesSinceAreCaught() {
    // Alone, the second window is well ordered.
    let kinds = kinds(of: 5..<7, after: 0..<12) { window in
        window.rows[0]?.id = 777
    }
    #expect(kinds == [.continuity])
}

@Test func aRowInTwoPlacesIsCaught() {
    let kinds = kinds { $0.rows[11]?.id = 100 }
    #expect(kinds.contains(.continuity))
}

@Test func wrongTotalsAreCaught() {
    #expect(kinds(of: 0..<3) { $0.totalRows = 13 } == [.totals])
    #expect(kinds(of: 0..<3) { $0.totalSections = 7 } == [.totals])
}

@Test func aRevisionThatGoesBackIsCaught() {
    #expect(kinds { $0.revision = 6 } == [.revision])
    #expect(kinds { $0.generation = 2 } == [.revision])
}

@Test func aLaterRevisionMayTellOtherTotals() {
    var verifier = Cars.verifier()
    _ = verifier.check(Cars.window(0..<3), asked: .init(.ordinal(0), rows: 3))
    var window = Cars.window(0..<3)
    (window.revision, window.totalRows) = (8, 11)
    for index in window.rows.indices { window.rows[index]?.id += 50 }
    #expect(verifier.check(window, asked: .init(.ordinal(0), rows: 3)) == [])
    #expect(!verifier.check(Cars.window(0..<3), asked: .init(.ordinal(0), rows: 3)).isEmpty)
}

@Test func wrongRunsAreCaught() {
    #expect(kinds { $0.runs[1].title = "Citroen" } == [.sections])
    #expect(kinds { $0.runs[2].title = "Fiats" } == [.sections])
    #expect(kinds { $0.runs[0].count += 1 } == [.sections])
    #expect(kinds { $0.runs[3].section += 1 } == [.sections])
    #expect(kinds { $0.runs.removeLast() } == [.sections])
    #expect(kinds { $0.runs = [] } == [.sections])
    #expect(
        kinds { window in
            window.runs[0].count = 3
            window.runs[1].first = 3
            window.runs[1].count = 3
        } == [.sections])
    #expect(
        kinds(of: 5..<7, after: 4..<7) { window in
            window.runs[0].first = 3
            window.runs[0].count = 3
        } == [.sections])
}

@Test func aSectionMayBeTitledAsARowAboveTheWindowWritesIt() {
    #expect(kinds(of: 5..<6) { _ in } == [])
    #expect(kinds(of: 2..<3) { _ in } == [])
}

@Test func aRowThatTheSearchDoesNotFindIsCaught() {
    var verifier = Cars.verifier(Query(search: .init(text: "V")))
    let asked = WindowVerifier.Asked(.ordinal(8), rows: 2)
    #expect(verifier.check(Cars.window(8..<10), asked: asked) == [])
    let stray = WindowVerifier.Asked(.ordinal(7), rows: 3)
    #expect(verifier.check(Cars.window(7..<10), asked: stray).map(\.kind) == [.search])
}

@Test func differentTotalsForTwoClientsAreFound() {
    let ledger = TotalsLedger()
    var summary = Cars.summary
    #expect(ledger.check(summary, of: Query()) == nil)
    #expect(ledger.check(summary, of: Query()) == nil)
    summary.totalRows += 1
    #expect(ledger.check(summary, of: Query())?.kind == .totals)
    #expect(ledger.check(summary, of: Query(search: .init(text: "a"))) == nil)
    summary.revision += 1
    #expect(ledger.check(summary, of: Query()) == nil)
}
