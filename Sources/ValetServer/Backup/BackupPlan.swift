import ValetModel

/// Where a server's backups go, how often one is made, and how many are kept.
///
/// They are called `STEM-20261128T211500Z.sqlite`, by the file's name and the time in UTC, so that
/// names in order are in the order of time.
public struct BackupPlan: Hashable, Sendable {
    public var folder: String
    public var interval: Duration
    public var kept: Int

    public init(folder: String, interval: Duration, kept: Int) {
        (self.folder, self.interval, self.kept) = (folder, interval, kept)
    }

    /// - Parameter microseconds: since 1970, UTC.
    func name(ofFile path: String, at microseconds: Int64) -> String {
        let seconds = microseconds / 1_000_000
        let time = CivilTime(secondsSince1970: seconds)
        let digits = "\(CivilTime.isoDay(time.days))T\(time.isoMinute)".filter {
            $0 != "-" && $0 != ":"
        }
        return "\(Self.stem(path))-\(digits)\(CivilTime.padded(seconds % 60, to: 2))Z.sqlite"
    }

    /// Those of a file among the names in the folder, the oldest first.
    func backups(ofFile path: String, among names: [String]) -> [String] {
        let start = Self.stem(path) + "-"
        return names.filter { name in
            name.hasPrefix(start)
                && name.dropFirst(start.count).wholeMatch(of: /[0-9]{8}T[0-9]{6}Z\.sqlite/) != nil
        }.sorted()
    }

    /// What is left of one that was not finished.
    func leftovers(ofFile path: String, among names: [String]) -> [String] {
        names.filter { name in
            name.hasSuffix(Self.half)
                && !backups(ofFile: path, among: [String(name.dropLast(Self.half.count))]).isEmpty
        }
    }

    func lock(ofFile path: String) -> String { ".\(Self.stem(path)).lock" }

    /// At the end of the name of one that is being made.
    static let half = ".partial"

    /// Whether it is time for the next one. Those of later than now were made while the clock was
    /// wrong, and say nothing.
    func isDue(ofFile path: String, among names: [String], at microseconds: Int64) -> Bool {
        let now = name(ofFile: path, at: microseconds)
        guard let newest = backups(ofFile: path, among: names).last(where: { $0 <= now }) else {
            return true
        }
        let earlier = microseconds - interval.components.seconds * 1_000_000
        return newest <= name(ofFile: path, at: earlier)
    }

    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }
}
