import NIOCore
import NIOEmbedded
import Testing
import ValetModel

@testable import ValetServer

@Suite struct NewcomersTests {
    private typealias Source = FailedAttempts.Source

    private static let start = NIODeadline.uptimeNanoseconds(1)
    private let most = Limits.newcomersAtOnce

    private static func source(_ number: Int) throws -> Source? {
        Source(try SocketAddress(ipAddress: "10.0.0.\(number)", port: 1))
    }

    private func entered(_ newcomers: inout Newcomers<Int>, after pauses: Int) -> [Int] {
        var entered: [Int] = []
        let now = Self.start + EntryPace.plain.pause * pauses
        while let next = newcomers.next(at: now) { entered.append(next) }
        return entered
    }

    @Test func someEnterAtOnceAndThenOneAtATime() {
        var newcomers = Newcomers<Int>(now: Self.start)
        for number in 0..<100 {
            #expect(newcomers.came(number, from: nil, limit: 100) == nil)
        }
        #expect(entered(&newcomers, after: 0) == Array(0..<most))
        #expect(entered(&newcomers, after: 0) == [])
        #expect(entered(&newcomers, after: 1) == [most])
        #expect(entered(&newcomers, after: 4) == Array(most + 1..<most + 4))
        // A pause does not count for more.
        #expect(entered(&newcomers, after: 9_000) == Array(most + 4..<2 * most + 4))
        #expect(!newcomers.isEmpty)
        #expect(newcomers.takeAll() == Array(2 * most + 4..<100))
        #expect(newcomers.isEmpty)
    }

    @Test func handshakesHaveAPaceOfTheirOwn() {
        var newcomers = Newcomers<Int>(.encrypted(loops: 2), now: Self.start)
        for number in 0..<20 { _ = newcomers.came(number, from: nil, limit: 100) }
        func enter(after time: TimeAmount) -> Int {
            var count = 0
            while newcomers.next(at: Self.start + time) != nil { count += 1 }
            return count
        }
        #expect(enter(after: .zero) == 2 * Limits.handshakesAtOncePerLoop)
        #expect(enter(after: .microseconds(1_999)) == 0)
        #expect(enter(after: .milliseconds(2)) == 1)
        #expect(enter(after: .milliseconds(10)) == 4)
    }

    @Test func addressesTakeTurns() throws {
        var newcomers = Newcomers<Int>(now: Self.start)
        for number in 0..<50 {
            _ = newcomers.came(number, from: try Self.source(1), limit: 100)
        }
        for number in 100..<102 {
            _ = newcomers.came(number, from: try Self.source(2), limit: 100)
        }
        _ = newcomers.came(200, from: nil, limit: 100)
        #expect(Array(entered(&newcomers, after: 0).prefix(7)) == [0, 100, 200, 1, 101, 2, 3])
    }

    @Test func theNewestOfTheAddressWithMostGoesWhenTooManyWait() throws {
        var newcomers = Newcomers<Int>(now: Self.start)
        for number in 0..<3 {
            #expect(newcomers.came(number, from: try Self.source(1), limit: 4) == nil)
        }
        #expect(newcomers.came(100, from: try Self.source(2), limit: 4) == nil)
        #expect(newcomers.came(101, from: try Self.source(2), limit: 4) == 2)
        #expect(newcomers.came(3, from: try Self.source(1), limit: 4) == 3)
        #expect(entered(&newcomers, after: 0) == [0, 100, 1, 101])
    }

    /// Whoever comes goes again, if nobody has more.
    @Test func manyAddressesKeepNoneThatWaitsFromItsTurn() throws {
        var newcomers = Newcomers<Int>(now: Self.start)
        for number in 0..<4 {
            _ = newcomers.came(number, from: try Self.source(number), limit: 4)
        }
        for number in 4..<50 {
            #expect(newcomers.came(number, from: try Self.source(number), limit: 4) == number)
        }
        #expect(entered(&newcomers, after: 0) == [0, 1, 2, 3])
    }
}

@Suite struct AcceptTurnsTests {
    private final class Entrance: ChannelInboundHandler {
        typealias InboundIn = any Channel
        var entered = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { entered += 1 }
    }

    private let admission = Admission(limit: 60)
    private let listener: EmbeddedChannel
    private let entrance = Entrance()

    init() throws {
        listener = EmbeddedChannel()
        let turns = AcceptTurns(now: listener.embeddedEventLoop.now, admission: admission)
        try listener.pipeline.syncOperations.addHandlers([turns, entrance])
        try listener.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func come(_ count: Int) -> [EmbeddedChannel] {
        let channels = (0..<count).map { _ in EmbeddedChannel(loop: listener.embeddedEventLoop) }
        for channel in channels {
            listener.pipeline.syncOperations.fireChannelRead(NIOAny(channel))
        }
        return channels
    }

    @Test func oneAfterTheOtherIsLetIn() {
        let most = Limits.newcomersAtOnce
        _ = come(most + 3)
        #expect(entrance.entered == most)
        for count in 1...3 {
            listener.embeddedEventLoop.advanceTime(by: EntryPace.plain.pause)
            #expect(entrance.entered == most + count)
        }
        listener.embeddedEventLoop.advanceTime(by: .milliseconds(100))
        #expect(entrance.entered == most + 3)
    }

    @Test func noMoreWaitThanThereIsRoomForAndAFewInAnyCase() {
        #expect(Admission(limit: 40).newcomersAtMost == 40)
        #expect(Admission(limit: 10_000).newcomersAtMost == Limits.newcomersWaiting)
        let full = Admission(limit: 1)
        #expect(full.enter())
        #expect(full.newcomersAtMost == Limits.newcomersAtOnce)
    }

    /// As many wait as may be let in, so that no descriptor is missing for others.
    @Test func thoseWhoWaitAreCountedAndClosedInTheEnd() throws {
        for _ in 0..<10 { #expect(admission.enter()) }
        let channels = come(Limits.newcomersAtOnce + 51)
        let closed = NIOLoopBoundBox(0, eventLoop: listener.embeddedEventLoop)
        for channel in channels { channel.closeFuture.whenComplete { _ in closed.value += 1 } }
        listener.embeddedEventLoop.run()
        #expect(closed.value == 1 && admission.counts.refused == 1)
        try listener.close().wait()
        listener.embeddedEventLoop.run()
        #expect(closed.value == 51 && entrance.entered == Limits.newcomersAtOnce)
    }
}
