import ValetModel

/// Counts the rows that some searches must find, in one pass over all rows.
///
/// `Viewpoint.matches` decides, which shares only the folding of texts with the server's search.
/// Results are cached by cell, since most columns repeat their values.
struct SearchCount {
    /// One bit for each search.
    private struct Found {
        var sure: UInt64 = 0
        /// Searches that only the uncompared end of a long text could decide.
        var open: UInt64 = 0
    }

    private let searches: [Viewpoint]
    /// Columns of the list that any of the searches looks in.
    let columns: [Int]
    private var remembered: [[Cell: Found]]
    private var row = Found()
    private var sure: [Int]
    private var open: [Int]

    static let mostSearches = UInt64.bitWidth
    /// Results cached for each column.
    private static let mostRemembered = 1 << 16

    init(_ searches: [Viewpoint]) {
        precondition(searches.count <= Self.mostSearches)
        self.searches = searches
        columns = Set(searches.flatMap(\.searchedColumns)).sorted()
        remembered = Array(repeating: [:], count: columns.count)
        sure = Array(repeating: 0, count: searches.count)
        open = sure
    }

    /// Adds a cell of the row: that of `columns[index]`.
    mutating func add(_ cell: Cell, at index: Int) {
        let found: Found
        if let known = remembered[index][cell] {
            found = known
        } else {
            found = test(cell, of: columns[index])
            if remembered[index].count < Self.mostRemembered { remembered[index][cell] = found }
        }
        row.sure |= found.sure
        row.open |= found.open
    }

    private func test(_ cell: Cell, of column: Int) -> Found {
        var found = Found()
        for (index, search) in searches.enumerated()
        where search.searchedColumns.contains(column) {
            switch search.matches(cell, of: column) {
            case true?: found.sure |= 1 << UInt64(index)
            case false?: break
            case nil: found.open |= 1 << UInt64(index)
            }
        }
        return found
    }

    mutating func endRow() {
        row.open &= ~row.sure
        if row.sure | row.open == 0 { return }
        for index in searches.indices {
            sure[index] += Int(row.sure >> UInt64(index) & 1)
            open[index] += Int(row.open >> UInt64(index) & 1)
        }
        row = Found()
    }

    /// How many rows each search may find.
    var counts: [ClosedRange<Int>] {
        searches.indices.map { sure[$0]...sure[$0] + open[$0] }
    }
}
