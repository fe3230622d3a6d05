import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// How the connections of an event loop share it.
@Suite struct LoopTurnsTests {
    private let loop = EmbeddedEventLoop()
    private let lastLightUse = LastLightUse()
    private let turns: LoopTurns

    init() {
        loop.advanceTime(by: .seconds(1))
        turns = LoopTurns(eventLoop: loop, lastLightUse: lastLightUse)
    }

    @Test func oneTurnIsHadInEachPass() {
        lastLightUse.set(loop.now, by: .principal("person"))
        var lines: [String] = []
        func wait(_ name: String, again: Int = 0) {
            turns.wait(for: .principal(name)) {
                lines.append(name)
                if again > 0 { wait(name, again: again - 1) }
            }
        }
        #expect(turns.takeNow())
        #expect(!turns.takeNow())
        wait("a", again: 2)
        wait("b")
        loop.run()
        #expect(lines == [], "tasks run before the sockets are looked at")
        for (pause, expected) in [(2_000, "a"), (2_000, "ab"), (1_000, "aba"), (1_000, "abaa")] {
            loop.advanceTime(by: .microseconds(Int64(pause - 1)))
            #expect(lines.count == expected.count - 1, "a pause, longer while many wait")
            loop.advanceTime(by: .microseconds(1))
            #expect(lines.joined() == expected)
            #expect(!turns.takeNow(), "this pass's turn was had")
        }
        loop.advanceTime(by: LoopTurns.shortestPause)
        #expect(turns.takeNow())
    }

    /// However many wait: their pauses would serve nobody.
    @Test func turnsComeQuicklyWhileNobodyElseAsks() {
        var turnsHad = 0
        func wait() {
            turns.wait(for: .connection(1)) {
                turnsHad += 1
                wait()
            }
        }
        for _ in 0..<8 { wait() }
        let all = Int(
            TimeAmount.milliseconds(10).nanoseconds / LoopTurns.shortestPause.nanoseconds)
        func had(in time: TimeAmount) -> Int {
            turnsHad = 0
            loop.advanceTime(by: time)
            return turnsHad
        }
        #expect(had(in: .milliseconds(10)) == all)
        lastLightUse.set(loop.now, by: .connection(1))
        #expect(had(in: .milliseconds(10)) == all, "nobody but itself has asked")
        lastLightUse.set(loop.now, by: .connection(2))
        lastLightUse.set(loop.now, by: .connection(1))
        #expect((80...90).contains(had(in: .milliseconds(249))), "somebody has asked")
        _ = had(in: .milliseconds(5))
        #expect(had(in: .milliseconds(10)) == all, "and does not go on")
    }

    @Test func aClientThatAsksLikeAPersonIsOfLightUse() {
        let start = NIODeadline.now()
        var use = LoopShare(now: start)
        var now = start
        func ask(_ cost: Int, every pause: TimeAmount, times: Int) -> Bool {
            for _ in 0..<times {
                now = now + pause
                use.count(cost, at: now)
            }
            return use.isLight
        }
        #expect(ask(17, every: .milliseconds(5), times: 1_000), "scrolling")
        #expect(!ask(17, every: .microseconds(700), times: 1_000), "a program asks more")
        #expect(ask(17, every: .milliseconds(200), times: 1))
        use.waitsForTurn()
        #expect(!use.isLight, "with few turns a program gets no more than a person")
        #expect(!ask(17, every: .milliseconds(25), times: 1))
        #expect(ask(17, every: .milliseconds(200), times: 1))
    }

    @Test func aPrincipalHasNoMoreTurnsForMoreConnections() {
        var lines: [String] = []
        for number in 1...50 {
            turns.wait(for: .principal("flood")) { lines.append("f\(number)") }
        }
        turns.wait(for: .principal("ana")) { lines.append("a") }
        turns.wait(for: .connection(51)) { lines.append("c") }
        loop.advanceTime(by: .milliseconds(200))
        #expect(lines.prefix(4) == ["f1", "a", "c", "f2"] && lines.count == 52)
    }

