/// What a writer has done.
struct WriterMeter: Sendable {
    /// Commands that were carried out or refused.
    var commands = 0
    /// How long transactions took, until they were durable.
    var commits = RequestTimes()
}

extension FileWriter {
    /// Commands that wait.
    var waitingCount: Int { state.withLock { $0.queue.count } }

    var bytesOfWriteAheadLog: Int { database.bytesOfWriteAheadLog }
}
