import Logging
import NIOCore
import ValetModel
import ValetProtocol
import ValetSecurity

/// Who is at the other end of a connection, as far as that is known, and what the log says of it.
final class Caller {
    private(set) var logger: Logger
    private let source: FailedAttempts.Source?
    private let attempts: Attempts
    private var isInside = false
    private let shownKey: () -> KeyFingerprint?

    /// - Parameters:
    ///   - number: of the connection.
    ///   - shownKey: looks at the certificate that it has shown.
    init(
        _ address: SocketAddress?, number: UInt64 = 0, attempts: Attempts, logger: Logger,
        shownKey: @escaping () -> KeyFingerprint? = { nil }
    ) {
        self.shownKey = shownKey
        source = FailedAttempts.Source(address)
        self.attempts = attempts
        self.logger = logger
        self.logger[metadataKey: "connection"] = "\(number)"
        self.logger[metadataKey: "peer"] = "\(address?.description ?? "local")"
    }

    /// Of the certificate that it has shown; nil for none.
    var key: KeyFingerprint? { shownKey() }

    /// Why the connection is refused before anything is heard of it; nil if it is not.
    func refusal(at now: NIODeadline) -> ValetError? { attempts.refusal(of: source, at: now) }

    func entered(as principal: Principal?) {
        if let principal { logger[metadataKey: "principal"] = "\(principal.name)" }
        isInside = true
        attempts.entered(source)
    }

    func left() {
        if isInside { attempts.left(source) }
        isInside = false
    }

    private static let slow = TimeAmount.seconds(1)

    /// What failed, or took long.
    func answered(
        _ request: UInt32, _ kind: RequestKind, with answer: ServerMessage, in time: TimeAmount
    ) {
        guard logger.logLevel <= .debug else { return }
        var metadata: Logger.Metadata = ["request": "\(request)", "kind": "\(kind.rawValue)"]
        if case .error(let answer) = answer {
            metadata["code"] = "\(answer.error.code.name)"
            metadata["reason"] = "\(answer.error.message)"
            logger.debug("refused", metadata: metadata)
        } else if time >= Self.slow {
            metadata["milliseconds"] = "\(time.nanoseconds / 1_000_000)"
            logger.debug("answered slowly", metadata: metadata)
        }
    }

    /// It is told why it may not come in, or why it has to go. Whoever comes often is not told of
    /// each time.
    func turnedAway(_ reason: ValetError, at now: NIODeadline) {
        if isInside {
            logger.info("cut off", metadata: ["reason": "\(reason.message)"])
        } else if attempts.failed(source, at: now) {
            logger.info("turned away", metadata: ["reason": "\(reason.message)"])
        }
    }
}
