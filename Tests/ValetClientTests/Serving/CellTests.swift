import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetClient
@testable import ValetStore

/// Values of every kind, from the file to the client.
@Suite(.timeLimit(.minutes(5))) struct CellTests {
    /// A database whose one column has these values.
    private func database(
        in folder: TemporaryFolder, _ bind: [(Statement) -> Void]
    ) throws -> String {
        let path = folder.path + "/cells.db"
        let connection = try Connection(path: path, access: .create)
        let writer = try TableWriter(
            on: connection, table: "t", columns: [NewColumn("value", .any)])
        for bind in bind {
            bind(writer.row)
            try writer.insertRow()
        }
        try writer.commit()
        return path
    }

    private func text(_ bytes: [UInt8]) -> (Statement) -> Void {
        { statement in bytes.withUnsafeBytes { statement.bind(text: $0, at: 0) } }
    }

    @Test func everyKindOfValueArrivesAsItIs() async throws {
        let folder = TemporaryFolder()
        let path = try database(
            in: folder,
            [
                { $0.bindNull(at: 0) }, { $0.bind(.min, at: 0) }, { $0.bind(-0.0, at: 0) },
                { $0.bind(1e300, at: 0) }, { $0.bind("Zürich 🚗", at: 0) },
                text(Array("\u{1B}[31mred\u{7}".utf8)), text([0x66, 0xFF, 0xFE]),
                { statement in [1, 2, 3].withUnsafeBytes { statement.bind(blob: $0, at: 0) } },
            ])
        try await TestServer.run(path) { connection in
            let view = try await connection.openView(list: "t", Query(grouping: "None"))
            let cells = try await view.allRows().map { $0.cells[0] }
            #expect(
                cells.prefix(7) == [
                    .null, .integer(.min), .real(-0.0), .real(1e300), .text("Zürich 🚗"),
                    .text("\u{1B}[31mred\u{7}"),
                    .malformedText(bytes: [0x66, 0xFF, 0xFE], byteCount: 3),
                ])
            #expect(cells[7] == .blob(bytes: [], byteCount: 24), "a page has a blob's size")
            #expect(cells[7].isCut)
            let raw = try await connection.wholeCell(list: "t", rowID: 7, column: "value")
            #expect(raw == [0x66, 0xFF, 0xFE])
            let number = await failure {
                try await connection.wholeCell(list: "t", rowID: 2, column: "value")
            }
            #expect(number?.code == .unknownRow, "a number has no pieces")
        }
    }

    @Test func aCellOfTenMegabytesIsCutAndCanBeHadInPieces() async throws {
        let folder = TemporaryFolder()
        // Scalars of three bytes, so that every cut has to look where it falls.
        let count = 10_000_000 / 3
        let whole = Array(String(repeating: "€", count: count).utf8)
        let path = try database(in: folder, [text(whole), { $0.bind("small", at: 0) }])
        try await TestServer.run(path) { connection in
            let view = try await connection.openView(list: "t", Query(grouping: "None"))
            let rows = try await view.allRows()
            guard case .cutText(let shown, let byteCount) = rows[0].cells[0] else {
                throw Unexpected("\(rows[0].cells[0])")
            }
            #expect(byteCount == whole.count)
            #expect(shown.utf8.count <= Limits.bytesPerPageText)
            #expect(shown.utf8.count > Limits.bytesPerPageText - 3)
            #expect(shown.allSatisfy { $0 == "€" })
            #expect(rows[1].cells == [.text("small")])
            let detail = try await connection.detail(list: "t", rowID: 1)
            guard case .cutText(let beginning, whole.count) = detail.cells[0] else {
                throw Unexpected("not cut")
            }
            #expect(beginning.utf8.count > Limits.bytesPerDetailCell - 3)
            let bytes = try await connection.wholeCell(list: "t", rowID: 1, column: "value")
            #expect(bytes == whole)
        }
    }

    @Test func aPageThatTakesSeveralFramesArrivesWhole() async throws {
        let folder = TemporaryFolder()
        var random = SeededNumbers(seed: 77)
        // Text that can't be compressed much: a page of it takes several frames.
        let texts = (0..<150).map { _ in
            String(
                (0..<900).map { _ in
                    Character(UnicodeScalar(UInt8.random(in: 33...126, using: &random)))
                })
        }
        let path = try database(in: folder, texts.map { text in { $0.bind(text, at: 0) } })
        try await TestServer.run(path, creditBytes: ClientSession.largestPageFrame) { connection in
            let view = try await connection.openView(list: "t", Query(grouping: "None"))
            let rows = try await view.allRows()
            #expect(rows.map { $0.cells[0] } == texts.map(Cell.text))
        }
    }
}
