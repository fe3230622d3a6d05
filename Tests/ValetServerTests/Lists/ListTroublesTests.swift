import Logging
import NIOCore
import Synchronization
import Testing

@testable import ValetServer

@Suite struct ListTroublesTests {
    private struct Lines: LogHandler {
        final class Kept: Sendable { let lines = Mutex<[String]>([]) }

        let kept: Kept
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let list = event.metadata?["list"].map { "\($0)" } ?? ""
            kept.lines.withLock { $0.append(list) }
        }
    }

    @Test func eachListIsNamedOnceAMinute() {
        let kept = Lines.Kept()
        let troubles = ListTroubles(
            of: ["cars", "owners"], Logger(label: "test") { _ in Lines(kept: kept) })
        let start = NIODeadline.uptimeNanoseconds(1)
        for seconds in [0, 1, 59] as [Int64] {
            troubles.note(0, .locked, at: start + .seconds(seconds))
            troubles.note(1, .locked, at: start + .seconds(seconds))
        }
        troubles.note(1, .locked, at: start + .seconds(60))
        #expect(kept.lines.withLock { $0 } == ["cars", "owners", "owners"])
    }
}
