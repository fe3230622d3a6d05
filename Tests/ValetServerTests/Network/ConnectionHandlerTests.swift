import Dispatch
import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// A connection on an event loop whose time the test moves.
@Suite struct ConnectionHandlerTests {
    @Test func aHelloIsDueToTheMillisecond() async throws {
        let connection = try EmbeddedConnection()
        connection.pass(.milliseconds(4_999))
        #expect(try connection.heard() == nil && !connection.hasEnded)
        connection.pass(.milliseconds(1))
        #expect(try connection.error()?.message == "no hello within 5 seconds")
        #expect(connection.hasEnded)
        await connection.end()
    }

    /// The list is not read in, so its rows are read beside what is built.
    @Test func nothingIsReadForAClientThatHasLeft() async throws {
        let connection = try EmbeddedConnection.greeted()
        let gate = DispatchSemaphore(value: 0)
        let builders = connection.shared.builders
        await withCheckedContinuation { isBusy in
            builders.submit { _ in
                isBusy.resume()
                gate.wait()
            }
        }
        for request in 1...8 as ClosedRange<UInt32> {
            try connection.send(DetailRequest(request: request, list: "cars", rowID: 1))
        }
        connection.pass(.milliseconds(1))
        #expect(builders.queuedCount == 8)
        _ = try? connection.channel.finish()
        #expect(builders.queuedCount == 0)
        gate.signal()
        await connection.end()
    }

    @Test func halfAHelloIsNoHello() async throws {
        let connection = try EmbeddedConnection()
        try connection.send(Array(RawClient.bytes(RawClient.hello()).prefix(12)))
        connection.pass(.seconds(5))
        #expect(try connection.error()?.code == .timedOut)
        await connection.end()
    }

    @Test func aFrameThatIsNeverFinishedIsCutOff() async throws {
        let connection = try EmbeddedConnection.greeted()
        connection.pass(.seconds(20))
        let ping = RawClient.bytes(Ping(token: 1))
        for byte in ping.dropLast(8) {
            #expect(!connection.hasEnded)
            try connection.send([byte])
            connection.pass(.seconds(1))
        }
        connection.pass(.seconds(7))
        #expect(try connection.error()?.message == "a frame took longer than 10 seconds")
        #expect(connection.hasEnded)
        await connection.end()
    }

    @Test func aClientThatPingsStaysAndOneThatFallsSilentIsDropped() async throws {
        let connection = try EmbeddedConnection.greeted()
        for token in 0..<20 as Range<UInt64> {
            connection.pass(.seconds(10))
            try connection.send(Ping(token: token))
            #expect(try connection.heard() == .pong(Pong(token: token)))
        }
        connection.pass(.seconds(28))
        #expect(!connection.hasEnded)
        connection.pass(.seconds(4))
        #expect(try connection.error()?.message == "silent for 30 seconds")
        #expect(connection.hasEnded)
        await connection.end()
    }

    @Test func manyFramesTakeSeveralTurns() async throws {
        let connection = try EmbeddedConnection.greeted()
        connection.pass(WorkAtOnce.timeToFill)
        let (first, later) = (Limits.workAtOnce + Limits.workPerTurn, Limits.workPerTurn)
        let tokens = 0..<UInt64(first + 2 * later)
        try connection.send(tokens.flatMap { RawClient.bytes(Ping(token: $0)) })
        var answered: [UInt64] = []
        func hear() throws {
            while case .pong(let pong) = try connection.heard() { answered.append(pong.token) }
        }
        try hear()
        // No other connection waits, so the first turn is granted at once.
        #expect(answered == Array(tokens.prefix(first)), "others have their turn")
        connection.channel.embeddedEventLoop.run()
        try hear()
        #expect(answered.count == first, "the loop looks at its sockets first")
        connection.pass(LoopTurns.shortestPause)
        try hear()
        #expect(answered == Array(tokens.prefix(first + later)))
        connection.pass(LoopTurns.shortestPause)
        try hear()
        #expect(answered == Array(tokens), "and all are answered in the end")
        await connection.end()
    }

