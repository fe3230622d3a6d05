import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where this process serves its file, for those who find the file owned by it.
final class ServedAddress: Sendable {
    private let address = Mutex<String?>(nil)

    /// The process's number before it listens, or when it never does.
    var text: String { address.withLock { $0 } ?? "process \(getpid())" }

    func set(_ text: String) {
        address.withLock { $0 = text }
    }
}

enum WallClock {
    /// Microseconds since 1970, UTC.
    @Sendable static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
