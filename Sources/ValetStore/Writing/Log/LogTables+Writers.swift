import ValetModel

/// Who has sent which commands. What is in the log is known from there; when it is dropped, a
/// writer's row keeps the highest number, and which of those just below it were carried out.
extension LogTables {
    /// A writer's first command makes it known, as one of its station's.
    func bind(
        _ writer: WriterID, to station: StationID, at time: Int64
    ) throws(ValetError) {
        try prepared.run(SQL.addWriter, writer.cells + [station.cell, .integer(time)])
        if connection.changes > 0 { try forgetWriters(at: time) }
    }

    private func forgetWriters(at time: Int64) throws(ValetError) {
        let bounds = [Limits.secondsOfWriters, Limits.secondsOfRetiredWriters].map { seconds in
            Cell.integer(time - seconds * 1_000_000)
        }
        var newest: Int64?
        try prepared.rows(SQL.expireWriters, bounds) { row in
            let writer = WriterID(row, at: 0)
            // If this is taken back, its row says again who it is.
            newWriters.forget(writer)
            newest = max(newest ?? 0, writer.milliseconds)
            return true
        }
        if let newest { try prepared.run(SQL.saveForgotten, [.integer(newest)]) }
    }

    /// A writer's station, and its commands that are no longer in the log.
    func sender(
        _ writer: WriterID
    ) throws(ValetError) -> (station: [UInt8], dropped: CommandNumbers)? {
        try prepared.run(SQL.writer, writer.cells) { row in
            (
                station: row.byteArray(2),
                dropped: CommandNumbers(highest: row.integer(0), bits: row.byteArray(1))
            )
        }
    }
}
