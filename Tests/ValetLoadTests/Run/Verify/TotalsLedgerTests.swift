import Testing
import ValetClient
import ValetModel

@testable import ValetLoad

private let list = ListDescription(
    name: "cars", title: "cars", columns: [ColumnDescription(name: "make", type: .text)],
    titleColumn: 0,
    groupings: [Grouping(name: "make", column: 0, expression: .wholeValue, indexTitles: .none)],
    scopes: [Scope(name: "Any", columns: .columns([0]))], cell: .columns)

/// What is chosen of a hundred searches that were asked in this order.
private func chosen(_ asked: [Int], seed: UInt64) -> [String] {
    let ledger = TotalsLedger()
    for number in asked {
        let summary = ViewSummary(
            generation: 1, epoch: 9, revision: 7, totalRows: number, totalSections: 1,
            grouping: "make", groupingColumn: 0, isSectioned: true, hasIndex: true, columns: [0])
        let query = Query(search: .init(text: "word \(number)", scope: "Any"))
        #expect(ledger.check(summary, of: query) == nil)
    }
    return ledger.searches(of: list, most: 4, seed: seed).map {
        $0.query.search?.text ?? ""
    }
}

/// The texts are written down, since a process that hashes differently must choose the same.
@Test func aSeedChoosesTheSameSearchesInEveryRun() {
    let expected = ["word 47", "word 56", "word 49", "word 77"]
    #expect(chosen(Array(0..<100), seed: 1) == expected)
    #expect(chosen((0..<100).reversed(), seed: 1) == expected)
    #expect(chosen(Array(0..<100), seed: 2) != expected)
}
