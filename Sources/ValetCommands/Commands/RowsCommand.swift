import ArgumentParser
import ValetClient
import ValetModel

struct RowsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows", abstract: "Rows, as a window at that place would show them.",
        discussion: """
            Ordinals begin at 0 and count rows, not headers; under a search they count the matches.
            The window is cut at the ends of the list, or of the section, not shifted.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var question: QuestionOptions
    @OptionGroup var format: FormatOptions

    @Option(parsing: .unconditional, help: "Only the section with this title.")
    var section: String?

    @Option(
        parsing: .unconditional,
        help: "The first row's ordinal; inside the section with --section.")
    var at = 0

    @Option(parsing: .unconditional, help: "How many rows; all that follow when left out.")
    var count: Int?

    func validate() throws {
        guard at >= 0, count ?? 0 >= 0 else {
            throw ValidationError("--at and --count must not be negative.")
        }
    }

    func run() async throws {
        try await OpenTarget.with(target) { open in
            let list = try await open.chosenList()
            let view = try await open.view(of: list, question.question)
            let range = try await range(in: view)
            let rows = RowRecords(
                connection: open.connection, list: list, columns: view.summary.columns,
                keepsCuts: format.chosen == .table)
            let writer = RecordWriter(format.chosen, names: rows.names)
            var next = range.lowerBound
            while next < range.upperBound {
                let wanted = min(range.upperBound - next, open.connection.server.rowsPerWindow)
                let window = try await view.window(at: .ordinal(next), rows: wanted)
                guard !window.rows.isEmpty else { break }
                for record in try await rows.records(of: window) { try writer.write(record) }
                next += window.rows.count
            }
            try writer.finish()
        }
    }

    private func range(in view: ValetView) async throws -> Range<Int> {
        var bounds = 0..<view.summary.totalRows
        if let section {
            let found = try await view.section(titled: section)
            bounds = found.first..<found.first + found.count
        }
        return Self.range(of: bounds, at: at, count: count)
    }

    /// The part of `bounds` that begins `at` rows in, cut at its end and not shifted; all of the
    /// rest without a `count`.
    static func range(of bounds: Range<Int>, at: Int, count: Int?) -> Range<Int> {
        let first = bounds.lowerBound + min(at, bounds.count)
        return first..<first + min(count ?? .max, bounds.upperBound - first)
    }
}

struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "One row, whole, by its row id.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The row id; write -- before one below zero.")
    var id: Int64

    func run() async throws {
        try await OpenTarget.with(target) { open in
            let list = try await open.chosenList()
            let cells = try await open.connection.wholeRow(list: list, rowID: id)
            let writer = RecordWriter(format.chosen)
            try writer.write([
                ("id", .cell(.integer(id))),
                ("cells", RowRecords.object(list.columns.map(\.name), cells)),
            ])
            try writer.finish()
        }
    }
}
