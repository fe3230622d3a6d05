import ArgumentParser
import ValetClient
import ValetModel

/// A facet is the sections of another grouping under the same search and conditions.
struct FacetsCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "facets", abstract: "Count how many rows have each value of a column.",
        discussion: """
            Counts the rows of the list, or those of a search and conditions. A share of 0.25 is a \
            quarter. Rows without a value have an empty one, null in JSON. --section counts values \
            together: those of a month, or of a first letter.
            """)

    enum Order: String, CaseIterable, ExpressibleByArgument {
        case count, value
    }

    enum Section: String, CaseIterable, ExpressibleByArgument {
        case wholeValue, firstLetter, year, month, day, hourOfDay

        var expression: SectionExpression {
            switch self {
            case .wholeValue: .wholeValue
            case .firstLetter: .firstLetter
            case .year: .year
            case .month: .month
            case .day: .day
            case .hourOfDay: .hourOfDay
            }
        }
    }

    @OptionGroup var target: TargetOptions
    @OptionGroup var search: SearchOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The column's name.", completion: NameCompletion.columns)
    var column: String

    @Option(help: "What counts as one value.")
    var section = Section.wholeValue

    @Option(help: "The order: most rows first, or as the column sorts.")
    var by = Order.count

    @Option(parsing: .unconditional, help: "Show at most this many values.")
    var top: Int?

    func validate() throws {
        guard top ?? 1 > 0 else { throw ValidationError("--top must be above 0.") }
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        let view = try await open.view(
            of: list,
            Query(
                grouping: column, expression: section.expression, search: search.query,
                conditions: search.conditions(on: list)), isPinned: true)
        guard view.summary.isSectioned else {
            throw CommandFailure(
                .usage, "the scope shows its results without sections: name another with --scope")
        }
        writer.names = ["value", "count", "share"]
        let rows = view.summary.totalRows
        let bar = try await bar(in: view, writer)
        try await view.forEachSection(byCount: by == .count, most: top ?? .max) { section in
            let share = (Double(section.count) / Double(max(1, rows)) * 10_000).rounded() / 10_000
            try writer.write(
                [
                    ("value", value(of: section, writer)), ("count", .integer(section.count)),
                    ("share", .cell(.real(share))),
                ] + bar(section))
        }
    }

    /// A value that is missing is none: a text may read like its title.
    private func value(of section: SectionSummary, _ writer: RecordWriter) -> OutputValue {
        guard section.isUnknown, writer.format != .table else { return .text(section.title) }
        return .null
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
