import ArgumentParser
import Foundation
import ValetModel
import ValetTerminal

/// Writes records as they come, in constant memory.
final class RecordWriter {
    let format: OutputFormat
    /// Column names for a CSV without records.
    var names: [String] = []
    private let output: StandardOutput
    let isTerminal: Bool
    private var count = 0
    private var table: TableLayout?
    /// The first records of a table, which set the column widths.
    private var waiting: [[OutputValue]] = []
    private static let recordsMeasured = 200

    init(_ format: OutputFormat, output: StandardOutput = StandardOutput()) {
        self.format = format
        self.output = output
        isTerminal = output.isTerminal
    }

    func write(_ record: OutputRecord) throws {
        defer { count += 1 }
        switch format {
        case .jsonl:
            try output.write { bytes in
                JSON.write(record, into: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        case .json:
            try output.write(count == 0 ? "[\n  " : ",\n  ")
            try output.write { JSON.write(record, into: &$0) }
        case .plain:
            try writeLine(of: record, separator: UInt8(ascii: "\t")) { [isTerminal] in
                // One line without tabs, whatever is in the data.
                $1 += Sanitizer().line(of: $0.plainText, isForTerminal: isTerminal).utf8
            }
        case .csv, .tsv:
            if count == 0 { try writeHeader(OutputValue.flattened(record).map(\.name)) }
            try writeFields(of: record)
        case .table:
            let fields = OutputValue.flattened(record)
            if table == nil { table = TableLayout(names: Self.distinct(fields.map(\.name))) }
            waiting.append(fields.map(\.value))
            if count + 1 == Self.recordsMeasured { try beginTable() }
            if count + 1 > Self.recordsMeasured { try flushTable() }
        }
    }

    /// Writes the buffered records; a table keeps its first ones back to measure its columns.
    func flush() throws {
        try output.flush()
    }

    func finish() throws {
        switch format {
        case .json: try output.write(count == 0 ? "[]\n" : "\n]\n")
        case .table: if count > 0, count < Self.recordsMeasured { try beginTable() }
        case .csv, .tsv: if count == 0, !names.isEmpty { try writeHeader(names) }
        case .jsonl, .plain: break
        }
        try output.flush()
    }

    private func beginTable() throws {
        table!.measure(waiting)
        try output.write(table!.header())
        try flushTable()
    }

    private func flushTable() throws {
        for values in waiting { try output.write(table!.line(values)) }
        waiting = []
    }

    private func writeLine(
        of record: OutputRecord, separator: UInt8,
        _ write: (OutputValue, inout [UInt8]) -> Void
    ) throws {
        try output.write { bytes in
            var isFirst = true
            OutputValue.forEachField(of: record) { value in
                if !isFirst { bytes.append(separator) }
                isFirst = false
                write(value, &bytes)
            }
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    private func writeHeader(_ names: [String]) throws {
        try writeFields(of: Self.distinct(names).map { ($0, .text($0)) })
    }

    private func writeFields(of record: OutputRecord) throws {
        let separator = UInt8(ascii: format == .tsv ? "\t" : ",")
        try writeLine(of: record, separator: separator) { [isTerminal] in
            CSV.write($0, separator: separator, isTerminal: isTerminal, into: &$1)
        }
    }

    /// A name that stands again further on gets underscores in front: the columns of a table come
    /// last, and keep theirs. Names count as equal as SQLite sees them, without regard to case.
    static func distinct(_ names: [String]) -> [String] {
        var taken = Set(names.map { $0.lowercased() })
        var seen = Set<String>()
        let fromTheEnd = names.reversed().map { name in
            guard !seen.insert(name.lowercased()).inserted else { return name }
            var other = "_" + name
            while !taken.insert(other.lowercased()).inserted { other = "_" + other }
            return other
        }
        return fromTheEnd.reversed()
    }
}

/// Columns as wide as their widest value, up to a limit; numbers to the right.
struct TableLayout {
    private static let widest = 40
    private let names: [String]
    private var widths: [Int]
    private var isNumeric: [Bool]
    private let sanitizer = Sanitizer()

    init(names: [String]) {
        self.names = names
        widths = names.map { [sanitizer] in min(Self.widest, sanitizer.width(of: $0)) }
        isNumeric = names.map { _ in true }
    }

    mutating func measure(_ records: [[OutputValue]]) {
        for values in records {
            for (column, value) in values.enumerated() where column < widths.count {
                let width = sanitizer.width(of: value.plainText, limit: Self.widest)
                widths[column] = max(widths[column], min(Self.widest, width))
                if case .null = value { continue }
                if case .cell(.null) = value { continue }
                if !value.isNumber { isNumeric[column] = false }
            }
        }
    }

    func header() -> String {
        line(names.map(OutputValue.text))
            + widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ") + "\n"
    }

    func line(_ values: [OutputValue]) -> String {
        var line = ""
        for (column, value) in values.enumerated() {
            if column > 0 { line += "  " }
            let (text, width) = cut(value.plainText)
            let padding = String(repeating: " ", count: max(0, widths[column] - width))
            let isLast = column == values.count - 1
            line += isNumeric[column] ? padding + text : text + (isLast ? "" : padding)
        }
        return line + "\n"
    }

    private func cut(_ text: String) -> (String, width: Int) {
        var cut = ""
        var width = 0
        var isCut = false
        sanitizer.forEachGlyph(in: text) { glyph in
            if width + glyph.width > Self.widest {
                isCut = true
                return false
            }
            cut.append(glyph.character)
            width += glyph.width
            return true
        }
        if isCut, let last = cut.popLast() {
            width -= sanitizer.width(of: String(last))
            cut += "…"
            width += 1
        }
        return (cut, width)
    }
}

enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table, plain, csv, tsv, json, jsonl

    /// A table for people, tab-separated fields for a pipe.
    static var standard: OutputFormat { isatty(STDOUT_FILENO) == 1 ? .table : .plain }
}

struct FormatOptions: ParsableArguments {
    @Option(help: "table, plain (tab separated), csv, tsv, json or jsonl; a table on a terminal.")
    var format: OutputFormat?

    var chosen: OutputFormat { format ?? .standard }
}
