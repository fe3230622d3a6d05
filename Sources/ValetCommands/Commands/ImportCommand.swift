import ArgumentParser
import Foundation
import ValetModel
import ValetStore
import ValetTerminal

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a CSV file as a table.",
        discussion: """
            The first line names the columns. A column becomes numbers if all its cells are \
            numbers, and dates if all are such as 2026-03-09 or 2026-03-09 14:02:30. Leading \
            zeros, a +, or more digits than a number keeps make it text. Every value reads back \
            as it was written, or as an equal number. Empty cells become NULL. Fields are \
            separated by commas; in .tsv files by tabs; by tabs or semicolons if the first line \
            has no comma. Rows with fewer or more fields than the header, columns without a name \
            of their own, and the header again are read, and what was done is said; --strict \
            refuses them. After an error, which names its line, the database is as it was.
            """)

    @Argument(help: "The CSV file; - is standard input.", completion: .file())
    var file: String

    @Argument(help: "The SQLite file; it is created if missing.", completion: .file())
    var database: String

    @Option(help: "The table to make (default: the name of the file).")
    var table: String?

    @Flag(help: "Add to an existing table.")
    var append = false

    @Flag(help: "Refuse a file with irregular rows, or columns without a name of their own.")
    var strict = false

    /// `cars` of `data/cars.csv`.
    private var tableName: String {
        table ?? URL(filePath: file).deletingPathExtension().lastPathComponent
    }

    func validate() throws {
        if file == "-", table == nil {
            throw ValidationError("Standard input has no name: name the table with --table.")
        }
    }

    func run() throws {
        guard case .file(let path) = try Target(database) else {
            throw CommandFailure(.usage, "import works on a SQLite file, not on a server")
        }
        if file != "-" { try requireFile(file) }
        let line = ProgressLine.standardError
        defer { line.end() }
        var repairs = CSVRepairs()
        let rows = try InterruptFlag.watched {
            try CSVImport.run(
                csvPath: file, databasePath: path, table: tableName, appending: append,
                isStrict: strict, repaired: { repairs = $0 },
                progress: { done, total, rows in
                    let percent = total > 0 ? " (\(100 * done / total) %)" : ""
                    line.show("imported \(rows) rows\(percent)")
                },
                cancelled: { InterruptFlag.isSet })
        }
        line.end()
        for words in repairs.words {
            StandardStreams.say("valet: " + Sanitizer().line(of: words) + "\n")
        }
        let count = rows == 1 ? "1 row" : "\(rows) rows"
        let words = Sanitizer().line(of: "imported \(count) into “\(tableName)” of \(path)")
        StandardStreams.say(words + "\n")
    }
}
