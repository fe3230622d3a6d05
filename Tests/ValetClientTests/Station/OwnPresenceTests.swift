import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// What a station tells of its own person, and what a session makes of others.
@Suite struct OwnPresenceTests {
    private func at(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .milliseconds(milliseconds)
    }

    @Test func thePlaceIsToldAtOnceThenAtMostTenTimesASecond() {
        var own = OwnPresence()
        func next(_ milliseconds: Int64) -> (presence: Presence?, due: NIODeadline?) {
            own.next(at: at(milliseconds))
        }
        #expect(next(0).presence == nil)
        own.moved(to: Presence(list: "cars", rowID: 1))
        #expect(next(0).presence?.rowID == 1)
        for row in 2...9 as ClosedRange<Int64> {
            own.moved(to: Presence(list: "cars", rowID: row))
            let (tell, due) = next(10 * row)
            #expect(tell == nil && due == at(100))
        }
        #expect(next(100).presence?.rowID == 9)
        let (tell, due) = next(300)
        #expect(tell == nil && due == nil, "nothing is new")
    }

    @Test func eachConnectionIsToldThePlace() {
        var own = OwnPresence()
        func tell(_ milliseconds: Int64) -> Presence? { own.next(at: at(milliseconds)).presence }
        own.connected()
        #expect(tell(0) == nil)
        own.moved(to: Presence(list: "cars"))
        #expect(tell(0) != nil)
        own.connected()
        #expect(tell(500) == Presence(list: "cars"))
    }

    private func entry(_ connection: UInt32, row: Int64?) -> PresenceOfOthers.Entry {
        let other = row.map {
            PresenceOfOthers.Other(station: "bo", presence: Presence(list: "cars", rowID: $0))
        }
        return PresenceOfOthers.Entry(connection: connection, other: other)
    }

    private func others(_ rows: [UInt32: Int64]) -> ClientAction {
        .others(
            rows.sorted { $0.key < $1.key }.map {
                StationPresence(
                    connection: $0.key, station: "bo",
                    presence: Presence(list: "cars", rowID: $0.value))
            })
    }

    @Test func othersComeMoveAndGo() {
        var dialogue = Dialogue()
        func say(_ entries: PresenceOfOthers.Entry...) -> [ClientAction] {
            dialogue.say(.presenceOfOthers(PresenceOfOthers(entries: entries)))
        }
        #expect(say() == [others([:])])
        #expect(say(entry(2, row: 5), entry(1, row: 4)) == [others([1: 4, 2: 5])])
        #expect(say(entry(2, row: 6), entry(9, row: nil)) == [others([1: 4, 2: 6])])
        #expect(say(entry(1, row: nil), entry(2, row: nil)) == [others([:])])
    }

    @Test func aServerThatTellsOfTooManyBreaksARule() {
        var dialogue = Dialogue()
        let limit = UInt32(Limits.stationsPerFrame)
        let all = PresenceOfOthers(entries: (1...limit).map { entry($0, row: 1) })
        #expect(dialogue.say(.presenceOfOthers(all)).count == 1)
        let more = PresenceOfOthers(entries: [entry(limit + 1, row: 1)])
        _ = dialogue.say(.presenceOfOthers(more))
        #expect(dialogue.session.failure?.message.contains("P99") == true)
    }
}
