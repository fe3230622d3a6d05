import ArgumentParser
import Foundation
import ValetClient
import ValetModel
import ValetTerminal

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show the changes of a list as they are made, until ^C.",
        discussion: """
            For each row that a change touched: revision, op (insert, update, delete), id, the \
            cells before and after, station, and time (UTC). Long values are cut. When the \
            connection ends, the command reconnects and continues; if the next changes are no \
            longer kept by then, it ends with 1.
            """)

    @OptionGroup var target: TargetOptions

    @Option(parsing: .unconditional, help: "Stop after N changes (default: never).")
    var count: Int?

    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard count ?? 1 > 0 else { throw ValidationError("--count must be at least 1.") }
    }

    func run() async throws {
        try await OpenTarget.with(target, attempts: .max) { try await watch($0) }
    }

    private func watch(_ open: OpenTarget) async throws {
        let list = try await open.chosenList()
        // A table shows nothing before it has measured its columns.
        let writer = RecordWriter(format.chosen == .table ? .plain : format.chosen)
        writer.names = ChangeRecords.feedNames
        var left = count ?? .max
        try await open.station.follow(list.name) {
            StandardStreams.say(Sanitizer().lines(of: "watching “\(list.title)”") + "\n")
        } _: { changes, list in
            let records = ChangeRecords(list: list, format: writer.format)
            for change in changes.prefix(left) {
                try writer.write(records.feedRecord(of: change))
                left -= 1
            }
            try writer.flush()
            return left > 0
        }
        try writer.finish()
    }
}
