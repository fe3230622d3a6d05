import ArgumentParser
import ValetClient
import ValetModel

struct RowsCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows", abstract: "Show rows from any place of a list.",
        discussion: """
            Rows are counted from 0, without headers; in a search, only the matches are. A range \
            is cut at the ends of the list or section, not shifted. Long values are cut in a table \
            only. All rows are of one moment, whatever changes meanwhile.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var format: FormatOptions

    @Option(
        parsing: .unconditional,
        help: "Only the first section with this title.")
    var section: String?

    @Option(
        parsing: .unconditional,
        help: "Only the section with this number in `valet sections`.")
    var sectionOrdinal: Int?

    @Option(
        parsing: .unconditional,
        help: "The first row, from 0; inside the section, if one is named.")
    var at = 0

    @Option(parsing: .unconditional, help: "How many rows (default: all that follow).")
    var count: Int?

    func validate() throws {
        guard at >= 0, count ?? 0 >= 0 else {
            throw ValidationError("--at and --count must not be negative.")
        }
        guard sectionOrdinal ?? 0 >= 0 else {
            throw ValidationError("--section-ordinal must not be negative.")
        }
        guard section == nil || sectionOrdinal == nil else {
            throw ValidationError("Use --section or --section-ordinal, not both.")
        }
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        let view = try await open.view(of: list, query.query(of: list), isPinned: true)
        let range = try await range(in: view)
        let rows = RowRecords(
            connection: open.connection, list: list, view: view,
            keepsCuts: writer.format == .table)
        writer.names = rows.names
        let rowsPerWindow = open.connection.server.rowsPerWindow
        try await view.forEachWindow(in: range, rowsPerWindow: rowsPerWindow) { window in
            for record in try await rows.records(of: window) { try writer.write(record) }
        }
    }

    private func range(in view: ValetView) async throws -> Range<Int> {
        var bounds = 0..<view.summary.totalRows
        if let found = try await chosenSection(in: view) {
            bounds = found.first..<found.first + found.count
        }
        return Self.range(of: bounds, at: at, count: count)
    }

    private func chosenSection(in view: ValetView) async throws -> SectionSummary? {
        if let section { return try await view.section(titled: section) }
        guard let sectionOrdinal else { return nil }
        if let found = try await view.sections(from: sectionOrdinal, count: 1).first {
            return found
        }
        throw ValetError(
            .unknownSection,
            "there is no section \(sectionOrdinal): there are \(view.summary.totalSections)")
    }

    /// The part of `bounds` that begins `at` rows in, cut at its end and not shifted; all of the
    /// rest without a `count`.
    static func range(of bounds: Range<Int>, at: Int, count: Int?) -> Range<Int> {
        let first = bounds.lowerBound + min(at, bounds.count)
        return first..<first + min(count ?? .max, bounds.upperBound - first)
    }
}

struct GetCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show a whole row, by its id.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The row id; write -- before one below zero.")
    var id: Int64

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        let cells = try await open.connection.wholeRow(list: list, rowID: id)
        try writer.write([
            ("id", .cell(.integer(id))),
            (
                "cells",
                RowRecords.object(
                    list.orderedColumns.map { list.columns[$0].name },
                    list.orderedColumns.map { cells[$0] })
            ),
        ])
    }
}
