import ArgumentParser
import ValetClient
import ValetModel

/// A facet is the sections of another grouping under the same search.
struct FacetsCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "facets", abstract: "The values of a column, and how many rows have each.",
        discussion: """
            The rows are those of the list, or of a search. Named a grouping in place of a column, \
            it counts the grouping's sections, such as years or first letters. A share is of 1.
            """)

    enum Order: String, CaseIterable, ExpressibleByArgument {
        case count, value
    }

    @OptionGroup var target: TargetOptions
    @OptionGroup var search: SearchOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The column, or a grouping.")
    var column: String

    @Option(help: "count (those of most rows first) or value (in the column's own order).")
    var by = Order.count

    @Option(parsing: .unconditional, help: "At most this many values.")
    var top: Int?

    func validate() throws {
        guard top ?? 1 > 0 else { throw ValidationError("--top must be above 0.") }
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let view = try await open.view(Question(grouping: column, search: search.question))
        guard view.summary.isSectioned || view.summary.totalRows == 0 else {
            throw CommandFailure(
                .usage,
                search.search == nil
                    ? "“\(view.summary.grouping)” makes no sections"
                    : "the scope shows its results without sections: name another with --scope")
        }
        writer.names = ["value", "count", "share"]
        let rows = view.summary.totalRows
        let bar = try await bar(in: view, writer)
        try await view.forEachSection(byCount: by == .count, most: top ?? .max) { section in
            let share = (Double(section.count) / Double(max(1, rows)) * 10_000).rounded() / 10_000
            try writer.write(
                [
                    ("value", .text(section.title)), ("count", .integer(section.count)),
                    ("share", .cell(.real(share))),
                ] + bar(section))
        }
    }

    /// On a terminal, a bar that is as long as the value has rows, beside that of most rows.
    private func bar(
        in view: ValetView, _ writer: RecordWriter
    ) async throws -> (SectionSummary) -> OutputRecord {
        guard writer.format == .table, writer.isTerminal,
            let largest = try await view.largestSections(from: 0, count: 1).first
        else { return { _ in [] } }
        return { section in
            let eighths = section.count * Self.columnsPerBar * 8 / max(1, largest.count)
            return [("", .text(Self.bar(ofEighths: eighths)))]
        }
    }

    private static let columnsPerBar = 24

    static func bar(ofEighths eighths: Int) -> String {
        let whole = min(eighths / 8, columnsPerBar)
        let rest = whole < columnsPerBar ? eighths % 8 : 0
        return String(repeating: "█", count: whole) + (rest > 0 ? String(parts[rest]) : "")
    }

    private static let parts = Array(" ▏▎▍▌▋▊▉")
}
