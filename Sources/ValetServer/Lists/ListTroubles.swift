import Logging
import NIOCore
import ValetModel

/// Says in the server's log which lists can't be read anew, and why: each once a minute, since a
/// list is tried again a few times a second.
final class ListTroubles: Sendable {
    private static var pause: TimeAmount { .minutes(1) }

    private let names: [String]
    private let logger: Logger
    private let noted = Mutex<[Int: NIODeadline]>([:])

    init(of names: [String], _ logger: Logger) {
        (self.names, self.logger) = (names, logger)
    }

    func note(_ list: Int, _ error: ValetError, at now: NIODeadline = .now()) {
        let isNew = noted.withLock { noted in
            if let last = noted[list], now - last < Self.pause { return false }
            noted[list] = now
            return true
        }
        guard isNew else { return }
        logger.warning(
            "a list can't be read again, and shows its earlier rows",
            metadata: ["list": "\(names[list])", "error": "\(error)"])
    }
}
