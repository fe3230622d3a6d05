import ArgumentParser
import ValetCommands
import ValetModel
import ValetTerminal

/// `valet-load generate --rows N --seed S FILE`
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
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

    func validate() throws {
        try require("--rows", rows, in: 0...Limits.rowsPerList)
    }

    func run() throws {
        try FleetWriter(fleet: Fleet(seed: seed), rows: rows)
            .writeShowingProgress(to: file, replacing: force)
    }
}

extension FleetWriter {
    func writeShowingProgress(to file: String, replacing: Bool) throws(ValetError) {
        let line = ProgressLine.standardError
        // Also ended on an error, so that its message begins on a line of its own.
        defer { line.end() }
        try write(to: file, replacing: replacing) { count in
            line.show(Self.progress(count, of: rows))
        }
    }

    /// `1,204,000 of 10,000,000 cars  12%`
    static func progress(_ count: Int, of total: Int) -> String {
        let percent = total == 0 ? 100 : count * 100 / total
        return "\(count.grouped) of \(total.grouped) cars  \(percent)%"
    }
}
