import TestSupport
import Testing
import ValetModel

import struct Synchronization.Atomic

@testable import ValetClient

/// Stations of a real server.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServedStationTests {
    /// A station, and each of its connections.
    private struct Visitor {
        let station: ValetStation
        private var connections: AsyncStream<ValetConnection>.Iterator

        init(_ port: @escaping @Sendable () -> Int) async throws {
            station = try await TestServer.connectStation(to: port)
            let (connections, connected) = AsyncStream<ValetConnection>.makeStream()
            station.onNews { news in
                if case .connected(let connection) = news { connected.yield(connection) }
            }
            self.connections = connections.makeAsyncIterator()
        }

        /// Asks for the window on the next connection, which ends then.
        /// - Returns: the window, and how many pages came for it.
        mutating func look(rows: Int = 200) async throws -> (window: Window, pages: Int) {
            let connection = try #require(await connections.next())
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            var windows = view.windows(at: .ordinal(0), rows: rows).makeAsyncIterator()
            let window = try #require(await windows.next()).get()
            let pages = try await connection.pageTraffic().pages
            await connection.close()
            return (window, pages)
        }
    }

    /// A station that connects again gets only the pages that are others now.
    @Test func onlyPagesThatAreOthersComeAgain() async throws {
        let server = try await TestServer(cars: 200)
        let port = server.port
        var visitor = try await Visitor { port }
        let first = try await visitor.look()
        #expect(first.pages >= 4)
        let unchanged = try await visitor.look()
        #expect(unchanged.pages == 0)
        #expect(unchanged.window == first.window)
        let writer = try await server.connectStation()
        _ = try await writer.update([RowEdit(100, 2, .integer(7))], in: .cars)
        let changed = try await visitor.look()
        #expect(changed.pages == 1)
        #expect(changed.window.rows[99]?.cells[2] == .integer(7))
        await writer.close()
        await visitor.station.close()
        await server.server.stop()
    }

    /// Both servers name their pages alike.
    @Test func pagesOfAnotherEpochAreForgotten() async throws {
        let first = try await TestServer(cars: 200) { $0.epoch = 7 }
        let folder = TemporaryFolder()
        let path = try folder.cars(200)
        try TemporaryFolder.change(path, "UPDATE cars SET year = 7")
        let second = try await TestServer(path) { $0.epoch = 8 }
        let ports = [first.port, second.port]
        let visits = Atomic(0)
        var visitor = try await Visitor {
            ports[visits.wrappingAdd(1, ordering: .relaxed).oldValue == 0 ? 0 : 1]
        }
        _ = try await visitor.look()
        let (window, _) = try await visitor.look()
        #expect(window.rows.allSatisfy { $0?.cells[2] == .integer(7) })
        await visitor.station.close()
        await first.server.stop()
        await second.server.stop()
    }

    /// An act of several commands, which together change more rows than one command may.
    @Test func aLargeActIsUndoneAndDoneAgainWhole() async throws {
        let server = try await TestServer(cars: 12_000)
        let station = try await server.connectStation()
        let connection = try #require(station.connection)
        let acts = (0..<3).map { act in
            Change.delete((1...4_000).map { RowDeletion(rowID: Int64(4_000 * act + $0)) })
        }
        for result in await station.submit(acts, list: .cars) { _ = try result.get() }
        for change in [Change.undo, .redo, .undo] {
            let outcome = try await station.submit(change, list: .cars)
            guard case .applied(let rowIDs) = outcome.verdict else {
                throw Unexpected("\(outcome.verdict)")
            }
            #expect(Set(rowIDs) == Set(1...12_000))
            #expect(station.connection === connection)
        }
        #expect(try await connection.catalog().rowCounts == [12_000])
        await station.close()
        await server.server.stop()
    }
}
