import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Who is told what, and when.
@Suite struct PresenceTests {
    private typealias Other = PresenceOfOthers.Other
    private typealias Entry = PresenceOfOthers.Entry

    private static func other(_ row: Int64?, station: String = "bo") -> Other {
        Other(station: station, presence: Presence(list: "Cars", rowID: row))
    }

    private func at(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .milliseconds(milliseconds)
    }

    @Test func aClientIsToldWhatIsNewToIt() {
        var rooms = PresenceRooms()
        var news = PresenceNews(list: 0)
        func next(_ milliseconds: Int64) -> [Entry]? {
            news.next(of: rooms.guests(in: 0), besides: 1, at: at(milliseconds)).message?.entries
        }
        func moved(_ connection: UInt32, to list: Int, _ other: Other) -> Bool {
            rooms.moved(connection, to: list, other)
        }
        func left(_ connection: UInt32) -> Bool { rooms.left(connection) }
        #expect(moved(1, to: 0, Self.other(5, station: "ana")))
        #expect(next(0) == [], "nobody else is there")
        #expect(next(200) == nil)
        #expect(moved(2, to: 0, Self.other(1)))
        #expect(moved(2, to: 0, Self.other(2)))
        #expect(!moved(2, to: 0, Self.other(2)))
        #expect(next(300) == [Entry(connection: 2, other: Self.other(2))])
        #expect(next(500) == nil)
        #expect(moved(3, to: 1, Self.other(1)))
        #expect(next(600) == nil, "that is another list")
        #expect(moved(2, to: 1, Self.other(1)))
        #expect(left(3))
        #expect(next(700) == [Entry(connection: 2, other: nil)])
        #expect(!left(3))
        #expect(left(2) && left(1))
        #expect(next(900) == nil)
    }

    @Test func movesThatComeTooOftenAreToldOnceAndLast() {
        var rooms = PresenceRooms()
        var news = PresenceNews(list: 0)
        _ = news.next(of: [:], besides: 1, at: at(0))
        for row in 0..<9 as Range<Int64> {
            _ = rooms.moved(2, to: 0, Self.other(row))
            let (message, due) = news.next(of: rooms.guests(in: 0), besides: 1, at: at(10 * row))
            #expect(message == nil && due == at(100))
        }
        let (message, due) = news.next(of: rooms.guests(in: 0), besides: 1, at: at(100))
        #expect(message?.entries == [Entry(connection: 2, other: Self.other(8))])
        #expect(due == nil)
    }

    @Test func aListTellsOfAsManyAsAFrameHolds() {
        var rooms = PresenceRooms()
        let limit = UInt32(Limits.stationsPerFrame)
        func moved(_ connection: UInt32, to list: Int, _ other: Other) -> Bool {
            rooms.moved(connection, to: list, other)
        }
        for connection in 1...limit { #expect(moved(connection, to: 0, Self.other(1))) }
        #expect(!moved(limit + 1, to: 0, Self.other(2)))
        #expect(rooms.guests(in: 0).count == Int(limit))
        // Those who are there move, and who waited comes in when somebody has left.
        #expect(moved(1, to: 0, Self.other(3)))
        _ = rooms.left(1)
        #expect(moved(limit + 1, to: 0, Self.other(2)))
        #expect(rooms.guests(in: 0)[limit + 1]?.other == Self.other(2))
    }

    @Test func moreThanAFrameHoldsComesInSeveral() {
        var (old, new) = (PresenceRooms(), PresenceRooms())
        let limit = UInt32(Limits.stationsPerFrame)
        for connection in 1...limit {
            _ = old.moved(connection, to: 0, Self.other(1))
            _ = new.moved(limit + connection, to: 1, Self.other(2))
        }
        var news = PresenceNews(list: 0)
        _ = news.next(of: old.guests(in: 0), besides: 0, at: at(0))
        news.moved(to: 1)
        let first = news.next(of: new.guests(in: 1), besides: 0, at: at(100))
        #expect(first.message?.entries.count == Int(limit) && first.due == at(200))
        #expect(first.message?.entries.allSatisfy { $0.other == nil } == true)
        let second = news.next(of: new.guests(in: 1), besides: 0, at: at(200))
        #expect(second.message?.entries.count == Int(limit) && second.due == nil)
        #expect(second.message?.entries.allSatisfy { $0.other != nil } == true)
    }
}
