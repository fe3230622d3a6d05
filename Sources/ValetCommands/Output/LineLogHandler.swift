import ArgumentParser
import Foundation
import Logging
import ValetModel

/// Logs one event a line, as words or as a JSON object. Whatever is in a value, it can't begin a
/// line of its own: control characters are escaped.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()
    private let format: LogFormat

    init(_ format: LogFormat = .text) { self.format = format }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        StandardStreams.say(
            format.line(
                time: Date.now.formatted(.iso8601), level: event.level, words: "\(event.message)",
                pairs: pairs.map { ($0.key, "\($0.value)") }))
    }
}

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    /// Time, level, words, and `key=value` pairs.
    case text
    /// An object with `time`, `level`, `message`, and the pairs.
    case json

    func line(
        time: String, level: Logger.Level, words: String, pairs: [(String, String)]
    ) -> String {
        switch self {
        case .json:
            let own = [("time", time), ("level", level.rawValue), ("message", words)]
            return JSON.text((own + pairs).map { ($0, .text($1)) }) + "\n"
        case .text:
            let fields = pairs.map { key, value in
                let text = JSON.text(.text(value))
                let isPlain = !value.isEmpty && text.dropFirst().dropLast() == value
                return "\(key)=" + (isPlain && !value.utf8.contains(0x20) ? value : text)
            }
            let words = JSON.text(.text(words)).dropFirst().dropLast()
            return ([time, level.rawValue, String(words)] + fields).joined(separator: " ") + "\n"
        }
    }
}
