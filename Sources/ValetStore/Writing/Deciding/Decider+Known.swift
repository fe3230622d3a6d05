import ValetModel

/// A command that is sent again is not carried out again.
extension Decider {
    /// The outcome of a command that was carried out; nil for one that was not, and can be. For
    /// other stations than the one that asked for it, there is no such writer.
    func knownOutcome(of sent: SentCommand, at time: Int64) throws(ValetError) -> Outcome? {
        let (command, station) = (sent.command, sent.station.id)
        let (name, writer) = (command.name, command.name.writer)
        guard let number = Int64(exactly: name.number), number > 0 else { throw .badNumber(name) }
        let known = try prepared.run(
            SQL.command, writer.cells + [.integer(number), station.cell]
        ) { row throws(ValetError) in
            guard row.integer(3) == sent.digest else { throw .otherCommand(name) }
            var step: UInt64?
            guard let verdict = Verdict(stored: row.byteArray(2), step: &step) else {
                throw connection.damagedLog("an outcome that can't be read")
            }
            return Outcome(
                revision: UInt64(bitPattern: row.integer(0)), time: row.integer(1),
                verdict: verdict, step: step)
        }
        if let known { return known }
        guard let (owner, dropped) = try log.sender(writer) else {
            guard try isNew(writer, of: station, at: time) else { throw .expired(name) }
            return nil
        }
        guard owner == station.bytes else { throw .expired(name) }
        let highest = max(
            dropped.highest, try prepared.integer(SQL.highestCommand, writer.cells) ?? 0)
        guard number > highest - Int64(Limits.commandsRemembered), !dropped.contains(number)
        else { throw .expired(name) }
        return nil
    }

    /// Whether a writer that has no row has sent nothing yet: this process has made it, or it can't
    /// be one that was forgotten.
    private func isNew(
        _ writer: WriterID, of station: StationID, at time: Int64
    ) throws(ValetError) -> Bool {
        if let known = log.newWriters.station(of: writer) { return known == station }
        let (now, made) = (time / 1_000, writer.milliseconds)
        guard made >= now - Limits.secondsOfNewWriters * 1_000,
            made <= now + Limits.secondsOfAheadClocks * 1_000
        else { return false }
        return made > (try prepared.integer(SQL.forgotten) ?? .max)
    }
}
