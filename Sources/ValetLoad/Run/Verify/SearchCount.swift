import ValetModel
import ValetReference

/// Counts the rows that some queries must find, in one pass over all rows.
///
/// `RowTest` decides. Results are cached by cell, since most columns repeat their values.
struct SearchCount {
    private enum Verdict: Int, Comparable {
        case fails
        /// Only the uncompared end of a long text could decide.
        case isOpen
        case passes

        static func < (one: Verdict, other: Verdict) -> Bool { one.rawValue < other.rawValue }
    }

    private let list: ListDescription
    /// All tests, and which of them each query makes.
    private let tests: [RowTest]
    private let ranges: [Range<Int>]
    /// Columns of the list that any of the tests looks at.
    let columns: [Int]
    /// The tests that a cell of a column does not fail.
    private var remembered: [[Cell: [(test: Int, verdict: Verdict)]]]
    /// Of each test: the best of the row's cells.
    private var row: [Verdict]
    /// How many rows each query may find.
    private(set) var counts: [ClosedRange<Int>]

    /// Results cached for each column.
    private static let mostRemembered = 1 << 16

    init(_ queries: [Viewpoint], of list: ListDescription) {
        self.list = list
        tests = queries.flatMap(\.reference.tests)
        var end = 0
        ranges = queries.map { query in
            end += query.reference.tests.count
            return end - query.reference.tests.count..<end
        }
        columns = Set(tests.flatMap(\.columns)).sorted()
        remembered = Array(repeating: [:], count: columns.count)
        row = Array(repeating: .fails, count: tests.count)
        counts = Array(repeating: 0...0, count: queries.count)
    }

    /// Adds a cell of the row: that of `columns[index]`.
    mutating func add(_ cell: Cell, at index: Int) {
        let known = remembered[index][cell]
        let verdicts = known ?? verdicts(on: cell, of: columns[index])
        if known == nil, remembered[index].count < Self.mostRemembered {
            remembered[index][cell] = verdicts
        }
        for (test, verdict) in verdicts { row[test] = max(row[test], verdict) }
    }

    private func verdicts(on cell: Cell, of column: Int) -> [(test: Int, verdict: Verdict)] {
        tests.enumerated().compactMap { index, test in
            guard test.columns.contains(column) else { return nil }
            switch test.passes(cell, list.columns[column]) {
            case true?: return (index, .passes)
            case false?: return nil
            case nil: return (index, .isOpen)
            }
        }
    }

    mutating func endRow() {
        for (query, range) in ranges.enumerated() {
            let (least, most) = (counts[query].lowerBound, counts[query].upperBound)
            switch row[range].min() ?? .passes {
            case .passes: counts[query] = least + 1...most + 1
            case .isOpen: counts[query] = least...most + 1
            case .fails: break
            }
        }
        for test in row.indices { row[test] = .fails }
    }
}
