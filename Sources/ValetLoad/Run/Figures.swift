import ValetClient
import ValetModel

/// What all stations of a run report to: times, errors, mismatches, bytes.
final class Figures: Sendable {
    /// Requests that are timed apart.
    enum Kind: String, Sendable, CaseIterable {
        case window
        /// Another grouping or search, until its first rows are here.
        case query
        case index
        case sections
        case locate
        case detail
        /// Until a change was acknowledged.
        case change
        /// From the attempt to connect until the first rows are here.
        case connect
    }

    struct Totals: Sendable {
        var all = Latencies()
        var byKind: [Kind: Latencies] = [:]
        var requests = 0
        /// Queries that a newer one overtook before they were answered.
        var superseded = 0
        var errors = 0
        var firstErrors: [String] = []
        var mismatches = 0
        var firstMismatches: [Mismatch] = []
        var mismatchesByKind: [Mismatch.Kind: Int] = [:]
        /// From the time stamp of a change until a standing window of another station shows it.
        var shown = Latencies()
        var windowsChecked = 0
        var rowsCompared = 0
        /// Whose rows were counted in the file.
        var searchesCounted = 0
        var traffic = PageTraffic()
        /// Stations that read too slowly on purpose, and were disconnected.
        var cutOff = 0
        /// What could not be checked, and why.
        var notes: [String] = []
        /// The server's, of each second; nil where it did not say.
        var memory: [ServerMemory?] = []
        fileprivate var rowsComparedNow = 0
        fileprivate var isStopped = false
        fileprivate(set) var isMeasuring = false
    }

    static let mostShown = 10

    private let totals = Mutex(Totals())

    func update(_ change: (inout Totals) -> Void) {
        totals.withLock { change(&$0) }
    }

    /// So far.
    func summary() -> Totals { totals.withLock { $0 } }

    var isMeasuring: Bool { totals.withLock(\.isMeasuring) }

    /// The warm-up is over.
    func beginMeasuring() { update { $0.isMeasuring = true } }

    /// The run was ended early: errors from now on do not count.
    func stop() { update { $0.isStopped = true } }

    func add(_ kind: Kind, _ time: Duration) {
        update { totals in
            guard totals.isMeasuring else { return }
            totals.requests += 1
            totals.all.record(time)
            totals.byKind[kind, default: Latencies()].record(time)
        }
    }

    func addShown(_ time: Duration) {
        update { if $0.isMeasuring { $0.shown.record(time) } }
    }

    /// Errors count from the beginning: a warm-up is no excuse.
    func add(_ error: ValetError, at station: Int) {
        update { totals in
            if totals.isStopped { return }
            totals.errors += 1
            if totals.firstErrors.count < Self.mostShown {
                totals.firstErrors.append("station \(station): \(error) (\(error.code.name))")
            }
        }
    }

    /// - Parameter station: nil when the mismatches concern all stations.
    func add(_ mismatches: [Mismatch], at station: Int?) {
        let place = station.map { ", station \($0)" } ?? ""
        update { totals in
            totals.mismatches += mismatches.count
            for mismatch in mismatches {
                totals.mismatchesByKind[mismatch.kind, default: 0] += 1
                guard totals.firstMismatches.count < Self.mostShown else { continue }
                totals.firstMismatches.append(Mismatch(mismatch.kind, "\(mismatch.text)\(place)"))
            }
        }
    }

    func add(_ mismatch: Mismatch?, at station: Int) {
        if let mismatch { add([mismatch], at: station) }
    }

    /// Adds a window, and what is wrong with it.
    func addChecked(_ mismatches: [Mismatch], at station: Int) {
        update { $0.windowsChecked += 1 }
        add(mismatches, at: station)
    }

    /// True when another row of this second may be compared with the file.
    func takeRowToCompare(most: Int) -> Bool {
        totals.withLock { totals in
            guard totals.rowsComparedNow < most else { return false }
            totals.rowsComparedNow += 1
            totals.rowsCompared += 1
            return true
        }
    }

    func add(_ traffic: PageTraffic) {
        update { totals in
            totals.traffic.bytes += traffic.bytes
            totals.traffic.pages += traffic.pages
            totals.traffic.rows += traffic.rows
        }
    }

    func note(_ text: String) { update { $0.notes.append(text) } }

    /// Ends a second.
    func turn(memory: ServerMemory?) {
        update { totals in
            if totals.isMeasuring { totals.memory.append(memory) }
            totals.rowsComparedNow = 0
        }
    }
}
