import ValetModel

/// A server's statistics over the last minutes: what `valet top` shows.
package struct ServerOverview: Hashable, Sendable {
    private struct Sample: Hashable, Sendable {
        var milliseconds: Int
        var statistics: ServerStatistics
    }

    /// No terminal shows more at once.
    private static let most = Size.largest

    private let title: String
    private let isASCII: Bool
    /// In order; the newest last.
    private var samples: [Sample] = []
    /// Why there is nothing newer.
    package var trouble: String?
    package var isPaused = false

    package init(title: String, isASCII: Bool) {
        (self.title, self.isASCII) = (title, isASCII)
    }

    /// - Parameter milliseconds: when it was answered, on a clock that does not go back.
    package mutating func take(_ statistics: ServerStatistics, at milliseconds: Int) {
        trouble = nil
        // What it knew before is of another life of the server, or of its file.
        if let last = samples.last?.statistics, statistics.isYounger(than: last) { samples = [] }
        samples.append(Sample(milliseconds: milliseconds, statistics: statistics))
        samples = samples.suffix(ServerOverview.most)
    }

    // MARK: - Figures

    private enum Figure {
        case count(ServerStatistics.Name, of: ServerStatistics.Name? = nil)
        case bytes(ServerStatistics.Name, of: ServerStatistics.Name? = nil)
        /// In microseconds.
        case time(ServerStatistics.Name)
        case seconds(ServerStatistics.Name)
        /// Of a number that only rises.
        case perSecond(ServerStatistics.Name)

        var name: ServerStatistics.Name {
            switch self {
            case .count(let name, _), .bytes(let name, _), .time(let name), .seconds(let name),
                .perSecond(let name):
                name
            }
        }
    }

    private typealias Group = (title: String, lines: [(String, Figure)])

    private static let groups: [Group] = [
        (
            "Requests",
            [
                ("answered", .perSecond(.requestsAnswered)),
                ("errors", .perSecond(.errorsAnswered)),
                ("windows, half within", .time(.windowMicroseconds)),
                ("99 in 100 within", .time(.slowWindowMicroseconds)),
                ("reads waiting", .count(.readsWaiting)),
                ("orders being made", .count(.buildsWaiting)),
            ]
        ),
        (
            "Changes",
            [
                ("commands", .perSecond(.commands)),
                ("transactions", .perSecond(.commits)),
                ("99 in 100 within", .time(.slowCommitMicroseconds)),
                ("commands waiting", .count(.commandsWaiting)),
                ("log of SQLite", .bytes(.logBytes)),
                ("last backup", .seconds(.lastBackupSeconds)),
            ]
        ),
        (
            "Clients",
            [
                ("connected", .count(.connections, of: .connectionLimit)),
                ("let in", .perSecond(.connectionsAdmitted)),
                ("refused", .perSecond(.connectionsRefused)),
                ("failed to prove", .perSecond(.attemptsFailed)),
                ("views", .count(.views)),
                ("not yet read by them", .bytes(.unreadBytes)),
            ]
        ),
        (
            "Memory",
            [
                ("lists", .bytes(.memoryBytes, of: .memoryBudgetBytes)),
                ("pages", .bytes(.pageBytes, of: .pageBudgetBytes)),
                ("process", .bytes(.residentBytes)),
            ]
        ),
    ]

    /// Of a node of a cluster; there is room for one more line.
    private static let cluster: Group = ("Cluster", [("places behind", .count(.clusterLag))])

    /// nil where that is not known.
    private func value(_ figure: Figure, at place: Int) -> Double? {
        guard let sample = samples[checked: place],
            let value = sample.statistics[figure.name]
        else { return nil }
        guard case .perSecond(let name) = figure else { return Double(value) }
        guard let last = samples[checked: place - 1], let before = last.statistics[name],
            sample.milliseconds > last.milliseconds
        else { return nil }
        let seconds = Double(sample.milliseconds - last.milliseconds) / 1_000
        return Double(value - min(before, value)) / seconds
    }

    private func text(_ figure: Figure) -> String {
        guard let value = value(figure, at: samples.count - 1) else { return glyphs.none }
        func limit(_ name: ServerStatistics.Name?, _ text: (Double) -> String) -> String {
            guard let name, let limit = samples.last?.statistics[name] else { return "" }
            return " of " + text(Double(limit))
        }
        return switch figure {
        case .count(_, let name): Self.count(value) + limit(name, Self.count)
        case .bytes(_, let name): Self.bytes(value) + limit(name, Self.bytes)
        case .time: Self.milliseconds(value)
        case .seconds: Self.time(value) + " ago"
        case .perSecond: Self.rate(value) + " a second"
        }
    }

    private static func count(_ value: Double) -> String {
        (Int(exactly: value.rounded()) ?? Int.max).grouped
    }

    private static func rate(_ value: Double) -> String {
        value > 0 && value < 10 ? tenths(value) : count(value)
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int(exactly: (value * 10).rounded()) ?? 0
        return "\((tenths / 10).grouped).\(tenths % 10)"
    }

    private static func milliseconds(_ microseconds: Double) -> String {
        tenths(microseconds / 1_000) + " ms"
    }

    private static func bytes(_ value: Double) -> String {
        let units = ["B", "KiB", "MiB", "GiB"]
        var (value, place) = (value, 0)
        while value >= 1_024, place < units.count - 1 {
            (value, place) = (value / 1_024, place + 1)
        }
        return (place == 0 ? count(value) : tenths(value)) + " " + units[place]
    }

    private static func time(_ seconds: Double) -> String {
        let seconds = Int(exactly: seconds.rounded()) ?? 0
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\((seconds / 86_400).grouped) d"
        }
    }

    // MARK: - The screen

    private static let labelColumn = 11
    private static let labelColumns = 21
    private static let valueEnd = 54

    package func screen(size: Size) -> Screen {
        var screen = Screen(size: size, isASCII: isASCII)
        drawTitle(on: &screen)
        // A blank line before each group where there is room for all of them.
        let isNode = samples.last?.statistics[.clusterEpoch] != nil
        let groups = Self.groups + (isNode ? [Self.cluster] : [])
        let lines = groups.reduce(0) { $0 + $1.lines.count }
        let blank = size.rows >= lines + groups.count + 2 ? 1 : 0
        var row = 1
        for group in groups {
            row += blank
            guard row < size.rows - 1 else { break }
            screen.write(group.title, row: row, column: 1, style: Style(.cyan, .bold))
            for (label, figure) in group.lines.prefix(size.rows - 1 - row) {
                draw(label, figure, row: row, on: &screen)
                row += 1
            }
        }
        drawFoot(on: &screen)
        return screen
    }

    private var glyphs: Glyphs { Glyphs(isASCII: isASCII) }

    private func drawTitle(on screen: inout Screen) {
        let next = screen.write(" \(title)", row: 0, column: 0, style: .bold)
        guard let seconds = samples.last?.statistics[.uptimeSeconds] else { return }
        screen.write("up \(Self.time(Double(seconds)))", row: 0, column: next + 3, style: .dim)
    }

    private func draw(_ label: String, _ figure: Figure, row: Int, on screen: inout Screen) {
        screen.write(label, row: row, column: Self.labelColumn, width: Self.labelColumns)
        let text = text(figure)
        screen.write(text, row: row, column: Self.valueEnd - text.count)
        // The last column stays free.
        let column = Self.valueEnd + 2
        let width = screen.size.columns - column - 1
        guard width > 0 else { return }
        let places = (samples.count - width)..<samples.count
        let values = places.map { value(figure, at: $0) }
        screen.write(
            sparkline(values), row: row, column: column, width: width, style: Style(.green))
    }

    /// A sign for each value, as high as it is of the highest.
    private func sparkline(_ values: [Double?]) -> String {
        let signs = Array(isASCII ? "_.:-=+*#" : "▁▂▃▄▅▆▇█")
        let highest = values.compactMap(\.self).max() ?? 0
        return values.reduce(into: "") { line, value in
            guard let value else { return line += " " }
            let share = highest > 0 ? value / highest : 0
            line.append(signs[Int(share * Double(signs.count - 1) + 0.5)])
        }
    }

    private func drawFoot(on screen: inout Screen) {
        let words = trouble ?? (isPaused ? "paused" : "")
        let keys = "space \(isPaused ? "goes on" : "pauses")   q quits"
        screen.drawStatus(words, help: keys)
    }
}

extension ServerStatistics {
    /// Whether the server, or its file, was opened again after `other`.
    fileprivate func isYounger(than other: ServerStatistics) -> Bool {
        [Name.uptimeSeconds, .requestsAnswered, .commits].contains { name in
            guard let now = self[name], let before = other[name] else { return false }
            return now < before
        }
    }
}
