import ValetModel
import ValetStore

/// The outcomes that stations received. When all stations are at rest, they are compared with the
/// log in the database file.
struct StationsLedger: Sendable {
    /// An entry of the file's log.
    struct Entry: Hashable, Sendable {
        var revision: UInt64
        var time: Int64
        var name: CommandName
    }

    /// A command that was acknowledged.
    struct Told: Sendable {
        var outcome: Outcome
        var change: ValetModel.Change
        let station: Int
    }

    /// By revision.
    private(set) var told: [UInt64: Told] = [:]
    /// The newest revision that each station received.
    private var newest: [Int: UInt64] = [:]
    /// Commands that failed: they may have been carried out.
    private(set) var unknown = 0
    /// Inserted rows less deleted ones.
    private(set) var rowsAdded = 0

    mutating func failed() {
        unknown += 1
    }

    /// - Parameter rows: how many rows the command added; negative if it deleted some.
    mutating func acknowledged(
        _ outcome: Outcome, of change: ValetModel.Change, rows: Int = 0, at station: Int
    ) -> Mismatch? {
        rowsAdded += rows
        // A refusal of before the file had a log is stored nowhere.
        if outcome.revision == 0 { return nil }
        defer { newest[station] = max(outcome.revision, newest[station] ?? 0) }
        let now = Told(outcome: outcome, change: change, station: station)
        if told.updateValue(now, forKey: outcome.revision) != nil {
            return Mismatch(
                .doubled, "two commands were acknowledged with revision \(outcome.revision)")
        }
        if let before = newest[station], outcome.revision < before {
            return Mismatch(
                .reordered,
                "revision \(outcome.revision) was acknowledged after \(before)")
        }
        return nil
    }

    /// Acknowledged commands that the log has forgotten by now.
    func forgotten(before oldest: UInt64) -> Int { told.keys.count { $0 < oldest } }

    /// - Parameters:
    ///   - log: the entries of the run, in the order of the file.
    ///   - oldest: the first revision that the log has not forgotten.
    func check(_ log: [Entry], keptSince oldest: UInt64 = 0) -> [Mismatch] {
        var found: [Mismatch] = []
        var names: Set<CommandName> = []
        var revisions: Set<UInt64> = []
        var last: UInt64 = 0
        var numbers: [WriterID: UInt64] = [:]
        for entry in log {
            func add(_ kind: Mismatch.Kind, _ text: String) {
                found.append(Mismatch(kind, "\(entry.name.text) \(text)"))
            }
            if !names.insert(entry.name).inserted { add(.doubled, "is in the log twice") }
            if entry.revision <= last || entry.name.number < numbers[entry.name.writer] ?? 0 {
                add(.reordered, "is in the log at \(entry.revision), too late")
            }
            if let told = told[entry.revision] {
                if told.outcome.time != entry.time {
                    add(.stale, "has another time in the log than in its outcome")
                }
            } else if unknown == 0 {
                add(.doubled, "is in the log and was not acknowledged")
            }
            revisions.insert(entry.revision)
            last = max(last, entry.revision)
            numbers[entry.name.writer] = entry.name.number
        }
        found += told.keys.filter { $0 >= oldest && !revisions.contains($0) }.sorted().map {
            Mismatch(.lost, "the command of revision \($0) is not in the log")
        }
        return found
    }

    /// Compares the outcome of a command that was sent again under its name.
    func checkAgain(_ outcome: Outcome, of entry: Entry) -> Mismatch? {
        guard let first = told[entry.revision]?.outcome, first != outcome else { return nil }
        return Mismatch(
            .stale,
            "\(entry.name.text) got revision \(first.revision), and \(outcome.revision) when it "
                + "was sent again")
    }
}

extension [StationsLedger.Entry] {
    /// The entries behind a revision, in order. The file must have a log.
    static func all(
        in connection: Connection, after revision: Int64
    ) throws(ValetError) -> [StationsLedger.Entry] {
        let rows = try connection.prepare(
            "SELECT revision, time, number, writer_high, writer FROM main._valet_log "
                + "WHERE revision > ? ORDER BY revision")
        rows.bind(revision, at: 0)
        var entries: [StationsLedger.Entry] = []
        while try rows.step() {
            entries.append(
                StationsLedger.Entry(
                    revision: UInt64(bitPattern: rows.integer(0)), time: rows.integer(1),
                    name: CommandName(
                        writer: WriterID(
                            high: UInt64(bitPattern: rows.integer(3)),
                            low: UInt64(bitPattern: rows.integer(4))),
                        number: UInt64(bitPattern: rows.integer(2)))))
        }
        return entries
    }
}

extension CommandName {
    fileprivate var text: String { "command \(number) of writer \(writer)" }
}
