/// A time zone as a file of the system's tzdata has it (RFC 8536, version 2 or later): offsets from
/// changes in the past, and a rule for the time after them.
struct ZoneFile {
    let first: Int64
    private(set) var changes: [ZoneClock.Change] = []

    private static let headerBytes = 44
    private static let mostChanges = 10_000
    private static let secondsPerDay: Int64 = 86_400

    /// nil for bytes that are none of a zone.
    init?(_ bytes: [UInt8]) {
        guard let old = Header(bytes, at: 0), old.version >= 0x32 else { return nil }
        let start = Self.headerBytes + old.byteCount(wide: 4)
        guard let header = Header(bytes, at: start) else { return nil }
        let times = start + Self.headerBytes
        let indexes = times + 8 * header.changes
        let types = indexes + header.changes
        guard header.changes <= Self.mostChanges, header.types > 0,
            bytes.count >= start + Self.headerBytes + header.byteCount(wide: 8)
        else { return nil }
        func offset(_ type: Int) -> Int64 {
            Int64(Int32(truncatingIfNeeded: bytes.bigEndian(at: types + 6 * type, count: 4)))
        }
        first = offset(0)
        for change in 0..<header.changes {
            let type = Int(bytes[indexes + change])
            guard type < header.types else { return nil }
            let second = bytes.bigEndian(at: times + 8 * change, count: 8)
            append(ZoneClock.Change(second: second, offset: offset(type)))
        }
        let footer = bytes[(start + Self.headerBytes + header.byteCount(wide: 8))...]
        let text = footer.dropFirst().prefix { $0 != 0x0A }
        if !text.isEmpty {
            guard let rule = ZoneRule(String(decoding: text, as: UTF8.self)) else { return nil }
            goOn(by: rule)
        }
    }

    /// Only what clocks show counts, not what their time is called.
    private mutating func append(_ change: ZoneClock.Change) {
        guard change.offset != changes.last?.offset ?? first else { return }
        changes.append(change)
    }

    /// Adds the rule's changes behind the file's own, until the calendar repeats.
    private mutating func goOn(by rule: ZoneRule) {
        let last = changes.last?.second ?? .min
        let days = max(last, -5_364_662_400) / Self.secondsPerDay
        let from = min(days * 400 / 146_097 + 1_969, 2_501)
        for year in from..<2_501 {
            for change in rule.changes(in: year)
            where change.second > last && change.second < ZoneClock.end { append(change) }
        }
    }

    private struct Header {
        let version: UInt8
        /// Of the flags, leap seconds, changes, types and names.
        private let counts: [Int]

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + ZoneFile.headerBytes,
                bytes[start..<start + 4].elementsEqual("TZif".utf8)
            else { return nil }
            version = bytes[start + 4]
            counts = (0..<6).map { Int(bytes.bigEndian(at: start + 20 + 4 * $0, count: 4)) }
            // A file that claims more than it has.
            guard counts.allSatisfy({ (0...bytes.count).contains($0) }) else { return nil }
        }

        var changes: Int { counts[3] }
        var types: Int { counts[4] }

        /// - Parameter width: bytes of a time.
        func byteCount(wide width: Int) -> Int {
            changes * (width + 1) + types * 6 + counts[5] + counts[2] * (width + 4) + counts[1]
                + counts[0]
        }
    }
}

extension [UInt8] {
    fileprivate func bigEndian(at start: Int, count: Int) -> Int64 {
        self[start..<start + count].reduce(0) { $0 << 8 | Int64($1) }
    }
}
