import Dispatch
import NIOCore
import NIOEmbedded
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
        let connection = try EmbeddedConnection()
        try connection.send(RawClient.hello())
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
            connection.pass(.seconds(30))
            try connection.send(Ping(token: token))
            #expect(try connection.heard() == .pong(Pong(token: token)))
        }
        connection.pass(.seconds(84))
        #expect(!connection.hasEnded)
        connection.pass(.seconds(11))
        #expect(try connection.error()?.message == "silent for 90 seconds")
        #expect(connection.hasEnded)
        await connection.end()
    }

    @Test func manyFramesTakeSeveralTurns() async throws {
        let connection = try EmbeddedConnection.greeted()
        connection.pass(LoopShare.timeToFill)
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
        connection.pass(.microseconds(20))
        try hear()
        #expect(answered == Array(tokens.prefix(first + later)))
        connection.pass(.microseconds(20))
        try hear()
        #expect(answered == Array(tokens), "and all are answered in the end")
        await connection.end()
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
            connection.pass(.microseconds(20))
        }
        #expect(try connection.heard() == .pong(Pong(token: 4)))
        await connection.end()
    }

    @Test func noRequestIsTakenWhileAnswersAreUnread() async throws {
        let connection = try EmbeddedConnection.greeted()
        connection.channel.isWritable = false
        try connection.send(Ping(token: 7))
        #expect(try connection.heard() == nil)
        connection.pass(.seconds(60))
        #expect(!connection.hasEnded, "it is the server that keeps the frame waiting")
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        connection.pass(.microseconds(20))
        #expect(try connection.heard() == .pong(Pong(token: 7)))
        await connection.end()
    }
}
