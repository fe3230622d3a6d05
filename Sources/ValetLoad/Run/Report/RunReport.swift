import ValetClient
import ValetModel

/// What came out of a run.
package struct RunReport: Sendable {
    struct Memory: Hashable, Sendable {
        /// With the list open and no station connected.
        var before: ServerMemory?
        /// With all stations connected; nil when they connect as they please.
        var connected: ServerMemory?
        var end: ServerMemory?
        var stations: Int

        /// Bytes that one more station takes; nil with fewer than a hundred stations.
        var bytesPerStation: Double? {
            guard let before, let connected, stations >= 100 else { return nil }
            return Double(connected.resident - before.resident) / Double(stations)
        }
    }

    var plan: RunPlan
    var list: String
    /// Measured seconds, without the warm-up.
    var seconds: Double
    var totals: Figures.Totals
    var wasStopped = false
    var memory = Memory(stations: 0)
    /// The server's statistics at the end; nil when it did not answer.
    var statistics: ServerStatistics?

    var perSecond: Double {
        seconds > 0 ? Double(totals.requests) / seconds : 0
    }

    /// Of page frames, for each row in them; nil when no page came.
    var bytesPerRow: Double? {
        totals.traffic.rows > 0
            ? Double(totals.traffic.bytes) / Double(totals.traffic.rows) : nil
    }

    /// How fast the server's memory grows, by the straight line through the run's second half; nil
    /// when there is too little of it to tell.
    var residentBytesPerHour: Double? {
        let known = totals.memory.enumerated().compactMap { second, memory in
            memory.map { (Double(second), Double($0.resident)) }
        }.dropFirst(totals.memory.count / 2)
        guard known.count >= 30 else { return nil }
        let count = Double(known.count)
        let meanX = known.reduce(0) { $0 + $1.0 } / count
        let meanY = known.reduce(0) { $0 + $1.1 } / count
        let covariance = known.reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        let variance = known.reduce(0) { $0 + ($1.0 - meanX) * ($1.0 - meanX) }
        return variance > 0 ? covariance / variance * 3_600 : nil
    }

    /// What the program ends with.
    var status: ExitStatus {
        wasStopped ? .cancelled : totals.errors + totals.mismatches > 0 ? .failed : .ok
    }
}
