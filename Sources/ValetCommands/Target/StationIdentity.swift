import Foundation
import ValetModel

/// This machine's station: a name and a 128-bit id, made once and kept in
/// `$XDG_STATE_HOME/valet/station`, or `~/.local/state/valet/station`.
enum StationIdentity {
    /// The stored identity; a fresh one that is stored if it can be. A file that can't be read or
    /// written is no reason to fail: the station is then a new one each time.
    static func load() -> Station {
        let name = ProcessInfo.processInfo.hostName
        let file = folder.appending(path: "station")
        if let text = try? String(contentsOf: file, encoding: .utf8), let id = parse(text) {
            return Station(name: name, id: id)
        }
        let id = StationID(high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data((text(of: id) + "\n").utf8).write(to: file, options: .withoutOverwriting)
        return Station(name: name, id: id)
    }

    private static var folder: URL {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? NSTemporaryDirectory()) + "/.local/state"
        return URL(filePath: state).appending(path: "valet")
    }

    static func parse(_ text: String) -> StationID? {
        let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        return StationID(high: high, low: low)
    }

    static func text(of id: StationID) -> String {
        [id.high, id.low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
