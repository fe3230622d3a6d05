import ArgumentParser
import ValetClient
import ValetModel
import ValetTerminal

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the rows that a query finds.",
        discussion: """
            Rows come in the order of the query, without their ids, and are of one moment. `valet \
            import` reads CSV and TSV back: there NULL is an empty field, and a blob is its size. \
            JSON and SQLite keep both; XLSX has dates as spreadsheets have them. A file is there \
            once it is whole.

              valet export cars.sqlite --where 'year >= 2015' --output new-cars.csv
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions

    @Option(
        name: [.customLong("column")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only this column; repeat it for more.", valueName: "column"),
        completion: NameCompletion.columns)
    var columns: [String] = []

    @Option(parsing: .unconditional, help: "Only so many rows, the first ones (default: all).")
    var count: Int?

    @Option(
        help: """
            csv, tsv, json, jsonl, plain (tab separated), table, xlsx or sqlite (default: csv, or \
            what FILE ends in).
            """)
    var format: ExportFormat?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write a file.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace FILE if it is there.")
    var replace = false

    private func chosenFormat() throws -> ExportFormat {
        if let format { return format }
        guard let output else { return .text(.csv) }
        guard let format = ExportFormat(ofFile: output) else {
            throw ValidationError(
                "“\(output)” ends in no format (\(ExportFormat.endings)): name one with --format.")
        }
        return format
    }

    func validate() throws {
        guard count ?? 0 >= 0 else { throw ValidationError("--count must not be negative.") }
        let format = try chosenFormat()
        if [.sqlite, .xlsx].contains(format), output == nil {
            throw ValidationError("\(format.name) needs a file: --output cars.\(format.name).")
        }
        if replace, output == nil { throw ValidationError("--replace needs --output.") }
    }

    func run() async throws {
        let format = try chosenFormat()
        let file = try output.map { try exportedFile($0) }
        try await OpenTarget.with(target) { open in
            let list = try await open.chosenList()
            let chosen = try columns.map { try list.column(named: $0) }
            let view = try await open.view(
                of: list, query.query(of: list), columns: chosen, isPinned: true)
            let export = try RowExport(
                of: view, list, columns: chosen.isEmpty ? view.summary.columns : chosen,
                most: count ?? .max, on: open.connection)
            let line = ProgressLine.standardError
            defer { line.end() }
            let progress = { (done: Int, total: Int) in
                if InterruptFlag.isSet { throw CancellationError() }
                line.show("exported \(done.grouped) of \(total.grouped) rows")
            }
            if let file {
                // A file that isn't finished goes, also at ^C.
                _ = try await InterruptFlag.watched {
                    try await export.write(to: file, as: format, progress: progress)
                } whenAsked: {
                    await open.connection.close()
                }
            } else if case .text(let format) = format {
                try await export.run(
                    into: TextRows(export.names, writer: RecordWriter(format)), progress: progress)
            }
        }
    }

    private func exportedFile(_ name: String) throws -> ExportedFile {
        do {
            return try ExportedFile(
                name, replaces: replace,
                sources: [try Target(target.target).path].compactMap(\.self))
        } catch is ExportedFile.IsThere {
            throw CommandFailure(.usage, "“\(name)” is there already: --replace replaces it")
        }
    }
}
