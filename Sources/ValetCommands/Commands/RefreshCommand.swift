import ArgumentParser
import Foundation
import Synchronization
import ValetClient
import ValetModel
import ValetTerminal

struct RefreshCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Load a list again from where it comes from.",
        discussion: """
            For lists with “refresh” in the catalog. What was added, changed and removed is \
            counted. If it fails, the exit code is 1 and the rows are as they were; 7 means that \
            the list is not loaded from elsewhere, or that nothing can be changed.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

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
