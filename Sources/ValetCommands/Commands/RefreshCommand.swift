import ArgumentParser
import Foundation
import ValetClient
import ValetModel
import ValetTerminal

struct RefreshCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Reload a list from its source.",
        discussion: """
            Works for lists with “refresh” in the catalog, and prints how many rows were added, \
            changed and removed. If loading fails, the rows stay as they were, and the exit code \
            is 1. It is 7 if the list has no source, or the server takes no changes.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    var changesRows: Bool { true }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        writer.names = ["list", "added", "changed", "removed"]
        switch try await refresh(list, over: open.connection) {
        case .done(let added, let changed, let removed):
            try writer.write([
                ("list", .text(list.name)), ("added", .optional(added)),
                ("changed", .optional(changed)), ("removed", .optional(removed)),
            ])
        case .failed(let reason):
            throw CommandFailure(.failed, "“\(list.title)” can't be loaded: \(reason)")
        case .cancelled: throw CommandFailure(.cancelled, "the refresh was cancelled")
        }
    }

    private func refresh(
        _ list: ListDescription, over connection: ValetConnection
    ) async throws -> RefreshEnding {
        let line = ProgressLine.standardError
        defer { line.end() }
        return try await connection.refresh(list: list.name) { progress in
            let unit = progress.stage == .loading ? "bytes" : "rows"
            let total = progress.total.map { " of \($0)" } ?? ""
            line.show("\(progress.stage) \(progress.done)\(total) \(unit)")
        }
    }
}
