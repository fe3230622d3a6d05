import Foundation
import Synchronization

/// The only use of Foundation in this module: it reads the system's time zones, and has its own
/// where the system has none.
extension ZoneClock {
    /// nil for a name that is not known on this computer.
    public init?(named name: String) {
        if let clock = Self.read.withLock({ $0[name] }) {
            self = clock
        } else {
            guard let clock = Self(reading: name) else { return nil }
            Self.read.withLock { $0[name] = clock }
            self = clock
        }
    }

    /// Zones by name: known ones only, of which there are some hundreds.
    private static let read = Mutex<[String: ZoneClock]>([:])

    /// From the year 1800 on: the first zones are younger.
    private static let first = -5_364_662_400
    /// No zone has ever changed its offset twice within three days.
    private static let step = 3 * 86_400

    private init?(reading name: String) {
        // Foundation also takes `GMT+3`, which other computers may not know, and reads a name up to
        // a NUL.
        guard name == "UTC" || name.contains("/"), !name.utf8.contains(0),
            let zone = TimeZone(identifier: name)
        else { return nil }
        // Foundation's own zones are not those of the system: in the past, 13 of 80 differ.
        if let file = Self.file(of: name) {
            self.init(name: name, first: file.first, changes: file.changes)
            return
        }
        let step = Self.step
        func offset(_ second: Int) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
        }
        let first = offset(Self.first)
        var last = first
        var changes: [Change] = []
        for second in stride(from: Self.first, to: Int(Self.end), by: step) {
            let next = offset(second + step)
            if next == last { continue }
            let from = (second + 1..<second + step).firstNotBefore { offset($0) == last }
            changes.append(Change(second: Int64(from), offset: next))
            last = next
        }
        self.init(name: name, first: first, changes: changes)
    }

    /// - Parameter name: one that Foundation knows, and so no path to elsewhere.
    private static func file(of name: String) -> ZoneFile? {
        let folders = [
            ProcessInfo.processInfo.environment["TZDIR"], "/usr/share/zoneinfo",
            "/usr/lib/zoneinfo",
        ]
        for folder in folders.compactMap(\.self) where !name.contains("..") {
            let bytes = FileManager.default.contents(atPath: folder + "/" + name)
            if let bytes, let file = ZoneFile(Array(bytes)) { return file }
        }
        return nil
    }
}
