import ArgumentParser
import ValetModel

/// `valet-load generate --rows N --seed S FILE`
package struct GenerateCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make a SQLite file with a fleet of cars.",
        discussion: "The same seed and number of rows make the same rows.")

    @Option(help: "How many cars.")
    var rows: Int

    @Option(help: "Which fleet.")
    var seed: UInt64 = 1

    @Flag(help: "Replace the file if there is one.")
    var force = false

    @Argument(help: "The file to make.")
    var file: String

    package init() {}

    package func validate() throws {
        guard (0...Limits.rowsPerList).contains(rows) else {
            throw ValidationError("--rows must be from 0 to \(Limits.rowsPerList).")
        }
    }

    package func run() throws {
        var progress = TerminalProgress(total: rows, unit: "cars")
        let writer = FleetWriter(fleet: Fleet(seed: seed), rows: rows)
        // Ended on the way out too, so that an error's words begin on a line of their own.
        defer { progress.end() }
        try writer.write(to: file, replacing: force) { progress.show($0) }
    }
}
