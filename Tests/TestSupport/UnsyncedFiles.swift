import ValetModel

/// The files of a folder as a loss of power may leave them: what was synced is there, and of what
/// was written since chance keeps some sectors.
///
/// Of the writes to a sector the first ones are kept, or all, or none; one sector of a file may be
/// written in part. So SQLite expects it of disks (https://www.sqlite.org/atomiccommit.html).
struct UnsyncedFiles {
    fileprivate enum Change {
        case bytes([UInt8], at: Int)
        case byteCount(Int)
    }

    private struct Content {
        /// As it was at the last sync.
        var synced: [UInt8] = []
        var changes: [Change] = []
    }

    /// Where a name leads, now and in the folder's last synced state: places of `contents`.
    private struct Name {
        var now: Int?
        var synced: Int?
    }

    private static let bytesPerSector = 512
    private var names: [String: Name] = [:]
    private var contents: [Content] = []

    func has(_ path: String) -> Bool { names[path]?.now != nil }

    /// - Parameter bytes: of a file that was there before it was opened; nil for a new one.
    mutating func open(_ path: String, found bytes: [UInt8]?) {
        contents.append(Content(synced: bytes ?? []))
        names[path, default: Name()].now = contents.count - 1
        if bytes != nil { names[path]?.synced = contents.count - 1 }
    }

    mutating func write(_ bytes: [UInt8], at offset: Int, to path: String) {
        change(path, .bytes(bytes, at: offset))
    }

    mutating func truncate(_ path: String, to byteCount: Int) {
        change(path, .byteCount(byteCount))
    }

    private mutating func change(_ path: String, _ change: Change) {
        if let place = names[path]?.now { contents[place].changes.append(change) }
    }

    mutating func sync(_ path: String) {
        guard let place = names[path]?.now else { return }
        for change in contents[place].changes {
            contents[place].synced.apply(change, fill: 0)
        }
        contents[place].changes = []
    }

    mutating func syncFolder() {
        for (path, name) in names { names[path]?.synced = name.now }
    }

    mutating func delete(_ path: String) { names[path]?.now = nil }

    mutating func syncAll() {
        for path in names.keys { sync(path) }
        syncFolder()
    }

    /// What is found when the power is there again, by path; nil for a file that is gone.
    mutating func lose(_ random: inout SeededNumbers) -> [String: [UInt8]?] {
        var found: [String: [UInt8]?] = [:]
        for (path, name) in names.sorted(by: { $0.key < $1.key }) {
            let place = random.below(2) == 0 ? name.now : name.synced
            found.updateValue(place.map { Self.left(of: contents[$0], &random) }, forKey: path)
        }
        (names, contents) = ([:], [])
        for (path, bytes) in found {
            if let bytes { open(path, found: bytes) }
        }
        return found
    }

    private static func left(of content: Content, _ random: inout SeededNumbers) -> [UInt8] {
        let parts = content.changes.flatMap(parts)
        let chance = [0, 100, 500, 900, 1_000][random.below(5)]
        /// By sector, how many writes are kept; one that has lost some may have a part of the next.
        var kept: [Int: Int] = [:]
        let counts: [Int: Int] = parts.reduce(into: [:]) { $0[$1.sector, default: 0] += 1 }
        for (sector, count) in counts.sorted(by: { $0.key < $1.key })
        where !random.happens(perThousand: chance) {
            kept[sector] = random.below(count)
        }
        let lost = kept.keys.sorted()
        let torn = lost.isEmpty ? nil : lost[random.below(lost.count)]
        let truncations = content.changes.count - content.changes.count(where: \.isWrite)
        var truncationsKept = random.below(truncations + 1)
        // What a file grows by may hold anything until it is written.
        let fill = random.below(2) == 0 ? 0 : UInt8(random.below(256))
        var bytes = content.synced
        var seen: [Int: Int] = [:]
        for change in content.changes {
            guard change.isWrite else {
                if truncationsKept > 0 { bytes.apply(change, fill: 0) }
                truncationsKept -= 1
                continue
            }
            for part in Self.parts(of: change) {
                let place = seen[part.sector, default: 0]
                seen[part.sector] = place + 1
                let count = kept[part.sector] ?? .max
                if place < count {
                    bytes.apply(part.change, fill: fill)
                } else if place == count, part.sector == torn {
                    bytes.apply(part.change.torn(&random), fill: fill)
                } else if random.below(8) == 0 {
                    bytes.grow(to: part.end, fill: fill)
                }
            }
        }
        return bytes
    }

    /// What a change writes to each sector.
    private static func parts(of change: Change) -> [(sector: Int, change: Change, end: Int)] {
        guard case .bytes(let bytes, let offset) = change else { return [] }
        var parts: [(Int, Change, Int)] = []
        var start = 0
        while start < bytes.count {
            let sector = (offset + start) / bytesPerSector
            let end = min(bytes.count, (sector + 1) * bytesPerSector - offset)
            parts.append(
                (sector, .bytes(Array(bytes[start..<end]), at: offset + start), offset + end))
            start = end
        }
        return parts
    }
}

extension UnsyncedFiles.Change {
    fileprivate var isWrite: Bool {
        if case .bytes = self { true } else { false }
    }

    /// Its beginning or its end alone: a sector is written in one direction.
    fileprivate func torn(_ random: inout SeededNumbers) -> Self {
        guard case .bytes(let bytes, let offset) = self else { return self }
        let cut = random.below(bytes.count)
        return random.below(2) == 0
            ? .bytes(Array(bytes[..<cut]), at: offset)
            : .bytes(Array(bytes[cut...]), at: offset + cut)
    }
}

extension [UInt8] {
    fileprivate mutating func apply(_ change: UnsyncedFiles.Change, fill: UInt8) {
        switch change {
        case .byteCount(let byteCount):
            if byteCount < count { removeLast(count - byteCount) }
            grow(to: byteCount, fill: 0)
        case .bytes(let bytes, let offset):
            grow(to: offset + bytes.count, fill: fill)
            replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
    }

    fileprivate mutating func grow(to byteCount: Int, fill: UInt8) {
        if byteCount > count { self += Array(repeating: fill, count: byteCount - count) }
    }
}