    /// However many connections a principal has, what it may do at once is the same.
    @Test func whatMayBeDoneAtOnceIsThePrincipals() async throws {
        let connection = try EmbeddedConnection.greeted()
        let loop = try #require(connection.handler).loop
        let (first, second) = (loop.workAtOnce(of: "ana"), loop.workAtOnce(of: "ana"))
        #expect(first === second && first !== loop.workAtOnce(of: "bob"))
        loop.connectionLeft(of: "ana")
        #expect(loop.workAtOnce(of: "ana") === first)
        loop.connectionLeft(of: "ana")
        loop.connectionLeft(of: "ana")
        #expect(loop.workAtOnce(of: "ana") !== first, "nobody is left who had it")
        await connection.end()
    }

    @Test func aConnectionThatIsWelcomedHasWhatItsPrincipalHas() async throws {
        let folder = TemporaryFolder()
        let token = try folder.token(for: "ana")
        let authenticator = try Authenticator(
            path: folder.principalsPath, rulesPath: nil, connectionLimit: 20,
            logger: EmbeddedConnection.logger)
        let connection = try EmbeddedConnection(authenticator: authenticator)
        let handler = try #require(connection.handler)
        let loop = handler.loop
        let known = loop.workAtOnce(of: "ana")
        #expect(handler.share.atOnce !== known, "nobody knows yet whose it is")
        let station = Station(name: "raw", id: StationID(high: 1, low: 1))
        try connection.send(Hello(creditBytes: 1 << 20, station: station, token: token.bytes))
        #expect(handler.share.atOnce === known)
        loop.connectionLeft(of: "ana")
        #expect(loop.workAtOnce(of: "ana") === known)
        loop.connectionLeft(of: "ana")
        await connection.end()
        #expect(loop.workAtOnce(of: "ana") !== known, "its connection has ended")
    }

    @Test func aTurnEndsByWhatItsWorkCosts() async throws {
        let connection = try EmbeddedConnection.greeted()
        // No view is open, which is found out only in the request's turn.
        for request in 1...3 as ClosedRange<UInt32> {
            try connection.send(
                IndexRequest(request: request, generation: 1, mostTitles: 1_024), stream: 1)
        }
        try connection.send(Ping(token: 4))
        for _ in 1...3 {
            #expect(try connection.error()?.code == .unknownView)
            #expect(try connection.heard() == nil, "an index of so many titles is a turn's work")
            connection.pass(LoopTurns.shortestPause)
        }
        #expect(try connection.heard() == .pong(Pong(token: 4)))
        await connection.end()
    }

    @Test func noRequestIsTakenWhileAnswersAreUnread() async throws {
        let connection = try EmbeddedConnection.greeted()
        connection.channel.isWritable = false
        try connection.send(Ping(token: 7))
        #expect(try connection.heard() == nil)
        connection.pass(.seconds(20))
        #expect(!connection.hasEnded, "it is the server that keeps the frame waiting")
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        connection.pass(LoopTurns.shortestPause)
        #expect(try connection.heard() == .pong(Pong(token: 7)))
        await connection.end()
    }

    @Test func aSocketIsNotReadWhileAnswersAreUnread() async throws {
        let connection = try EmbeddedConnection.greeted()
        let reads = Reads()
        try connection.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        connection.channel.isWritable = false
        try connection.send(Ping(token: 7))
        connection.channel.read()
        #expect(reads.count == 0)
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        connection.pass(LoopTurns.shortestPause)
        #expect(reads.count == 1)
        await connection.end()
    }

    @Test func whoeverReadsNothingForLongIsCutOff() async throws {
        let connection = try EmbeddedConnection.greeted()
        connection.channel.isWritable = false
        try connection.send(Ping(token: 7))
        connection.pass(.seconds(Int64(Limits.secondsOfSilence)))
        #expect(try connection.error()?.code == .timedOut)
        #expect(connection.hasEnded)
        await connection.end()
    }

    /// TLS keeps what is not flushed, and the channel stays writable meanwhile.
    @Test func outputIsFlushedAsItGrows() async throws {
        let connection = try EmbeddedConnection.greeted()
        let unflushed = UnflushedBytes()
        try connection.channel.pipeline.syncOperations.addHandler(unflushed, position: .first)
        let error = ValetError(.unexpected, String(repeating: "x", count: 1_000))
        for request in 1...1_000 as ClosedRange<UInt32> {
            connection.handler.send(.error(ErrorAnswer(request: request, error: error)), stream: 0)
        }
        #expect(unflushed.all > 900_000)
        #expect(unflushed.most <= Limits.bytesUnsentAtMost)
        await connection.end()
    }
}

