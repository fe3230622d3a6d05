import NIOCore
import ValetModel

/// The answers that a connection has got since it warmed up.
struct LoadCount {
    /// What ended it, if anything did.
    var failure: ValetError?
    private var started = NIODeadline.now()
    private var answers = 0
    private var latencies = Latencies()

    /// Forgets the warm-up.
    mutating func restart() {
        (answers, started) = (0, .now())
        latencies.clear()
    }

    mutating func answered(askedAt time: NIODeadline) {
        answers += 1
        latencies.record(.nanoseconds((NIODeadline.now() - time).nanoseconds))
    }

    func figures() throws(ValetError) -> (perSecond: Double, latencies: Latencies) {
        if let failure { throw failure }
        let seconds = Double((NIODeadline.now() - started).nanoseconds) / 1e9
        return (Double(answers) / seconds, latencies)
    }
}
