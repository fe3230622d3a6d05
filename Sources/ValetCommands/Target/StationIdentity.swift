import Foundation
import ValetModel

/// This machine's station: a name and a 128-bit id, made once and kept in
/// `$XDG_STATE_HOME/valet/station`, or `~/.local/state/valet/station`.
enum StationIdentity {
    /// The stored identity; a fresh one that is stored if it can be. A file that can't be read or
    /// written is no reason to fail: the station is then a new one each time.
    /// - Parameter name: of another station at this machine, which has an identity of its own.
    static func load(from file: URL = standardFile, name: String? = nil) -> Station {
        let own = load(from: file)
        guard let name else { return Station(name: hostName, id: own) }
        // The same name is always the same station.
        let id = StationID(
            high: own.high ^ ValueDigest(of: name.utf8).hash,
            low: own.low ^ ValueDigest(of: name.utf8.reversed()).hash)
        return Station(name: name, id: id)
    }

    private static func load(from file: URL) -> StationID {
        if let id = stored(in: file) { return id }
        let id = StationID(high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))
        return store(id, in: file) ?? id
    }

    private static func stored(in file: URL) -> StationID? {
        (try? String(contentsOf: file, encoding: .utf8)).flatMap(parse)
    }

    /// Two programs that start at once agree on the identity that was stored first. A file with no
    /// valid identity in it is replaced.
    /// - Returns: the identity that holds; nil when none can be stored.
    private static func store(_ id: StationID, in file: URL) -> StationID? {
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let own = folder.appending(path: ".station-\(text(of: id))")
        let manager = FileManager.default
        guard (try? Data((text(of: id) + "\n").utf8).write(to: own)) != nil else { return nil }
        defer { try? manager.removeItem(at: own) }
        // Linking a complete file is atomic, so nobody reads half an identity.
        if link(own.path, file.path) == 0 { return id }
        if let earlier = stored(in: file) { return earlier }
        return rename(own.path, file.path) == 0 ? id : nil
    }

    /// The machine's host name as the system has it, without a DNS look-up.
    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "station" }
        let name = String(
            decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? "station" : name
    }

    private static var standardFile: URL {
        URL(filePath: UserFolder.state.path()).appending(path: "station")
    }

    static func parse(_ text: String) -> StationID? {
        let words = text.split(whereSeparator: \.isWhitespace)
        // `UInt64` itself would take a sign.
        guard words.count == 1, let digits = words.first, digits.utf8.count == 32,
            digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let high = UInt64(digits.prefix(16), radix: 16),
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
