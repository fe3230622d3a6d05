import ArgumentParser
import Foundation
import ValetModel
import ValetStore
import ValetTerminal

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a table of a CSV file.",
        discussion: """
            The first line names the columns. What is imported reads back as it was written, or \
            as a number that is equal: a column is a number if every cell that is not empty is \
            one, and text if one has leading zeros, a +, or more digits than a number keeps; it \
            is a date if every cell is such as 2026-03-09 or 2026-03-09 14:02:30. Empty cells \
            become NULL. An error names line and column and leaves the database as it was. \
            Fields are separated by commas; by tabs in .tsv files, or by tabs or semicolons if \
            the first line has no comma.
            """)

    @Argument(help: "The CSV file; - is standard input.", completion: .file())
    var file: String

    @Argument(
        help: "The SQLite file, which is made if it is not there.", completion: .file())
    var database: String

    @Option(help: "The table to make.")
    var table: String

    @Flag(help: "Add to a table that is there.")
    var append = false

    func run() throws {
        guard case .file(let path) = try Target(database) else {
            throw CommandFailure(.usage, "import works on a SQLite file, not on a server")
        }
        if file != "-" { try requireFile(file) }
        let line = ProgressLine.standardError
        defer { line.end() }
        let rows = try InterruptFlag.watched {
            try CSVImport.run(
                csvPath: file, databasePath: path, table: table, appending: append,
                progress: { done, total, rows in
                    let percent = total > 0 ? " (\(100 * done / total) %)" : ""
                    line.show("imported \(rows) rows\(percent)")
                },
                cancelled: { InterruptFlag.isSet })
        }
        line.end()
        let count = rows == 1 ? "1 row" : "\(rows) rows"
        let words = Sanitizer().line(of: "imported \(count) into “\(table)” of \(path)")
        StandardStreams.say(words + "\n")
    }
}
