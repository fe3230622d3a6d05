import TestSupport
import Testing
import ValetModel

@testable import ValetClient

@Suite(.timeLimit(.minutes(5))) struct WaiterTests {
    @Test func theFirstAnswerHolds() async throws {
        let waiter = Waiter<Int>()
        #expect(!waiter.isFinished)
        #expect(waiter.finish(.success(1)))
        #expect(!waiter.finish(.success(2)))
        #expect(waiter.isFinished)
        #expect(try await waiter.answer() == 1)
    }

    @Test func anAnswerWakesWhoWaits() async throws {
        let waiter = Waiter<Int>()
        async let answer = waiter.answer()
        await Task.yield()
        waiter.finish(.success(3))
        #expect(try await answer == 3)
    }

    @Test func aCancelledTaskWaitsNoLonger() async {
        let waiter = Waiter<Int>()
        let task = Task { await failure { try await waiter.answer() } }
        await Task.yield()
        task.cancel()
        #expect(await task.value?.code == .superseded)
        #expect(!waiter.finish(.success(1)), "the answer comes too late")
    }
}
