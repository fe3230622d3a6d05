import ArgumentParser
import ValetModel

struct StatsCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show the clients, memory and work of the server.",
        discussion: """
            With --format json or jsonl one object, else a line for each number. Proto/PROTOCOL.md \
            says what they count.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let statistics = try await open.connection.statistics()
        switch writer.format {
        case .json, .jsonl:
            try writer.write(statistics.entries.map { ($0.name, .integer($0.value)) })
        case .table, .plain, .csv, .tsv:
            for entry in statistics.entries {
                try writer.write([("name", .text(entry.name)), ("value", .integer(entry.value))])
            }
        }
    }
}
