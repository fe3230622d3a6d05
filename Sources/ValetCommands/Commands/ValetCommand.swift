import ArgumentParser
import ValetServer

/// `valet`: the terminal client.
package struct ValetCommand: Program {
    package static let configuration = CommandConfiguration(
        commandName: "valet",
        abstract: "Shows the lists of a Valet server or a SQLite file.",
        usage: """
            valet TARGET [--list LIST]
                   valet FILE.csv …
                   valet SUBCOMMAND …
            """,
        discussion: """
            A target is a server, as valet://HOST[:PORT][/LIST], a SQLite file, which needs no \
            server, or a CSV or TSV file to look at (- is standard input). Rows are counted from \
            0.

            valet help TOPIC prints an article: \(HelpTopic.names).

            Settings for all commands (station, ascii, color, mouse, keys) are in \
            $XDG_CONFIG_HOME/valet/config.yaml, or ~/.config/valet/config.yaml.

            Exit codes: 0 ok, 1 failed or took too long, 2 usage, 3 not found, 4 somebody else \
            changed it, 5 invalid value, 6 unreachable, 7 not allowed, 130 cancelled.
            """,
        version: ProgramVersion.text,
        subcommands: [
            OpenCommand.self, DemoCommand.self, PickCommand.self, ListsCommand.self,
            SchemaCommand.self, SectionsCommand.self, FacetsCommand.self, IndexCommand.self,
            RowsCommand.self, ExportCommand.self, GetCommand.self, CountCommand.self,
            AggregateCommand.self, AddCommand.self, SetCommand.self, RemoveCommand.self,
            CheckCommand.self, MoveCommand.self, UndoCommand.self, RedoCommand.self,
            HistoryCommand.self, WatchCommand.self, WhoCommand.self, RefreshCommand.self,
            ImportCommand.self, BackupCommand.self, SnapshotCommand.self, StatsCommand.self,
            TopCommand.self, DoctorCommand.self, TrustCommand.self, LoginCommand.self,
            LogoutCommand.self,
            CompletionsCommand<ValetCommand>.self, ManualCommand<ValetCommand>.self,
            HelpCommand.self,
        ],
        defaultSubcommand: OpenCommand.self)

    package static let section = 1
    package static let manual: [ManualPage.Section] = [
        .verbatim("CONDITIONS", HelpTopic.conditions.block),
        .terms("KEYS", HelpTopic.terminal.tableRows),
        .terms(
            "FILES",
            [
                ("~/.config/valet/config.yaml", "Settings. $XDG_CONFIG_HOME moves the folder."),
                ("~/.config/valet/queries.yaml", "Queries that were saved."),
                ("~/.config/valet/credentials", "Tokens and certificates for servers."),
                (
                    "~/.local/state/valet/station",
                    "The station's identity. $XDG_STATE_HOME moves it."
                ),
                ("~/.local/state/valet/servers", "The keys of servers that are trusted."),
                ("~/.local/state/valet/drafts.json", "Edits that a closed window has left."),
                ("~/.cache/valet/imported", "What CSV files became. $XDG_CACHE_HOME moves it."),
            ]),
        .verbatim("EXAMPLES", HelpTopic.scripts.block),
    ]

    package init() {}
}
