import TestSupport
import Testing
import ValetModel

@testable import ValetClient

/// Change feeds of a real server.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FeedTests {
    private func edit(_ year: Int64) -> Change { .set(1, 2, .integer(year)) }

    /// Runs `body` with a server of ten cars and a station.
    private func serve(_ body: (TestServer, ValetStation) async throws -> Void) async throws {
        let server = try await TestServer(cars: 10)
        let station = try await server.connectStation()
        try await body(server, station)
        await station.close()
        await server.server.stop()
    }

    @Test func aFeedBringsWhatStationsDo() async throws {
        try await serve { _, station in
            let connection = try #require(station.connection)
            let feed = try await connection.follow("cars")
            for year in 1...3 as ClosedRange<Int64> {
                _ = try await station.submit(edit(year), list: .cars)
            }
            var changes: [LoggedChange] = []
            while changes.count < 3 { changes += try await feed.next() }
            #expect(changes.map { $0.effect?.cells.first?.after } == [1, 2, 3].map(Cell.integer))
            #expect(changes.allSatisfy { $0.station == "test" && $0.effect?.rowID == 1 })
            let position = FeedPosition(logID: feed.start.logID, last: changes[0].position)
            let again = try await connection.follow("cars", from: position)
            #expect(try await again.next() == Array(changes[1...]))
            await #expect(throws: ValetError.self) { try await connection.follow("boats") }
        }
    }

    @Test func aStationFollowsOverReconnections() async throws {
        try await serve { server, writer in
            let follower = try await server.connectStation()
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
            await follower.close()
        }
    }

    @Test func aFeedEndsWithItsConnection() async throws {
        try await serve { _, station in
            let connection = try #require(station.connection)
            let feed = try await connection.follow("cars")
            let waiting = Task { try await feed.next() }
            await connection.close()
            await #expect(throws: ValetError.self) { try await waiting.value }
        }
    }
}
