import TestSupport
import Testing
import ValetModel

@testable import ValetClient

/// Acts of several commands, which together change more rows than one command may.
@Suite(.timeLimit(.minutes(5))) struct LargeActTests {
    @Test func itIsUndoneAndDoneAgainWhole() async throws {
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
