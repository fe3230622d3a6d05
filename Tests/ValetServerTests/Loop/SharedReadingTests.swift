import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Connections of one event loop that want the same page share one read.
@Suite struct SharedReadingTests {
    @Test func aClientThatLeavesTakesNobodysPageAway() async throws {
        let connection = try EmbeddedConnection()
        let shared = connection.shared
        var conversation = try Conversation.opened()
        _ = conversation.window(rows: 10)
        guard case .fill(let order) = conversation.session.outbox.next(frames: { _ in nil }) else {
            throw Unexpected("no page is ordered")
        }
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let gate = DispatchSemaphore(value: 0)
        shared.readers.submit { _ in gate.wait() }
        let heard = Mutex<[PageReading]>([])
        let isHeard = eventLoop.makePromise(of: Void.self)
        // In one turn of the loop: nobody has heard yet that the read was dropped.
        try await eventLoop.submit {
            let loop = LoopState(eventLoop: eventLoop, shared: shared)
            loop.fill(order, for: WorkOwner(number: 8)) { _ in }
            shared.readers.left(WorkOwner(number: 8))
            loop.fill(order, for: WorkOwner(number: 9)) { reading in
                heard.withLock { $0.append(reading) }
                isHeard.succeed()
            }
        }.get()
        gate.signal()
        try await isHeard.futureResult.get()
        for case .failed(let error) in heard.withLock({ $0 }) { Issue.record(error) }
        #expect(heard.withLock(\.count) == 1)
        await connection.end()
    }
}
