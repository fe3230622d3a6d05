import CSQLite

/// Whether a reader keeps another program from writing, as it does outside WAL mode: there a writer
/// reserves the file, and waits at its commit until nobody reads.
///
/// A reservation alone may be a transaction that still goes on, so only one that lasts counts.
struct LockWatch {
    let patience: Duration
    private unowned let connection: Connection
    private var nextLook = ContinuousClock.now
    /// The first and the last look that found the file reserved.
    private var reserved: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?

    private static let interval = Duration.milliseconds(20)
    /// Writers that try again and again reserve it in turns.
    private static let longestGap = Duration.milliseconds(500)

    init(_ connection: Connection, patience: Duration) {
        (self.connection, self.patience) = (connection, patience)
    }

    mutating func keepsWriter(at now: ContinuousClock.Instant) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Self.interval
        if let last = reserved?.last, now - last > Self.longestGap { reserved = nil }
        guard connection.isReserved else { return false }
        let first = reserved?.first ?? now
        reserved = (first, now)
        return now - first >= patience
    }
}

extension Connection {
    /// Whether a program, maybe this one, has begun to write the file. False in WAL mode, where
    /// writers reserve nothing of the file itself.
    var isReserved: Bool {
        var result: Int32 = 0
        guard let file = fileHandle(),
            let check = file.pointee.pMethods?.pointee.xCheckReservedLock,
            check(file, &result) == SQLITE_OK
        else { return false }
        return result != 0
    }
}
