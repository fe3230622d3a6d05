import ArgumentParser
import ValetClient
import ValetModel
import ValetTerminal

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the rows that a query finds.",
        discussion: """
            Rows come in the order of the query, without their ids. `valet import` reads the CSV \
            back: there NULL is an empty field, and a blob is its size. JSON keeps both.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions

    @Option(help: "csv, json, jsonl, plain (tab separated) or table.")
    var format = OutputFormat.csv

    func run() async throws {
        try await OpenTarget.with(target) { open in
            let list = try await open.chosenList()
            let view = try await open.view(of: list, query.query(of: list), isPinned: true)
            let columns = view.summary.columns
            let rows = RowRecords(
                connection: open.connection, list: list, view: view, keepsCuts: false)
            let writer = RecordWriter(format)
            writer.names = columns.map { list.columns[$0].name }
            let line = ProgressLine.standardError
            defer { line.end() }
            let total = view.summary.totalRows
            try await view.forEachWindow(
                in: 0..<total, rowsPerWindow: open.connection.server.rowsPerWindow
            ) { window in
                for record in try await rows.plainRecords(of: window) { try writer.write(record) }
                let done = window.first + window.rows.count
                line.show("exported \(done.grouped) of \(total.grouped) rows")
            }
            try writer.finish()
        }
    }
}