    @Test func workForAllHasEverySecondTurn() {
        var lines: [String] = []
        for name in ["a", "b", "c"] { turns.wait(for: .principal(name)) { lines.append(name) } }
        func pass(_ left: Int) {
            turns.waitForAll {
                lines.append("all")
                if left > 1 { pass(left - 1) }
            }
        }
        pass(4)
        loop.advanceTime(by: .milliseconds(20))
        #expect(lines == ["all", "a", "all", "b", "all", "c", "all"])
    }

    /// Calls `body` when there is something to read.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { body() }
    }

    /// Turns that take longer than the pause between them do not run in a row.
    @Test func theLoopLooksAtItsSocketsBetweenTurns() async throws {
        let most = 100
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (near, far) = (ends[0], ends[1])
        defer { close(far) }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let turnsHad = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: loop)
        let turnsAtRead = loop.makePromise(of: Int.self)
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Reader { turnsAtRead.succeed(turnsHad.value) })
                }
            }
            .withConnectedSocket(near).get()
        loop.execute {
            let turns = LoopTurns(eventLoop: loop, lastLightUse: LastLightUse())
            func wait() {
                turns.wait(for: .connection(1)) {
                    turnsHad.value += 1
                    if turnsHad.value == 1 { write(far, "a", 1) }
                    let end = NIODeadline.now() + .microseconds(200)
                    while NIODeadline.now() < end {}
                    if turnsHad.value < most { wait() }
                }
            }
            wait()
        }
        #expect(try await turnsAtRead.futureResult.get() < most)
        try await channel.close().get()
    }

    @Test func aTurnHasRoomForSoMuchWork() {
        /// Which of the costs there is room for.
        func spent(_ costs: [Int]) -> [Bool] {
            var turn = Turn()
            return costs.map { turn.spend($0) }
        }
        let most = Limits.workPerTurn
        #expect(spent([1, most, most - 1, 1]) == [true, false, true, false])
        #expect(spent([10 * most, 1]) == [true, false], "what is first is done at any cost")
    }

    @Test func workAtOnceFillsAgainWithTime() {
        let start = NIODeadline.now()
        /// Which of the costs there is room for, at times in microseconds.
        func spent(_ costs: [(at: Int64, cost: Int)]) -> [Bool] {
            let work = WorkAtOnce(now: start)
            return costs.map { work.spend($0.cost, at: start + .microseconds($0.at)) }
        }
        let much = Limits.workAtOnce
        #expect(spent([(0, much + 1), (0, much), (24, 1)]) == [false, true, false])
        #expect(spent([(0, much), (25, 1), (49, 1), (50, 1)]) == [true, true, false, true])
        #expect(spent([(60_000_000, much + 1)]) == [false], "rest does not add up")
        let full = WorkAtOnce.timeToFill.nanoseconds / 1_000
        #expect(spent([(0, much), (full - 1, much), (full, much)]) == [true, false, true])
    }

    /// What asks for much is never done together with what others have just sent.
    @Test func aRequestForMuchCostsMuch() {
        func cost(_ message: ClientMessage, byteCount: Int = 0) -> Int {
            message.cost(byteCount: byteCount)
        }
        let index = IndexRequest(request: 1, generation: 1, mostTitles: 1_024)
        #expect(cost(.indexRequest(index)) > Limits.workAtOnce)
        let excessive = IndexRequest(request: 1, generation: 1, mostTitles: .max)
        #expect(cost(.indexRequest(excessive)) == cost(.indexRequest(index)))
        for start in [.ordinal(0), .title("a"), .titlePrefix("a")] as [SectionsRequest.Start] {
            let sections = SectionsRequest(
                request: 1, generation: 1, start: start, mostSections: .max)
            #expect(cost(.sectionsRequest(sections)) > Limits.workAtOnce)
        }
        let open = OpenView(request: 1, generation: 1, list: "cars", query: Query())
        #expect(cost(.openView(open)) < Limits.workAtOnce)
        #expect(cost(.openView(open), byteCount: Limits.bytesPerClientFrame) > Limits.workAtOnce)
        #expect(cost(.ping(Ping(token: 1))) == 1)
    }
}
