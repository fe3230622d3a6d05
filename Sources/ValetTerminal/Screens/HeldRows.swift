import ValetClient
import ValetModel

/// The rows that a list screen has: the newest window, and what was seen before it.
///
/// Rows outside the window are shown dimmed until newer ones arrive, so that only rows that were
/// never seen show as skeletons. The number of rows kept is bounded.
struct HeldRows: Sendable {
    /// Rows kept beyond the window.
    static let seenLimit = 1_024

    private(set) var window: Window?
    private var seen: [Int: Row] = [:]
    /// Of the rows seen: those of an earlier one stand in until a newer window is whole.
    private var seenRevision: UInt64?
    private var seenRuns: [SectionRun] = []
    /// Of the catalog behind the window.
    var epoch: UInt64 = 0
    /// True after a new query or a lost connection: the rows may be out of date.
    var isStale = false

    /// nil until the first window.
    var total: Int? { window?.totalRows }

    /// Ordinals that the window covers.
    var range: Range<Int> {
        window.map { $0.first..<$0.first + $0.rows.count } ?? 0..<0
    }

    mutating func take(_ new: Window) {
        if new.isComplete, seenRevision != new.revision {
            seen = [:]
            seenRevision = new.revision
        }
        if let window, window.generation == new.generation {
            let isSameRevision = window.revision == new.revision
            if isSameRevision || !new.isComplete {
                for (offset, row) in window.rows.enumerated() {
                    if let row { seen[window.first + offset] = row }
                }
            }
            if seen.count > HeldRows.seenLimit {
                let near = new.first - HeldRows.seenLimit / 3...new.first + HeldRows.seenLimit / 3
                seen = seen.filter { near.contains($0.key) }
            }
            // Section numbers and places are of one revision.
            seenRuns = isSameRevision ? seenRuns + window.runs : []
            if seenRuns.count > HeldRows.seenLimit { seenRuns = window.runs }
        } else {
            seen = [:]
            seenRuns = []
        }
        window = new
        isStale = false
    }

    /// A row to look at, and whether it is dimmed.
    func row(at ordinal: Int) -> (row: Row, isStale: Bool)? {
        if let row = freshRow(at: ordinal) { return (row, isStale) }
        return seen[ordinal].map { ($0, true) }
    }

    /// A row of the window.
    func freshRow(at ordinal: Int) -> Row? {
        guard let window, range.contains(ordinal) else { return nil }
        return window.rows[ordinal - window.first]
    }

    func ordinal(of rowID: Int64) -> Int? { window?.ordinal(of: rowID) }

    /// A row of the window, or as it was seen last.
    func row(withID rowID: Int64) -> Row? {
        ordinal(of: rowID).flatMap { freshRow(at: $0) } ?? seen.values.first { $0.id == rowID }
    }

    /// The section that a row is in, if that is known.
    func section(at ordinal: Int) -> SectionRun? {
        let holds = { (run: SectionRun) in run.first <= ordinal && ordinal < run.first + run.count }
        return window?.runs.first(where: holds) ?? seenRuns.last(where: holds)
    }

    /// The section that begins with this row.
    func sectionBeginning(at ordinal: Int) -> SectionRun? {
        section(at: ordinal).flatMap { $0.first == ordinal ? $0 : nil }
    }

    func run(ofSection section: Int) -> SectionRun? {
        window?.runs.first { $0.section == section } ?? seenRuns.last { $0.section == section }
    }
}
