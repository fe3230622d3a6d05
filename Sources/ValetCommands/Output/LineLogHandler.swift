import Foundation
import Logging
import ValetModel

/// Logs one event a line: time, level, words, and `key=value` pairs. Whatever is in a value, it
/// can't begin a line of its own: control characters are escaped.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let line = Self.line(
            time: Date.now.formatted(.iso8601), level: event.level, words: "\(event.message)",
            pairs: pairs.map { ($0.key, "\($0.value)") })
        StandardStreams.say(line)
    }

    static func line(
        time: String, level: Logger.Level, words: String, pairs: [(String, String)]
    ) -> String {
        let fields = pairs.map { key, value in
            let text = JSON.text(.text(value))
            let isPlain = !value.isEmpty && text.dropFirst().dropLast() == value
            return "\(key)=" + (isPlain && !value.utf8.contains(0x20) ? value : text)
        }
        let words = JSON.text(.text(words)).dropFirst().dropLast()
        return ([time, level.rawValue, String(words)] + fields).joined(separator: " ") + "\n"
    }
}
