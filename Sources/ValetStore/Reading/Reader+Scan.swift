import ValetArrangement
import ValetModel

/// Reading all rows of a list.
extension Reader {
    /// Calls `row` with every row, in ascending order of row id; a damaged file that breaks the
    /// order is an error.
    ///
    /// - Parameter cancelled: polled every few rows; true ends the scan with `.superseded`.
    package func scan(
        list: Int, columns: [Int], cancelled: () -> Bool = { false },
        row: (borrowing StoredRow) throws(ValetError) -> Void
    ) throws(ValetError) {
        let place = try place(of: list, cancelled: cancelled)
        try place.working(within: budgets.row, cancelled) { () throws(ValetError) in
            // Not cached: scans are rare, and preparing is cheap beside one.
            let sql = SQL.scan(place.source, columns: columns)
            let statement = try place.connection.prepare(sql, for: place.source.subject)
            var last: Int64?
            _ = try place.rows(of: statement, after: &last, row: row)
            read(upTo: last, ofList: list)
        }
    }

    private func read(upTo rowID: Int64?, ofList list: Int) {
        guard let rowID else { return }
        database.shownRowIDs.add(rowID, ofTable: database.tables[list])
    }

    /// Whether the list can be read in parts. A copy may be made anew between two of them, and some
    /// virtual tables sort all their rows for each.
    package func canScanInParts(list: Int) -> Bool {
        database.sources[list] != nil && pinned == nil
            && database.schema.tables[database.tables[list]].kind == .table
    }

    /// How often a part that may end looks whether somebody waits for that.
    private static let untilNextLook = Duration.milliseconds(20)

    package func makeTurns() -> ReadingTurns { ReadingTurns(length: budgets.part) }

    /// The same in many short transactions: one that goes on for long keeps the write-ahead log
    /// from being moved into the file. Outside WAL mode it keeps other programs from writing, and
    /// ends when one wants to.
    ///
    /// The parts are of successive revisions. A row that was inserted meanwhile may be lacking, one
    /// that was deleted may be there: who knows what this process has committed makes up for that.
    ///
    /// - Parameters:
    ///   - turns: those of all passes that read the list at the same time.
    ///   - since: the revision of what the caller has read before, which counts as a part.
    /// - Returns: the first and the last revision. nil if another program has committed in between,
    ///   or keeps the file locked, since which rows it changes is not known; or if the list can't
    ///   be read so.
    package func scanInParts(
        list: Int, columns: [Int], turns: ReadingTurns? = nil, since: UInt64? = nil,
        cancelled: () -> Bool = { false },
        row: (borrowing StoredRow) throws(ValetError) -> Void
    ) throws(ValetError) -> ClosedRange<UInt64>? {
        guard canScanInParts(list: list) else { return nil }
        let place = try place(of: list, cancelled: cancelled)
        // In WAL mode no writer waits for readers, and no pass for another.
        let isInWALMode = try connection.isInWALMode()
        let turns = (isInWALMode ? nil : turns) ?? makeTurns()
        let sql = SQL.scan(place.source, columns: columns, isFollowing: true)
        var (oldest, newest, last, isWhole) = (since, UInt64(0), Int64?.none, false)
        while !isWhole {
            var (goesOn, hasBegun) = (false, false)
            var end = turns.enter()
            defer { turns.leave() }
            do throws(ValetError) {
                goesOn = try connection.reading(database.watch) { revision throws(ValetError) in
                    hasBegun = true
                    if let oldest, database.watch.othersRevision > oldest { return false }
                    (oldest, newest) = (oldest ?? revision, max(newest, revision))
                    isWhole = try place.working(within: budgets.row, cancelled) {
                        () throws(ValetError) in
                        let statement = try place.connection.prepare(
                            sql, [.integer(last ?? .min)], for: place.source.subject)
                        return try place.rows(
                            of: statement, after: &last,
                            until: {
                                guard end <= .now else { return false }
                                end = .now + Self.untilNextLook
                                return isInWALMode || turns.isAwaited || connection.isReserved
                            }, row: row)
                    }
                    return true
                }
            } catch {
                // A part that can't begin may find the file locked.
                guard !hasBegun, last != nil else { throw error }
                return nil
            }
            if !goesOn { return nil }
        }
        read(upTo: last, ofList: list)
        return oldest.map { $0...max($0, newest) }
    }
}

extension Reader.Place {
    /// Steps through rows in ascending order.
    ///
    /// - Parameters:
    ///   - last: the last row's id. Its row may come again as the first, so that in a damaged file,
    ///     too, steps go on where they ended.
    ///   - isOver: asked after as many rows as a leaf has.
    /// - Returns: whether there are no more rows.
    fileprivate func rows(
        of statement: Statement, after last: inout Int64?, until isOver: () -> Bool = { false },
        row: (borrowing StoredRow) throws(ValetError) -> Void
    ) throws(ValetError) -> Bool {
        let begun = last
        var (count, isFirst) = (0, true)
        while try statement.step() {
            connection.interruption.rowCame()
            let stored = StoredRow(statement)
            let id = stored.id
            defer { isFirst = false }
            if isFirst, id == begun { continue }
            if let last, id <= last { throw rowIDsOutOfOrder }
            last = id
            try row(stored)
            count += 1
            if count % Limits.rowsPerLeaf == 0, isOver() { return false }
        }
        return true
    }
}
