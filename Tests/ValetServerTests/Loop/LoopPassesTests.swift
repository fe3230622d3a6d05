import NIOCore
import NIOEmbedded
import Testing
import ValetModel

@testable import ValetServer

/// Passes of an event loop over those that watch something.
@Suite struct LoopPassesTests {
    private final class Watcher {
        let name: String
        let payer: Payer
        var cost = 0
        var next: NIODeadline?

        /// Named after its payer.
        init(_ name: String) {
            self.name = name
            payer = .principal(String(name.prefix(1)))
        }
    }

    private final class Log {
        var names: [String] = []
        var begun = 0

        func taken() -> [String] {
            defer { names = [] }
            return names
        }
    }

    private let loop = EmbeddedEventLoop()
    private let lastLightUse = LastLightUse()
    private let log = Log()
    private let passes: LoopPasses<Watcher>

    init() {
        let turns = LoopTurns(eventLoop: loop, lastLightUse: lastLightUse)
        passes = LoopPasses(
            eventLoop: loop, turns: turns, interval: .milliseconds(10),
            begins: { [log] in log.begun += 1 }
        ) { [log] watcher in
            log.names.append(watcher.name)
            return (watcher.cost, watcher.next.take())
        }
    }

    private func add(_ names: String...) -> [Watcher] {
        let watchers = names.map(Watcher.init)
        for watcher in watchers { passes.watch(watcher, of: watcher.payer) }
        return watchers
    }

    /// From the beginning of a pass to its first turn.
    private let pause = LoopTurns.shortestPause.nanoseconds / 1_000

    private func looks(in microseconds: Int64) -> [String] {
        loop.advanceTime(by: .microseconds(microseconds))
        return log.taken()
    }

    @Test func changesWithinAnIntervalAreOnePass() {
        _ = add("a1", "b1")
        passes.lookSoon()
        #expect(looks(in: 10_000 + pause) == ["a1", "b1"])
        passes.lookSoon()
        passes.lookSoon()
        #expect(looks(in: 9_999 - pause) == [])
        #expect(looks(in: 1 + pause) == ["a1", "b1"])
        #expect(looks(in: 1_000_000) == [] && log.begun == 2)
    }

    @Test func aChangeThatNobodyWatchesIsTaken() {
        passes.lookSoon()
        #expect(looks(in: 100_000) == [] && log.begun == 1)
        let one = add("a1")[0]
        passes.look(at: loop.now, for: one.payer)
        #expect(looks(in: 5_000) == ["a1"])
        passes.unwatch(one, of: one.payer)
        passes.lookSoon()
        #expect(looks(in: 100_000) == [] && log.begun == 3)
    }

    @Test func whoWantsALookHasItThen() {
        let watchers = add("a1", "a2", "b1")
        watchers[1].next = loop.now + .milliseconds(25)
        passes.lookSoon()
        #expect(looks(in: 24_999) == ["a1", "b1", "a2"])
        #expect(looks(in: 20_000) == ["a1", "a2"])
        #expect(looks(in: 1_000_000) == [])
    }

    /// Others are looked at meanwhile.
    @Test func whoeverTakesLongRestsWhileOthersAsk() {
        let watchers = add("a1", "a2", "b1")
        for watcher in watchers[..<2] { watcher.cost = 19_999 }
        var counts: [String: Int] = [:]
        for _ in 0..<42 {
            lastLightUse.set(loop.now, by: .principal("b"))
            passes.lookSoon()
            for name in looks(in: 20_000) { counts[name, default: 0] += 1 }
        }
        // After each 360 milliseconds, of 840.
        #expect(counts == ["a1": 3, "a2": 3, "b1": 42])
        #expect(looks(in: 400_000).count == 2, "the last change is not forgotten")
        #expect(looks(in: 1_000_000) == [])
        // Nobody asks any more.
        for _ in 0..<2 {
            passes.lookSoon()
            #expect(looks(in: 100_000).count == 3)
        }
    }
}
