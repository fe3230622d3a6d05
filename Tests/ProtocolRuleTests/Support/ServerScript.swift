import Foundation
import TestSupport
import Testing
import ValetClient
import ValetModel

/// What a server says that breaks a rule, or hardly keeps one.
enum ServerScript {
    static func nothing(_ request: Int) -> [UInt8] { [] }

    /// A catalog of one list with one column.
    static func catalog(
        _ request: Int, title: String = "List", groupingColumn: Int? = 0, timeZone: String? = nil,
        interval: Int? = nil, expression: UInt8 = 1, lengths: (Int, Int)? = nil
    ) -> [UInt8] {
        let column =
            text("n") + text("n") + [1, 0, 0, 1, 0, 0, 0, 0, 0] + optional(interval.map(varint))
            + [0, 0, 0, 0, 0]
        let grouping =
            text("n") + optional(groupingColumn.map(varint)) + [expression, 0, 0, 0, 0, 0, 0, 0, 0]
        let scopes = lengths.map { shortest, longest in
            [text("n") + [1, 0, 1] + varint(shortest) + varint(longest) + [0, 0]]
        }
        // Columns side by side, in rows of one line.
        let cell = [0] + text("") + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
        let list =
            text("list") + text(title) + list([column]) + [0] + list([grouping])
            + list(scopes ?? []) + [0] + cell + [0, 0, 0, 0, 1, 1, 1, 0, 0, 0]
            + (timeZone.map { [1] + text($0) } ?? [0]) + [1, 0]
        return frame(0x83, varint(request) + [1, 0, 1] + list + [0, 0, 0])
    }

    static func pageOnAStream(_ request: Int) -> [UInt8] {
        let raw = FakeServer.rawPage(rows: 1)
        return frame(0x8B, stream: 1, u64(1) + varint(raw.count) + varint(raw.count) + raw)
    }
}

/// The client closes, and its request fails as malformed or over a limit, when the server answers
/// its window with these frames.
func expectsClientToLeave(
    _ answer: @escaping @Sendable (Int) -> [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    try await FakeServer.run(rows: 200) { wire in
        wire.send(answer(try wire.windowRequest().request))
    } view: { view in
        await #expect(throws: ValetError.self, sourceLocation: sourceLocation) {
            try await view.window(at: .ordinal(0), rows: 10)
        }
    }
}

/// Runs `valet` to its end.
/// - Returns: what it printed.
func valet(_ arguments: [String], _ folder: TemporaryFolder) throws -> String {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let programs = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    let process = Process()
    let output = Pipe()
    process.executableURL = programs.appending(path: "valet")
    process.arguments = arguments
    process.environment = ["HOME": folder.path, "XDG_STATE_HOME": folder.path]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
}
