import ValetModel
import ValetStore

/// Counts in the file what searches must find: reads all rows into a `SearchCount`.
extension Truth {
    struct Counted: Equatable, Sendable {
        /// How many rows each search may find.
        var counts: [ClosedRange<Int>]
        var rowsRead: Int
        /// False when the time was up, or the run was ended, before all rows were read.
        var isWhole: Bool
    }

    private static let rowsPerLook = 4_096

    /// - Parameter progress: called every 4,096 rows with the number of rows read.
    /// - Returns: nil when the file has changed since the run began, because the server may show
    ///   what it read before that.
    func count(
        _ searches: [Viewpoint], until end: Instant,
        progress: @Sendable (Int) -> Void
    ) throws(ValetError) -> Counted? {
        var count = SearchCount(searches, of: list)
        let names = count.columns.map { expressions[$0] }
        let rows = try connection.prepare(
            "SELECT \(names.joined(separator: ", ")) FROM main.\(SQL.quoted(list.name)) AS s "
                + "NOT INDEXED")
        defer { rows.reset() }
        var rowsRead = 0
        while try rows.step() {
            if rowsRead % Self.rowsPerLook == 0 {
                if Task.isCancelled || ContinuousClock.now >= end { break }
                progress(rowsRead)
            }
            for index in names.indices { count.add(Cell(keyOf: rows.value(index)), at: index) }
            count.endRow()
            rowsRead += 1
        }
        guard try isUnchanged() else { return nil }
        let rest = max(0, rowCount - rowsRead)
        return Counted(
            counts: count.counts.map { $0.lowerBound...$0.upperBound + rest }, rowsRead: rowsRead,
            isWhole: rest == 0)
    }
}

extension Cell {
    /// The part of a value that decides order and search. The end of a long text does not count.
    fileprivate init(keyOf value: BorrowedValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let real): self = .real(real)
        case .text(let bytes) where bytes.count > Limits.bytesPerKeyText:
            self = .cutText("", byteCount: bytes.count)
        case .text(let bytes): self = Cell(textBytes: bytes)
        case .blob(let byteCount): self = .blob(bytes: [], byteCount: byteCount)
        }
    }
}
