import Logging
import ValetModel

/// Keeps what is logged.
final class KeptLog: Sendable {
    let events = Mutex<[Logger.Metadata]>([])

    /// What each event says under a name, if it does.
    func values(of name: String) -> [String?] {
        events.withLock { $0.map { event in event[name].map { "\($0)" } } }
    }

    var logger: Logger { Logger(label: "test") { _ in Handler(kept: self) } }

    private struct Handler: LogHandler {
        let kept: KeptLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            kept.events.withLock { $0.append(all) }
        }
    }
}
