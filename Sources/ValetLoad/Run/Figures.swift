import Synchronization
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
        /// The server's, of each second; nil where it did not say.
        var memory: [ServerMemory?] = []
        fileprivate var rowsComparedNow = 0
    }

    static let mostShown = 10

    private let totals = Mutex(Totals())
    private let measuring = Atomic(false)
    private let stopped = Atomic(false)

    var isMeasuring: Bool { measuring.load(ordering: .relaxed) }

    /// The warm-up is over.
    func beginMeasuring() {
        measuring.store(true, ordering: .relaxed)
    }

    /// The run was ended early: errors from now on do not count.
    func stop() {
        stopped.store(true, ordering: .relaxed)
    }

    func add(_ kind: Kind, _ time: Duration) {
        guard isMeasuring else { return }
        totals.withLock { totals in
            totals.requests += 1
            totals.all.record(time)
            totals.byKind[kind, default: Latencies()].record(time)
        }
    }

    func addShown(_ time: Duration) {
        guard isMeasuring else { return }
        totals.withLock { $0.shown.record(time) }
    }

    func addCompared(rows: Int) {
        totals.withLock { $0.rowsCompared += rows }
    }

    func addSuperseded() {
        totals.withLock { $0.superseded += 1 }
    }

    /// Errors count from the beginning: a warm-up is no excuse.
    func add(_ error: ValetError, at station: Int) {
        if stopped.load(ordering: .relaxed) { return }
        totals.withLock { totals in
            totals.errors += 1
            if totals.firstErrors.count < Self.mostShown {
                totals.firstErrors.append("station \(station): \(error) (\(error.code.name))")
            }
        }
    }

    func addChecked(_ mismatches: [Mismatch], at station: Int) {
        totals.withLock { totals in
            totals.windowsChecked += 1
            add(mismatches, at: station, to: &totals)
        }
    }

    func add(_ mismatch: Mismatch, at station: Int) {
        totals.withLock { add([mismatch], at: station, to: &$0) }
    }

    /// Adds searches whose rows were counted in the file, and those whose counts differ.
    func addCounted(_ searches: Int, _ mismatches: [Mismatch]) {
        totals.withLock { totals in
            totals.searchesCounted += searches
            add(mismatches, at: nil, to: &totals)
        }
    }

    /// - Parameter station: nil when the mismatch concerns all stations.
    private func add(_ mismatches: [Mismatch], at station: Int?, to totals: inout Totals) {
        totals.mismatches += mismatches.count
        for mismatch in mismatches { totals.mismatchesByKind[mismatch.kind, default: 0] += 1 }
        let room = Self.mostShown - totals.firstMismatches.count
        let place = station.map { ", station \($0)" } ?? ""
        totals.firstMismatches += mismatches.prefix(max(0, room)).map {
            Mismatch($0.kind, "\($0.text)\(place)")
        }
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
        totals.withLock { totals in
            totals.traffic.bytes += traffic.bytes
            totals.traffic.pages += traffic.pages
            totals.traffic.rows += traffic.rows
        }
    }

    func addCutOff() {
        totals.withLock { $0.cutOff += 1 }
    }

    /// Ends a second.
    func turn(memory: ServerMemory?) {
        totals.withLock { totals in
            if isMeasuring { totals.memory.append(memory) }
            totals.rowsComparedNow = 0
        }
    }

    func summary() -> Totals { totals.withLock { $0 } }

    /// Counts for a line that says how the run goes.
    func counts() -> (requests: Int, errors: Int, mismatches: Int) {
        totals.withLock { ($0.requests, $0.errors, $0.mismatches) }
    }
}
