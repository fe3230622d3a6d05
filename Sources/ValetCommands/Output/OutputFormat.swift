import ArgumentParser
import Foundation

enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table, plain, csv, json, jsonl

    /// A table for people, tab-separated fields for a pipe.
    static var standard: OutputFormat { isatty(STDOUT_FILENO) == 1 ? .table : .plain }
}

struct FormatOptions: ParsableArguments {
    @Option(help: "table, plain (tab separated), csv, json or jsonl; a table on a terminal.")
    var format: OutputFormat?

    var chosen: OutputFormat { format ?? .standard }
}
