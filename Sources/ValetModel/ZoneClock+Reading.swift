#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads the time zones of the system.
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

    private static let bytesPerFile = 1 << 20

    private init?(reading name: String) {
        if name == "UTC" {
            self.init(name: name, first: 0, changes: [])
            return
        }
        guard Self.isName(name) else { return nil }
        for folder in Self.folders {
            let file = try? OpenFile(folder + "/" + name)
            if let bytes = try? file?.read(upTo: Self.bytesPerFile), let file = ZoneFile(bytes) {
                self.init(name: name, first: file.first, changes: file.changes)
                return
            }
        }
        return nil
    }

    private static var folders: [String] {
        let chosen = getenv("TZDIR").map { String(cString: $0) }
        return [chosen, "/usr/share/zoneinfo", "/usr/lib/zoneinfo"].compactMap(\.self)
    }

    /// `Europe/Zurich`, and no path to elsewhere. `GMT+3` and the like are known on some computers
    /// only; below `posix` and `right` the same zones stand again, some with leap seconds.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 1 && !["posix", "right"].contains(parts[0])
            && parts.allSatisfy { part in
                let isWord = part.utf8.allSatisfy { byte in
                    switch Unicode.Scalar(byte) {
                    case "a"..."z", "A"..."Z", "0"..."9", "_", "+", "-": true
                    default: false
                    }
                }
                return isWord && !part.isEmpty
            }
    }

    /// The name of the zone that this computer's clock shows; nil if it has none.
    package static var nameOfSystem: String? {
        let chosen = getenv("TZ").map { String(cString: $0) } ?? ""
        if !chosen.isEmpty { return name(inPath: chosen.drop { $0 == ":" }) }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/etc/localtime", &path, path.count - 1)
        if count > 0 {
            let target = String(
                decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            return name(inPath: target[...])
        }
        let file = try? OpenFile("/etc/timezone")
        let bytes = (try? file?.read(upTo: bytesPerFile)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first
            .map(String.init)
    }

    /// `Europe/Zurich`, also as `/usr/share/zoneinfo/Europe/Zurich`.
    private static func name(inPath path: Substring) -> String {
        let folder = "zoneinfo/"
        guard let found = path.firstRange(of: folder) else { return String(path) }
        return String(path[found.upperBound...])
    }
}
