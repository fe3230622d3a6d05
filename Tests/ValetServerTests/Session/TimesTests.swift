import NIOCore
import Testing
import ValetProtocol

@testable import ValetServer

/// Answers say how long a request waited and how long it was worked on.
@Suite struct TimesTests {
    private let lists = FakeLists(count: 200)

    private func at(_ microseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .microseconds(microseconds)
    }

    @Test func aWindowWaitsUntilItsTurnAndIsWorkedOnUntilItsAnswer() throws {
        var conversation = try Conversation.opened(in: lists)
        conversation.readAt = at(100)
        lists.time = at(130)
        lists.timePerLook = .microseconds(7)
        let times = conversation.window().window?.times
        #expect(times == Times(waitedMicroseconds: 30, workedMicroseconds: 7))
    }

    @Test func aWindowThatCameBeforeItsViewWaitsForIt() throws {
        var conversation = Conversation(lists)
        let ordered = conversation.order()
        conversation.readAt = at(50)
        _ = conversation.window()
        lists.time = at(1_050)
        let answers = try conversation.fulfil(ordered)
        let times = answers.window?.times
        #expect(times == Times(waitedMicroseconds: 1_000, workedMicroseconds: 0))
    }

    @Test(arguments: [(0, 20), (400, 420), (5_000, 1_020)])
    func aViewWaitsForItsTurnAndForABuilder(queued: UInt32, waited: UInt32) throws {
        var conversation = Conversation(lists)
        conversation.readAt = at(0)
        lists.time = at(20)
        let ordered = conversation.order()
        let order = try #require(ordered.orders.first)
        try lists.arrange(order.specification)
        lists.time = at(1_020)
        let built = Times(waitedMicroseconds: queued, workedMicroseconds: 1)
        let answers = conversation.session.arranged(order, .success(built), lists)
        let expected = Times(waitedMicroseconds: waited, workedMicroseconds: 1_020 - waited)
        #expect(answers.opened?.times == expected)
    }

    @Test func timesBeyondAnHourAreNotTooLong() {
        let clock = RequestClock(readAt: at(0), beganAt: at(1 << 40))
        let times = clock.times(at: at(1 << 41), queuedMicroseconds: .max)
        #expect(times == Times(waitedMicroseconds: .max, workedMicroseconds: 0))
    }
}
