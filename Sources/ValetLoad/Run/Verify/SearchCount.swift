import ValetModel
import ValetReference

/// Counts the rows that some queries must find, in one pass over all rows.
///
/// `RowTest` decides. Results are cached by cell, since most columns repeat their values.
struct SearchCount {
    /// A bit for each test of each query.
    private struct Passed {
        var sure: [UInt64]
        /// Tests that only the uncompared end of a long text could decide.
        var open: [UInt64]

        init(words: Int) {
            sure = Array(repeating: 0, count: words)
            open = sure
        }

        mutating func add(_ other: Passed) {
            for index in sure.indices {
                sure[index] |= other.sure[index]
                open[index] |= other.open[index]
            }
        }
    }

    private let list: ListDescription
    /// All tests, and which of them each query makes.
    private let tests: [RowTest]
    private let ranges: [Range<Int>]
    /// Columns of the list that any of the tests looks at.
    let columns: [Int]
    private var remembered: [[Cell: Passed]]
    private var row: Passed
    private let none: Passed
    private var sure: [Int]
    private var open: [Int]

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
        none = Passed(words: (tests.count + 63) / 64)
        row = none
        sure = Array(repeating: 0, count: queries.count)
        open = sure
    }

    /// Adds a cell of the row: that of `columns[index]`.
    mutating func add(_ cell: Cell, at index: Int) {
        if let known = remembered[index][cell] {
            row.add(known)
            return
        }
        let passed = test(cell, of: columns[index])
        if remembered[index].count < Self.mostRemembered { remembered[index][cell] = passed }
        row.add(passed)
    }

    private func test(_ cell: Cell, of column: Int) -> Passed {
        var passed = none
        for (index, test) in tests.enumerated() where test.columns.contains(column) {
            let bit: UInt64 = 1 << UInt64(index % 64)
            switch test.passes(cell, list.columns[column]) {
            case true?: passed.sure[index / 64] |= bit
            case false?: break
            case nil: passed.open[index / 64] |= bit
            }
        }
        return passed
    }

    mutating func endRow() {
        for (query, range) in ranges.enumerated() {
            if range.allSatisfy({ Self.has($0, row.sure) }) {
                sure[query] += 1
            } else if range.allSatisfy({ Self.has($0, row.sure) || Self.has($0, row.open) }) {
                open[query] += 1
            }
        }
        row = none
    }

    private static func has(_ test: Int, _ bits: [UInt64]) -> Bool {
        bits[test / 64] >> UInt64(test % 64) & 1 == 1
    }

    /// How many rows each query may find.
    var counts: [ClosedRange<Int>] {
        sure.indices.map { sure[$0]...sure[$0] + open[$0] }
    }
}
