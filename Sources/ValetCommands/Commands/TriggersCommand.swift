import ArgumentParser
import Foundation
import ValetModel
import ValetStore
import ValetTerminal

/// `valetd triggers`: triggers that note which rows other programs change.
struct TriggersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triggers",
        abstract: "Make a file note which rows other programs change.",
        discussion: """
            Without triggers, a list is read again whenever another program has changed the file. \
            With them, only the changed rows are. They are stored in the file, make its changes a \
            little slower, and may be added and removed while it is served. They don't notice what \
            a program writes into a part of a blob (sqlite3_blob_write).
            """,
        subcommands: [AddCommand.self, RemoveCommand.self])

    struct AddCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add triggers to all tables that can have them.")

        @Argument(help: "The SQLite file.")
        var file: String

        func run() throws {
            try requireFile(file)
            let tables = try FileTriggers.add(toFile: file)
            for table in tables {
                print(Sanitizer().line(of: table.obstacle ?? "table “\(table.table)” has triggers"))
            }
            guard tables.contains(where: { $0.obstacle == nil }) else {
                throw CommandFailure(.invalidValue, "no table of \(file) can have triggers")
            }
        }
    }

    struct RemoveCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove the triggers.")

        @Argument(help: "The SQLite file.")
        var file: String

        func run() throws {
            try requireFile(file)
            let count = try FileTriggers.remove(fromFile: file)
            print(count == 1 ? "removed 1 trigger" : "removed \(count) triggers")
        }
    }
}
