import NIOCore

/// Attempts to open a file again that failed, one after another. Each reads the catalog and the
/// beginning of all tables, so the pauses between them grow to four seconds. Time is a parameter.
struct OpeningAttempts {
    private static var mostDoublings: Int { 5 }

    private var reason: String?
    private var count = 0
    private var restsUntil = NIODeadline.distantPast

    func areDue(at now: NIODeadline) -> Bool { now >= restsUntil }

    /// Whether so many have failed that the next ones may fail, too.
    var keepFailing: Bool { count >= 3 }

    /// - Returns: whether the reason is another than that of the last.
    mutating func failed(_ reason: String, at now: NIODeadline) -> Bool {
        defer { (self.reason, count) = (reason, count + 1) }
        restsUntil = now + FileLookout.interval * (1 << min(count, Self.mostDoublings))
        return reason != self.reason
    }
}
