import TestSupport
import Testing
import ValetModel

@testable import ValetClient

/// Change feeds of a real server.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FeedTests {
    private static let me = Station(name: "ana", id: StationID(high: 1, low: 2))

    private func edit(_ year: Int64) -> Change {
        let cell = CellEdit(column: 2, value: .integer(year), seen: .anything)
        return .update([RowEdit(rowID: 1, cells: [cell])])
    }

    /// Connects to whatever server runs now.
    private func station(_ server: @escaping @Sendable () -> TestServer) async throws
        -> ValetStation
    {
        try await ValetStation.connect(backOff: BackOff(first: 0.001)) {
            () throws(ValetError) in
            try await ValetConnection.connect(
                host: "127.0.0.1", port: server().port, station: Self.me)
        }
    }

    @Test func aFeedBringsWhatStationsDo() async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(folder.cars(10))
        let station = try await station { server }
        let connection = try #require(station.connection)
        let feed = try await connection.follow("cars")
        for year in 1...3 as ClosedRange<Int64> {
            _ = try await station.submit(edit(year), list: .cars)
        }
        var changes: [LoggedChange] = []
        while changes.count < 3 { changes += try await feed.next() }
        #expect(changes.map { $0.effect?.cells.first?.after } == [1, 2, 3].map(Cell.integer))
        #expect(changes.allSatisfy { $0.station == "ana" && $0.effect?.rowID == 1 })
        let position = FeedPosition(logID: feed.start.logID, last: changes[0].position)
        let again = try await connection.follow("cars", from: position)
        #expect(try await again.next() == Array(changes[1...]))
        await #expect(throws: ValetError.self) { try await connection.follow("boats") }
        await station.close()
        await server.server.stop()
    }

    @Test func aStationFollowsOverReconnections() async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(folder.cars(10))
        let (writer, follower) = (try await station { server }, try await station { server })
        let (began, signal) = AsyncStream<Void>.makeStream()
        let following = Task {
            var years: [Cell?] = []
            try await follower.follow("cars") {
                signal.yield()
            } _: { changes, _ in
                years += changes.map { $0.effect?.cells.first?.after }
                // Each piece is the last of its connection.
                await follower.connection?.close()
                return years.count < 40
            }
            return years
        }
        for await _ in began { break }
        for year in 1...40 as ClosedRange<Int64> {
            _ = try await writer.submit(edit(year), list: .cars)
        }
        #expect(try await following.value == (1...40).map { Cell.integer($0) })
        await writer.close()
        await follower.close()
        await server.server.stop()
    }

    @Test func aFeedEndsWithItsConnection() async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(folder.cars(10))
        let station = try await station { server }
        let connection = try #require(station.connection)
        let feed = try await connection.follow("cars")
        let waiting = Task { try await feed.next() }
        await connection.close()
        await #expect(throws: ValetError.self) { try await waiting.value }
        await station.close()
        await server.server.stop()
    }
}