private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

private final class UnflushedBytes: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var all = 0
    private(set) var most = 0
    private var now = 0

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let count = unwrapOutboundIn(data).readableBytes
        (all, now) = (all + count, now + count)
        most = max(most, now)
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        now = 0
        context.flush()
    }
}

@Suite struct ConnectionClockTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000)

    private func at(_ seconds: Double) -> NIODeadline {
        start + .milliseconds(Int64(seconds * 1_000))
    }

    @Test func aBusyClientThatAlwaysHasAPartInHandIsNotCut() {
        var clock = ConnectionClock(now: start)
        for second in 1...60 {
            clock.bytesReceived(at: at(Double(second)))
            clock.framesTaken(at: at(Double(second)), hadFrame: true, isPartial: true)
            #expect(clock.overdue(at: at(Double(second) + 9), isGreeted: true) == nil)
        }
    }

    @Test func aGreetedConnectionIsLookedAtTwiceInAFramesTime() {
        let clock = ConnectionClock(now: start)
        #expect(clock.deadline(at: at(7), isGreeted: true) == at(12))
    }

    /// Looks when the clock says so, as a handler does.
    private func cut(_ clock: ConnectionClock, after now: NIODeadline) -> NIODeadline {
        var now = now
        while clock.overdue(at: now, isGreeted: true) == nil {
            now = clock.deadline(at: now, isGreeted: true)
        }
        return now
    }

    @Test(arguments: [0, 0.1, 2.5, 4.9])
    func aSlowFrameIsCutWhenItIsDue(begunAfter seconds: Double) {
        var clock = ConnectionClock(now: start)
        clock.bytesReceived(at: at(20 + seconds))
        clock.framesTaken(at: at(20 + seconds), hadFrame: false, isPartial: true)
        // The last look was before the frame began.
        let look = ConnectionClock(now: start).deadline(at: at(20), isGreeted: true)
        #expect(cut(clock, after: look) == at(30 + seconds))
    }

    @Test func aSilentClientIsCutWhenItIsDue() {
        var clock = ConnectionClock(now: start)
        clock.bytesReceived(at: at(3))
        #expect(cut(clock, after: at(5)) == at(33))
    }
}

/// Frames that never become whole take a bounded part of the server's memory.
@Suite(.timeLimit(.minutes(5))) struct UnfinishedFramesTests {
    @Test func overTheLimitThoseGoWhoHoldMoreThanTheirShare() {
        let frames = UnfinishedFrames(limit: 1_000, connections: 10)
        frames.change(from: 0, to: 900)
        #expect(frames.excess(of: 900) == nil)
        frames.change(from: 0, to: 101)
        #expect(frames.excess(of: 100) == nil, "an even share is always had")
        #expect(
            frames.excess(of: 101) == .limit("bytes of unfinished frames", is: 1_000, asked: 1_001))
        frames.change(from: 900, to: 0)
        #expect(frames.excess(of: 101) == nil)
    }

    /// A frame that lacks its last byte, as far as it was sent.
    private func beginning(_ byteCount: Int) -> [UInt8] {
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt32(Limits.bytesPerClientFrame), endianness: .little)
        bytes.writeBytes(Array(repeating: 0x0B, count: byteCount - 4))
        return Array(buffer: bytes)
    }

    @Test func aClientThatHoldsTooMuchIsCutOffAndItsMemoryCountsNoMore() async throws {
        let frames = UnfinishedFrames(limit: 10_000, connections: 10)
        let first = try EmbeddedConnection.greeted(unfinished: frames)
        let second = try EmbeddedConnection.greeted(unfinished: frames)
        try first.send(beginning(6_000))
        #expect(try first.error() == nil)
        try second.send(beginning(100))
        #expect(try second.error() == nil, "small frames are taken")
        try second.send(Array(repeating: 0, count: 9_000))
        #expect(try second.error()?.code == .limitExceeded)
        await second.end()
        try first.send(Array(repeating: 0, count: 500))
        #expect(try first.error() == nil)
        await first.end()
        #expect(frames.bytes == 0)
    }
}
