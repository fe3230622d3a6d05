import Dispatch
import Synchronization
import TestSupport
import Testing
import ValetModel

@testable import ValetClient
@testable import ValetServer

/// From the thread that builds to the client that waits.
@Suite(.timeLimit(.minutes(5))) struct ServedProgressTests {
    @Test func aViewThatTakesLongSaysHowFarItIs() async throws {
        let folder = TemporaryFolder()
        let local = try await TestServer(
            folder.database("CREATE TABLE cars (make TEXT); INSERT INTO cars VALUES ('BMW');")
        ) { $0.builderThreads = 1 }
        let gate = DispatchSemaphore(value: 0)
        local.server.shared.builders.submit { _ in gate.wait() }
        let connection = try await local.connect()
        let (told, ears) = AsyncStream<Int>.makeStream()
        async let opening = connection.openView(list: "cars") { ears.yield($0) }
        var figures = told.makeAsyncIterator()
        #expect(await figures.next() == 0)
        let list = local.server.shared.lists[0]
        for specification in list.keeper.waiting.keys {
            let work = list.publisher.ask { list.state.withLock { $0.work(for: specification) } }
            work?.progress.store(420, ordering: .relaxed)
        }
        #expect(await figures.next() == 420)
        gate.signal()
        #expect(try await opening.summary.totalRows == 1)
        ears.finish()
        var last = 420
        while let next = await figures.next() {
            #expect(next > last)
            last = next
        }
        await connection.close()
        await local.server.stop()
    }
}
