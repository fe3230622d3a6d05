import ValetModel

/// Samples rows of each table: all rows of a small one, else a fixed choice spread evenly over it.
///
/// The same table gives the same sample: the work is bounded in steps of SQLite's virtual machine,
/// since a view may take arbitrarily long for its first row; when the steps are spent, the rows
/// seen so far are the sample. Ordinary steps take at most half of the shared time. Only very slow
/// steps, such as a view's costly functions, run into the time limit and may give different samples
/// on different computers.
struct Sampler {
    private let connection: Connection
    private let time: Duration
    private let ticksPerTable: Int

    init(
        _ connection: Connection, time: Duration = Budget.inference.time,
        ticksPerTable: Int = Limits.ticksOfInferencePerTable
    ) {
        self.connection = connection
        self.time = time
        self.ticksPerTable = ticksPerTable
    }

    /// For each table, one sample per column.
    func samples(of tables: [StoredTable]) -> [[ColumnSample]] {
        var samples = tables.map { $0.columns.map { _ in ColumnSample() } }
        let shared = SharedTime(time)
        let ticks = min(ticksPerTable, Limits.ticksOfInference / max(1, tables.count))
        // Views come last, since only they can use up the time of the others.
        let order =
            tables.indices.filter { tables[$0].kind != .view }
            + tables.indices.filter { tables[$0].kind == .view }
        for (place, table) in order.enumerated() {
            guard let time = shared.part(ofNext: order.count - place) else { break }
            sample(tables[table], ticks: ticks, time: time, into: &samples[table])
        }
        return samples
    }

    /// Damage or an error in a view ends the sample early and is not reported here: reading the
    /// list will report it, and the other lists are served.
    private func sample(
        _ table: StoredTable, ticks: Int, time: Duration, into samples: inout [ColumnSample]
    ) {
        _ = try? connection.working(within: Budget.inference.taking(time), ticks: ticks) {
            () throws(ValetError) in
            if let rowID = table.rowID,
                try connection.rowCount(of: table, upTo: Limits.rowsSampled + 1)
                    > Limits.rowsSampled
            {
                try readSpread(table, rowID: rowID, into: &samples)
            } else {
                try readEveryNth(table, into: &samples)
            }
        }
    }

    private func add(_ statement: Statement, from first: Int, to samples: inout [ColumnSample]) {
        for column in samples.indices { samples[column].add(statement.value(first + column)) }
    }

    // MARK: Without row ids

    /// Steps through all rows and reads every nth. Stops counting at the limit of rows that can be
    /// copied.
    private func readEveryNth(
        _ table: StoredTable, into samples: inout [ColumnSample]
    ) throws(ValetError) {
        let rowCount = try connection.rowCount(of: table, upTo: Limits.rowsCopied)
        let stride = max(1, (rowCount + Limits.rowsSampled - 1) / Limits.rowsSampled)
        let rows = try connection.prepare(SQL.sampledRows(table), for: table.subject)
        var row = 0
        while row < rowCount, try rows.step() {
            if row % stride == 0 { add(rows, from: 0, to: &samples) }
            row += 1
        }
    }

    // MARK: By row id

    /// Evenly spread row ids may fall into gaps. So a first pass finds the ranges that contain
    /// rows, with two seeks per place: to the next row, and to the last one before the gap. The
    /// second pass spreads its places over those ranges only. So an outlying row id takes no places
    /// from the other rows.
    private func readSpread(
        _ table: StoredTable, rowID: String, into samples: inout [ColumnSample]
    ) throws(ValetError) {
        let next = try connection.prepare(SQL.sampledRow(table, rowID: rowID), for: table.subject)
        var last: Int64?
        for place in try places(table, rowID: rowID) {
            next.bind(place, at: 0)
            defer { next.reset() }
            guard try next.step() else { break }
            let found = next.integer(0)
            // Two places may lead to the same row.
            if found == last { continue }
            last = found
            add(next, from: 1, to: &samples)
        }
    }

    private func places(_ table: StoredTable, rowID: String) throws(ValetError) -> [Int64] {
        let after = try connection.prepare(SQL.rowIDAtOrAfter(table, rowID: rowID))
        let before = try connection.prepare(SQL.rowIDBefore(table, rowID: rowID))
        func seek(_ statement: Statement, _ place: Int64) throws(ValetError) -> Int64? {
            statement.bind(place, at: 0)
            defer { statement.reset() }
            return try statement.step() ? statement.integer(0) : nil
        }
        // A damaged file may return these out of order; reading its list reports that.
        guard let least = try seek(after, .min), let greatest = try seek(before, .max),
            least <= greatest
        else { return [] }
        var stretches: [ClosedRange<Int64>] = []
        var start = least
        let whole = least...greatest
        for place in Self.spread(over: [whole]) where place > start {
            guard let found = try seek(after, place), found > place,
                let end = try seek(before, place)
            else { continue }
            // Rows exist from `start` to `end`, and none from there to `found`.
            if end >= start { stretches.append(start...end) }
            start = found
        }
        stretches.append(start...max(start, greatest))
        return stretches.count == 1 ? Self.spread(over: [whole]) : Self.spread(over: stretches)
    }

    /// `Limits.rowsSampled` places, evenly spaced over the concatenated ranges.
    static func spread(over stretches: [ClosedRange<Int64>]) -> [Int64] {
        // As Double, since ids may span more than Int64 can count; places need not be exact.
        let lengths = stretches.map { Double($0.upperBound) - Double($0.lowerBound) + 1 }
        let total = lengths.reduce(0, +)
        var places: [Int64] = []
        var stretch = 0
        var lengthBefore = 0.0
        for number in 0..<Limits.rowsSampled {
            let distance = total * Double(number) / Double(Limits.rowsSampled)
            while stretch + 1 < stretches.count, distance >= lengthBefore + lengths[stretch] {
                lengthBefore += lengths[stretch]
                stretch += 1
            }
            let start = Double(stretches[stretch].lowerBound)
            let place = Int64(exactly: (start + distance - lengthBefore).rounded(.down))
            places.append(place ?? stretches[stretch].upperBound)
        }
        return places
    }
}
