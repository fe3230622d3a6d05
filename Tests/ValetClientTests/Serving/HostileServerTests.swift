import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// The library against servers on a socket that break the protocol: an error each time, which names
/// the rule, and a connection that is closed.
@Suite(.timeLimit(.minutes(5))) struct HostileServerTests {
    /// Answers as `Cars` does, except where `lie` says otherwise.
    private func expect(
        _ rule: String, _ lie: @escaping @Sendable (inout ServerMessage) -> Void,
        from body: (ValetConnection) async throws -> Void
    ) async throws {
        try await ScriptedServer.run { message in
            Cars.answers(message).map { answer in
                var answer = answer
                lie(&answer)
                return answer
            }
        } _: { connection in
            do {
                try await body(connection)
                Issue.record("nobody noticed")
            } catch let error as ValetError {
                #expect(error.message.contains("rule \(rule) "), "\(error)")
            }
            await connection.closed()
            let later = await failure { try await connection.statistics() }
            #expect(later?.code == .malformed, "the reason stays")
        }
    }

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

    @Test func aCatalogThatNeverEndsIsRefused() async throws {
        try await ScriptedServer.run { message in
            guard case .catalogRequest(let request) = message else {
                return Cars.answers(message)
            }
            var again = Cars.catalog(request.request)
            again.total = Limits.lists
            return Array(repeating: .catalogAnswer(again), count: 10_000)
        } _: { connection in
            let error = await failure { try await connection.catalog() }
            #expect(error?.message.contains("rule P29 ") == true)
        }
    }

    @Test func piecesThatNeverEndAreRefused() async throws {
        try await expect("P66") { answer in
            guard case .pieceAnswer(var piece) = answer else { return }
            piece.bytes = []
            answer = .pieceAnswer(piece)
        } from: { connection in
            _ = try await connection.wholeCell(list: "cars", rowID: 1, column: "make")
        }
    }
}
