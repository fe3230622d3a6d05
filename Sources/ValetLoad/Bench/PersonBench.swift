import NIOCore
import ValetCommands
import ValetModel
import ValetTerminal

/// What a person at the full screen sees over a slow link: how long rows take to come once the keys
/// rest, and whether any are missing meanwhile.
struct PersonBench {
    let server: any LoadServer
    /// How many in all over the slow link; as many rounds of keys are pressed without one.
    let acts: Int

    private static let link = SlowLink(delay: .milliseconds(50), bytesPerSecond: 125_000)
    private static let pages = "ten page-downs"
    private static let rest = Duration.milliseconds(800)

    /// Keys that are pressed without a rest between them.
    private struct Act {
        var name: String
        var keys: [Key]
        var pause = Duration.milliseconds(300)
    }

    private static let acts = [
        Act(name: "list", keys: keys("1")),
        Act(name: pages, keys: Array(repeating: .pageDown, count: 10)),
        Act(name: "rows", keys: Array(repeating: .down, count: 90), pause: .milliseconds(33)),
        Act(name: "end", keys: keys("G")), Act(name: "beginning", keys: keys("g")),
        Act(name: "half", keys: keys(":50%") + [.enter], pause: .milliseconds(150)),
        Act(name: "sections", keys: keys("]]]]"), pause: .milliseconds(200)),
        Act(name: "search", keys: keys("/civic"), pause: .milliseconds(150)),
        Act(name: "back", keys: [.escape]), Act(name: "model", keys: keys("3")),
        Act(
            name: "pages held down", keys: Array(repeating: .pageDown, count: 60),
            pause: .milliseconds(33)),
        Act(name: "pages back", keys: Array(repeating: .pageUp, count: 10)),
        Act(name: "record", keys: [.enter] + keys("JJJ") + keys("q")),
    ]

    private static func keys(_ text: String) -> [Key] { text.map { .character($0) } }

    func measure() async throws -> [Measurement] {
        let proxy = try await LinkProxy(before: server.port, link: Self.link)
        let terminal = PlayedTerminal(
            target: "valet://127.0.0.1:\(proxy.port)", list: Bench.list,
            size: Size(columns: 80, rows: 24))
        let (presses, played) = script()
        let frames = try await terminal.play(presses, rest: Self.rest)
        await proxy.stop()
        var waits = Latencies()
        var slowest = (name: "", wait: Duration.zero)
        for act in played {
            let wait = wait(after: act, in: frames)
            waits.record(wait)
            if wait > slowest.wait { slowest = (act.name, wait) }
        }
        let paged = played.filter { $0.name == Self.pages }
        let missing = frames.filter { frame in
            paged.contains { $0.start <= frame.at && frame.at < $0.end + Self.rest }
        }.map(\.skeletons)
        let bytes = frames.reduce(0) { $0 + $1.bytes }
        let link = "100 ms there and back, 1 Mbit/s"
        return [
            Measurement(
                "person.rest", "from the last key until all rows are shown", waits, upTo: 100,
                note: "\(link); the greatest in place of p99: \(slowest.name)"),
            Measurement(
                "person.skeletons", "skeletons during ten page-downs in three seconds",
                Double(missing.max() ?? 0), .count, of: missing.count, note: link),
            Measurement(
                "person.bytes", "bytes to the terminal for a key",
                Double(bytes) / Double(presses.count), .bytes, of: presses.count,
                note: "\(frames.count.grouped) frames"),
            try await keyTimes(), lineTimes(),
        ]
    }

    /// On a large screen, without a slow link. A key that needs an answer has no frame of its own.
    private func keyTimes() async throws -> Measurement {
        let terminal = PlayedTerminal(
            target: "valet://127.0.0.1:\(server.port)", list: Bench.list,
            size: Size(columns: 200, rows: 60))
        let rounds = Array(repeating: Self.largeScreenKeys, count: acts).joined()
        let presses = rounds.enumerated().map {
            PlayedTerminal.Press($1, at: .milliseconds(20) * $0)
        }
        var times = Latencies()
        for frame in try await terminal.play(presses, rest: Self.rest, keysPerFrame: 1) {
            if let time = frame.keyTime, frame.bytes > 0 { times.record(time) }
        }
        return Measurement(
            "person.key", "from a key until the bytes of its frame are made", times,
            note: "200 columns, 60 rows")
    }

    private static let largeScreenKeys =
        Array(repeating: Key.down, count: 20) + Array(repeating: .pageDown, count: 10)
        + keys("]]G") + Array(repeating: .pageUp, count: 10) + keys("g/civic") + [.escape]

    private typealias PlayedAct = (name: String, start: Duration, end: Duration)

    /// From the last key until all rows are shown, or the next act's first key.
    private func wait(after act: PlayedAct, in frames: [PlayedTerminal.Frame]) -> Duration {
        let later = frames.drop { $0.at < act.end }
        if let whole = later.first(where: \.isWhole) { return min(whole.at - act.end, Self.rest) }
        return later.isEmpty && frames.last?.isWhole == true ? .zero : Self.rest
    }

    /// The acts again and again, as many as are wanted.
    private func script() -> ([PlayedTerminal.Press], [PlayedAct]) {
        var (presses, played) = ([PlayedTerminal.Press](), [PlayedAct]())
        var now = Duration.zero
        for number in 0..<acts {
            let act = Self.acts[number % Self.acts.count]
            let start = now
            for (place, key) in act.keys.enumerated() {
                if place > 0 { now += act.pause }
                presses.append(.init(key, at: now))
            }
            played.append((act.name, start, now))
            now += Self.rest
        }
        return (presses, played)
    }
}
