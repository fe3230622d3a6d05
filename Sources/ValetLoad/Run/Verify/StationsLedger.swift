import ValetModel

/// What stations were told of their commands. When all are at rest, it is compared with the log in
/// the database file.
struct StationsLedger: Sendable {
    /// An entry of the file's log.
    struct Entry: Hashable, Sendable {
        var revision: UInt64
        var time: Int64
        var name: CommandName
    }

    struct Told: Sendable {
        var outcome: Outcome
        var change: ValetModel.Change
    }

    /// What was told, by revision.
    private(set) var told: [UInt64: Told] = [:]
    private var newest: [Int: UInt64] = [:]
    /// Commands that failed: they may have been carried out.
    private(set) var unknown = 0
    /// Rows that were inserted, less those that were deleted.
    private(set) var rowsAdded = 0

    mutating func failed() {
        unknown += 1
    }

    /// - Parameter rows: that the command has added.
    mutating func acknowledged(
        _ outcome: Outcome, of change: ValetModel.Change, rows: Int = 0, at station: Int
    ) -> Mismatch? {
        defer { newest[station] = max(outcome.revision, newest[station] ?? 0) }
        rowsAdded += rows
        let now = Told(outcome: outcome, change: change)
        if told.updateValue(now, forKey: outcome.revision) != nil {
            return Mismatch(
                .doubled, "revision \(outcome.revision) was told for two commands")
        }
        if let before = newest[station], outcome.revision < before {
            return Mismatch(
                .reordered, "revision \(outcome.revision) was told after \(before)")
        }
        return nil
    }

    /// - Parameter log: the entries of the run, in the order of the file.
    func check(_ log: [Entry]) -> [Mismatch] {
        var found: [Mismatch] = []
        var names: Set<CommandName> = []
        var revisions: Set<UInt64> = []
        var last: UInt64 = 0
        var numbers: [UInt64: UInt64] = [:]
        for entry in log {
            let name = "command \(entry.name.number) of writer \(entry.name.writer)"
            if !names.insert(entry.name).inserted {
                found.append(Mismatch(.doubled, "\(name) is in the log twice"))
            }
            if entry.revision <= last || entry.name.number < numbers[entry.name.writer] ?? 0 {
                found.append(
                    Mismatch(.reordered, "\(name) is in the log at \(entry.revision), too late"))
            }
            if let told = told[entry.revision] {
                if told.outcome.time != entry.time {
                    found.append(
                        Mismatch(.stale, "\(name) is in the log with another time than was told"))
                }
            } else if unknown == 0 {
                found.append(Mismatch(.doubled, "\(name) was carried out and told to nobody"))
            }
            revisions.insert(entry.revision)
            last = max(last, entry.revision)
            numbers[entry.name.writer] = entry.name.number
        }
        found += told.keys.filter { !revisions.contains($0) }.sorted().map {
            Mismatch(.lost, "the command of revision \($0) is not in the log")
        }
        return found
    }

    /// A command that was sent again under its name.
    func checkAgain(_ outcome: Outcome, of entry: Entry) -> Mismatch? {
        guard let first = told[entry.revision]?.outcome, first != outcome else { return nil }
        return Mismatch(
            .stale,
            "command \(entry.name.number) of writer \(entry.name.writer) got revision "
                + "\(first.revision), and \(outcome.revision) when it was sent again")
    }
}
