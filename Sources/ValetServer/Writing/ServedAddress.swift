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
