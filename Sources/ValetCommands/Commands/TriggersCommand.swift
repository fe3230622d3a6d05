import ArgumentParser
import Foundation
import ValetModel
import ValetStore
import ValetTerminal

/// `valetd triggers`: triggers that note which rows other programs change.
struct TriggersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triggers",
        abstract: "Let a file note which rows other programs change.",
        discussion: """
            Without triggers, a list is read in anew when another program has changed the file. \
            With them, the changed rows are known and shown at once. They are in the file itself, \
            make its changes a little slower, and may be added and removed while it is served. \
            What a program writes into a part of a blob (sqlite3_blob_write) is not noted.
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
