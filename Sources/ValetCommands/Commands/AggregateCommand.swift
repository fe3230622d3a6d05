import ArgumentParser
import Foundation
import ValetClient
import ValetModel

struct AggregateCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "aggregate",
        abstract: "Show counts, sums, means and other aggregates of columns.",
        discussion: """
            Prints a record for each column, or with --sections for each section and column. \
            Missing values don't count. Sums of integers are exact, even beyond 64 bits; other \
            sums are exact, then rounded once. All records are of one revision.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The columns to aggregate.", completion: NameCompletion.columns)
    var columns: [String]

    @Flag(help: "Show the count; without any of these flags, show all.")
    var count = false

    @Flag(help: "Show the sum of the numbers.")
    var sum = false

    @Flag(help: "Show their mean.")
    var mean = false

    @Flag(help: "Show the least value: the first in order.")
    var least = false

    @Flag(help: "Show the greatest value: the last in order.")
    var greatest = false

    @Flag(help: "Count the different values, ignoring case and accents.")
    var distinct = false

    @Flag(help: "Show them for each section.")
    var sections = false

    private var functions: [AggregateFunction] {
        let chosen = AggregateFunction.allCases.filter { function in
            switch function {
            case .count: count
            case .sum: sum
            case .mean: mean
            case .least: least
            case .greatest: greatest
            case .distinct: distinct
            }
        }
        return chosen.isEmpty ? AggregateFunction.allCases : chosen
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let view = try await open.view(query, isPinned: true)
        writer.names =
            (sections ? ["section", "title"] : []) + ["column", "rows"]
            + functions.map { "\($0)" }
        guard sections else {
            for column in columns {
                let found = try await view.aggregates(of: measures(of: column))
                guard let rows = found.allRows else { continue }
                try writer.write(record(column, rows))
                try await explain(column, rows, in: view)
            }
            return
        }
        var next = 0
        while next < view.summary.totalSections {
            let found = try await sectionRecords(from: next, in: view)
            if found.isEmpty { break }
            for record in found.joined() { try writer.write(record) }
            next += found.count
        }
    }

    /// Says why there is no sum: to a person, who sees an empty field.
    private func explain(
        _ column: String, _ rows: Aggregates.Rows, in view: ValetView
    ) async throws {
        guard isatty(STDERR_FILENO) == 1, rows.count > 0,
            zip(functions, rows.values).contains(where: {
                ($0 == .sum || $0 == .mean) && $1 == .none
            })
        else { return }
        let count = Measure(column: column, function: .count)
        let present = try await view.aggregates(of: [count]).allRows?.values.first
        let isEmpty = present == .cell(.integer(0))
        let words = isEmpty ? "no values" : "no numbers"
        StandardStreams.say("valet: “\(column)” has \(words) here, so there is nothing to add up\n")
    }

    private func measures(of column: String) -> [Measure] {
        functions.map { Measure(column: column, function: $0) }
    }

    private func record(_ column: String, _ rows: Aggregates.Rows) -> OutputRecord {
        [("column", .text(column)), ("rows", .integer(rows.count))]
            + zip(functions, rows.values).map { ("\($0)", .aggregate($1)) }
    }

    /// The records of each section, in order.
    private func sectionRecords(
        from first: Int, in view: ValetView
    ) async throws -> [[OutputRecord]] {
        let summaries = try await view.sections(from: first, count: Limits.sectionsPerAggregates)
        var records: [[OutputRecord]] = summaries.map { _ in [] }
        for column in columns {
            let found = try await view.aggregates(
                of: measures(of: column), ofAllRows: false, sections: summaries.map(\.section)
            ).sections
            for (index, section) in zip(records.indices, found) {
                let name: OutputRecord = [
                    ("section", .integer(section.section)),
                    ("title", .sectionTitle(summaries[index].title)),
                ]
                records[index].append(name + record(column, section.rows))
            }
        }
        return records
    }
}

extension OutputValue {
    static func aggregate(_ value: AggregateValue) -> OutputValue {
        switch value {
        case .none: .null
        case .cell(let cell): .cell(cell)
        case .whole(let number): .whole(number)
        }
    }
}
