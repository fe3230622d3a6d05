import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// The library against servers on a socket: one that is right, and one that breaks the protocol,
/// which ends the connection with an error that names the rule.
@Suite(.timeLimit(.minutes(5))) struct HostileServerTests {
    @Test func aRightServerIsBelieved() async throws {
        try await ScriptedServer.run(Cars.answers) { connection in
            #expect(try await connection.catalog().rowCounts == [1_000])
            let view = try await connection.openView(list: "cars")
            for anchor in [
                Anchor.ordinal(995), .path(IndexPath(section: 3, row: 20)), .rowID(77),
                .fraction(1 << 30), .end,
            ] {
                let window = try await view.window(at: anchor, rowsBefore: 7, rows: 30)
                #expect(window.isComplete && window.rows.count >= 7)
            }
            #expect(try await view.index(most: 3).count == 3)
            #expect(try await view.sections(from: 8, count: 30).count == 2)
            #expect(try await view.section(titled: "Make 4").first == 400)
            #expect(try await view.locate(123)?.path == IndexPath(section: 1, row: 23))
            #expect(try await view.locate(-1) == nil)
            #expect(try await view.rearrange(Query(grouping: "Make")).generation == 2)
            let detail = try await connection.detail(list: "cars", rowID: 4)
            #expect(detail.cells.count == 2)
            let cell = try await connection.wholeCell(list: "cars", rowID: 4, column: "make")
            #expect(cell.count == 100_000)
            #expect(try await connection.statistics()[.views] == 3)
            try await view.close()
        }
    }

    @Test func piecesThatNeverEndAreRefused() async throws {
        try await ScriptedServer.run { message in
            Cars.answers(message).map { answer in
                guard case .pieceAnswer(var piece) = answer else { return answer }
                piece.bytes = []
                return .pieceAnswer(piece)
            }
        } _: { connection in
            let error = await failure {
                try await connection.wholeCell(list: "cars", rowID: 1, column: "make")
            }
            #expect(error?.message.contains("rule P66 ") == true)
            await connection.closed()
            let later = await failure { try await connection.statistics() }
            #expect(later?.code == .malformed, "the reason stays")
        }
    }
}
