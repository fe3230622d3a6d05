import ArgumentParser
import ValetServer

/// `valet`: the terminal client.
package struct ValetCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "valet",
        abstract: "Shows the lists of a Valet server, or of a SQLite file.",
        usage: """
            valet TARGET [--list LIST]
                   valet FILE.csv …
                   valet SUBCOMMAND …
            """,
        discussion: """
            A target is valet://HOST[:PORT][/LIST], or the path of a SQLite file, which is then \
            served inside this program. CSV and TSV files, and - for standard input, are targets \
            to look at. Ordinals begin at 0.

            valet help TOPIC tells of \(HelpTopic.names).

            What holds for all commands (station, ascii, color, mouse, keys) stands in \
            $XDG_CONFIG_HOME/valet/config.yaml, or ~/.config/valet/config.yaml.

            Exit codes: 0 ok, 1 failed or took too long, 2 usage, 3 not found, 4 somebody else \
            changed it, 5 invalid value, 6 unreachable, 7 not allowed, 130 cancelled.
            """,
        version: ValetServer.version,
        subcommands: [
            OpenCommand.self, DemoCommand.self, PickCommand.self, ListsCommand.self,
            SchemaCommand.self, SectionsCommand.self, FacetsCommand.self, IndexCommand.self,
            RowsCommand.self, ExportCommand.self, GetCommand.self, CountCommand.self,
            AggregateCommand.self, AddCommand.self, SetCommand.self, RemoveCommand.self,
            CheckCommand.self, MoveCommand.self, UndoCommand.self, RedoCommand.self,
            HistoryCommand.self, WatchCommand.self, WhoCommand.self, RefreshCommand.self,
            ImportCommand.self, SnapshotCommand.self, StatsCommand.self, DoctorCommand.self,
            CompletionsCommand.self, ManualCommand.self, HelpCommand.self,
        ],
        defaultSubcommand: OpenCommand.self)

    package init() {}
}
