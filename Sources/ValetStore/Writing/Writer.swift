import CSQLite
import ValetModel

/// Writes one database, for one thread at a time: the only writer of its process, and the owner of
/// the file among all processes that serve it.
///
/// The file is opened for writing with the first new writer. Then it also gets the tables
/// `_valet_…` and a write-ahead log.
package final class Writer {
    let database: Database

    /// Takes ownership of the file; throws `.notAllowed` if another process owns it, or if the file
    /// can't be written.
    ///
    /// - Parameter address: where this process serves the file, for those who find it owned.
    package init(
        of database: Database, address: String,
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) {
        self.database = database
    }

    // MARK: Commands

    /// Carries out commands in order, in one durable transaction as a rule.
    ///
    /// A command that ends the transaction (`RAISE(ROLLBACK)`) gets one of its own, after the
    /// others; so there may be several.
    ///
    /// - Parameters:
    ///   - microseconds: the time now, since 1970, UTC.
    ///   - willCommit: called before each COMMIT, which may still fail: readers may see the batch
    ///     from now on.
    ///   - didCommit: called after each COMMIT.
    /// - Returns: a result for each command, in order.
    package func commit(
        _ batch: [SentCommand], at microseconds: Int64,
        willCommit: (CommittedBatch) -> Void = { _ in },
        didCommit: (CommittedBatch) -> Void = { _ in }
    ) -> [CommandResult] {
        batch.map { _ in .failure(ValetError(.notAllowed, "nothing can be changed yet")) }
    }

    /// A number for a client process that begins to write: durable when this returns.
    package func newWriter(
        for station: Station, at microseconds: Int64
    ) throws(ValetError) -> UInt64 {
        throw ValetError(.notAllowed, "nothing can be changed yet")
    }

    /// The client has said goodbye: its commands are remembered for a day.
    package func retire(writer: UInt64, at microseconds: Int64) throws(ValetError) {}

    /// Looks whether another program has changed the file since the last look or batch.
    package func look() throws(ValetError) -> ForeignChange? { nil }

    /// Moves committed pages into the file when enough have come together; call it between batches.
    package func tidy(at microseconds: Int64) throws(ValetError) {}
}
