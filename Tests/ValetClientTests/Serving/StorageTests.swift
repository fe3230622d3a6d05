import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetClient
@testable import ValetStore

/// What becomes of a view when its file changes under it.
@Suite(.timeLimit(.minutes(5))) struct StorageTests {
    private func serve(
        havePhotos: Bool = false, _ body: (ValetConnection, _ path: String) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(1_000, havePhotos: havePhotos)
        try await TestServer.run(path) { connection in try await body(connection, path) }
    }

    @Test func aLockedFileFailsTheWindowAndLeavesTheViewUsable() async throws {
        try await serve(havePhotos: true) { connection, path in
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            #expect(try await view.window(at: .ordinal(0), rows: 10).rows[0]?.id == 1)
            let other = try Connection(path: path, access: .write)
            try other.run("BEGIN EXCLUSIVE")
            let error = await failure { try await view.window(at: .ordinal(600), rows: 10) }
            #expect(error?.code == .storageFailed)
            let shown = try await view.window(at: .ordinal(0), rows: 10)
            #expect(shown.rows[0]?.id == 1, "what is in memory is served")
            try other.run("ROLLBACK")
            #expect(try await view.window(at: .ordinal(600), rows: 10).rows[0]?.id == 601)
        }
    }

    @Test func aLockedFileDoesNotMatterToRowsInMemory() async throws {
        try await serve { connection, path in
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            let other = try Connection(path: path, access: .write)
            try other.run("BEGIN EXCLUSIVE")
            #expect(try await view.window(at: .ordinal(600), rows: 10).rows[0]?.id == 601)
        }
    }

    @Test func aRowThatIsGoneIsSoonGoneFromMemory() async throws {
        try await serve { connection, path in
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            try TemporaryFolder.change(path, "DELETE FROM cars WHERE rowid = 601")
            for await window in view.windows(at: .ordinal(600), rows: 2) {
                let rows = try window.get().rows
                guard rows.map({ $0?.id }) == [602, 603] else { continue }
                #expect(rows[0]?.cells[1] == .text("Model 601"))
                return
            }
            Issue.record("the rows stayed as they were")
        }
    }

    @Test func aRowThatIsGoneIsNotShownAndHasNoDetail() async throws {
        try await serve(havePhotos: true) { connection, path in
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            try TemporaryFolder.change(path, "DELETE FROM cars WHERE rowid = 601")
            let rows = try await view.window(at: .ordinal(600), rows: 2).rows
            #expect(rows.map { $0?.id } == [602, 603])
            #expect(rows[0]?.cells[1] == .text("Model 601"))
            let detail = await failure { try await connection.detail(list: "cars", rowID: 601) }
            #expect(detail?.code == .unknownRow)
        }
    }

    /// Until the server notices and closes its connections. Where it does so in the middle, the
    /// test begins anew.
    @Test func aFileThatIsReplacedIsServedAsItWas() async throws {
        var isServedToTheEnd = false
        for _ in 0..<40 where !isServedToTheEnd {
            do {
                try await serve(Self.expectRowsOfAReplacedFile)
                isServedToTheEnd = true
            } catch let error as ValetError where error.code == .shuttingDown {}
        }
        #expect(isServedToTheEnd)
    }

    private static func expectRowsOfAReplacedFile(
        _ connection: ValetConnection, _ path: String
    ) async throws {
        let view = try await connection.openView(list: "cars", Query(grouping: "None"))
        try FileManager.default.removeItem(atPath: path)
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
        // All threads read, also those that had not read before.
        for first in stride(from: 0, to: 1_000, by: 50) {
            let rows = try await view.window(at: .ordinal(first), rows: 50).rows
            #expect(rows.map { $0?.id } == (first + 1...first + 50).map(Int64.init))
        }
        let years = try await connection.openView(list: "cars", Query(grouping: "year"))
        #expect(years.summary.totalSections == 60)
    }
}
