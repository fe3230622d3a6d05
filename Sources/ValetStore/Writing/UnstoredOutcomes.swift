import ValetModel

/// Conflicts and refusals of before a file has its log, which the first command that is applied
/// brings: what is sent again gets them as long as this process runs.
struct UnstoredOutcomes {
    private struct Kept {
        let station: StationID
        let digest: Int64
        let outcome: Outcome
    }

    private var kept: [CommandName: Kept] = [:]

    /// False when the next one has to be stored.
    var hasRoom: Bool { kept.count < Limits.outcomesInMemory }

    mutating func add(_ outcome: Outcome, of sent: SentCommand) {
        kept[sent.command.name] = Kept(
            station: sent.station.id, digest: sent.digest, outcome: outcome)
    }

    func result(of sent: SentCommand) -> CommandResult? {
        guard let known = kept[sent.command.name] else { return nil }
        guard known.station == sent.station.id else { return .failure(.expired(sent.command.name)) }
        guard known.digest == sent.digest else {
            return .failure(.otherCommand(sent.command.name))
        }
        return .success(known.outcome)
    }
}
