import ValetModel

/// Transactions that change no list, and make no entry.
extension WrittenFile {
    /// Does nothing to the writer of another station.
    func retire(
        writer: WriterID, of station: StationID, isRefresh: Bool, at time: Int64
    ) throws(ValetError) {
        try ownCommit { () throws(ValetError) in
            if isRefresh { try prepared.run(SQL.forgetSteps, [station.cell]) }
            try prepared.run(
                SQL.retireWriter, [.integer(time)] + writer.cells + [station.cell])
        }
    }

    /// A transaction that changes no list.
    func ownCommit<Value>(
        _ body: () throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        do throws(ValetError) {
            return try connection.working(within: .command) { () throws(ValetError) in
                try prepared.run(SQL.beginWriting)
                try checkFile()
                let revision = try database.watch.look()
                let changes = connection.totalChanges
                let value = try body()
                try connection.commit(as: revision, to: database.watch, changedSince: changes)
                toldIsCommitted()
                return value
            }
        } catch {
            rollBack()
            throw error
        }
    }

    /// See `LogTables.keepEntries`.
    func keepEntries(after revision: UInt64?, for consumer: String) throws(ValetError) {
        try ownCommit { () throws(ValetError) in
            try log.keepEntries(after: revision, for: consumer)
        }
    }
}
