import TestSupport
import Testing
import ValetModel

@testable import ValetClient

/// Acts of several commands, which together change more rows than one command may.
@Suite(.timeLimit(.minutes(5))) struct LargeActTests {
    @Test func itIsUndoneAndDoneAgainWhole() async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(folder.cars(12_000))
        let port = server.port
        let station = try await ValetStation.connect { () throws(ValetError) in
            try await ValetConnection.connect(
                host: "127.0.0.1", port: port, station: TestServer.station)
        }
        let connection = try #require(station.connection)
        let acts = (0..<3).map { act in
            Change.delete((1...4_000).map { RowDeletion(rowID: Int64(4_000 * act + $0)) })
        }
        for result in await station.submit(acts, list: .cars) { _ = try result.get() }
        for change in [Change.undo, .redo, .undo] {
            let outcome = try await station.submit(change, list: .cars)
            guard case .applied(let rowIDs) = outcome.verdict else {
                Issue.record("\(outcome.verdict)")
                return
            }
            #expect(Set(rowIDs) == Set(1...12_000))
            #expect(station.connection === connection)
        }
        #expect(try await connection.catalog().rowCounts == [12_000])
        await station.close()
        await server.server.stop()
    }
}
