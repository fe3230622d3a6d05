import Logging
import ValetModel
import ValetStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether this server can change its file: not if it is read-only, or while another process owns
/// the file.
final class WriteAccess: Sendable {
    private let database: Database
    private let address: ServedAddress
    private let readOnlyReason: String?
    private let logger: Logger
    private let refusalByOwner = Mutex<ValetError?>(nil)

    init(_ database: Database, address: ServedAddress, readOnlyReason: String?, logger: Logger) {
        self.database = database
        self.address = address
        self.readOnlyReason = readOnlyReason
        self.logger = logger
        look()
    }

    /// Looks up the owner of the file with a few system calls.
    func look() {
        guard readOnlyReason == nil else { return }
        let refusal = Writer.refusal(for: database, besides: address.text)
        let before = refusalByOwner.withLock { known in
            defer { known = refusal }
            return known
        }
        if before != refusal {
            let news = refusal.map { "only reading: \($0.message)" } ?? "taking changes again"
            logger.info("\(news)")
        }
    }

    /// Why this server can't change its file; nil if it can.
    var refusal: ValetError? {
        readOnlyReason.map { ValetError(.readOnly, $0) } ?? refusalByOwner.withLock { $0 }
    }

    /// Why a change can't be made for which there is no thread.
    var refusalOrReadOnly: ValetError {
        refusal ?? ValetError(.readOnly, "this server only reads")
    }
}

/// Where this process serves its file, for those who find the file owned by it.
final class ServedAddress: Sendable {
    private let address = Mutex<String?>(nil)

    /// The process's number before it listens, or when it never does.
    var text: String { address.withLock { $0 } ?? "process \(getpid())" }

    func set(_ text: String) {
        address.withLock { $0 = text }
    }
}
