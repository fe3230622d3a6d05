import ArgumentParser
import ValetModel

struct WhoCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "who", abstract: "Show who else is in a list, and on which row.",
        discussion: """
            For each station: its name, id (its row, or null), and activity: looks or edits. The \
            others see this command in the list for a moment, too.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        writer.names = ["station", "id", "activity"]
        for other in try await open.connection.others(in: list.name) {
            try writer.write([
                ("station", .text(other.station)),
                ("id", other.presence.rowID.map { .cell(.integer($0)) } ?? .null),
                ("activity", .text(other.presence.activity == .edits ? "edits" : "looks")),
            ])
        }
    }
}
