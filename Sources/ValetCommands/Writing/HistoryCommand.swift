import ArgumentParser
import ValetModel

struct HistoryCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "The changes of a list, or of a row, newest first.",
        discussion: """
            For each row that a change touched: revision, time (UTC), station (empty for another \
            program), op (insert, update, delete, or unknown), id, and the cells before and after. \
            Long values are cut.
            """)

    @OptionGroup var target: TargetOptions

    @Argument(help: "Only changes of this row; write -- before an id below zero.")
    var id: Int64?

    @Option(parsing: .unconditional, help: "How many; all that are kept when left out.")
    var count: Int?

    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard count ?? 0 >= 0 else { throw ValidationError("--count must not be negative.") }
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        writer.names = ["revision", "time", "station", "op", "id", "cells"]
        var wanted = count ?? .max
        var before: LogPosition?
        while wanted > 0 {
            let history = try await open.connection.history(
                of: list.name, rowID: id, before: before,
                most: min(wanted, Limits.changesPerAnswer))
            for change in history.changes {
                try writer.write(record(of: change, in: list, writer.format))
            }
            guard history.hasMore, let last = history.changes.last else { return }
            before = last.position
            wanted -= history.changes.count
        }
    }

    private func record(
        of change: LoggedChange, in list: ListDescription, _ format: OutputFormat
    ) throws(ValetError) -> OutputRecord {
        let cells = change.effect?.cells ?? []
        try list.check(columns: cells.map(\.column))
        return [
            ("revision", .integer(Int(clamping: change.position.revision))),
            ("time", .text(OutcomeRecords.time(change.time))),
            ("station", .text(change.station)),
            ("op", .text(change.effect.map { Self.name(of: $0.kind) } ?? "unknown")),
            ("id", change.effect.map { .cell(.integer($0.rowID)) } ?? .null),
            ("cells", Self.cells(cells, in: list, format)),
        ]
    }

    /// Programs get each cell's values before and after, people a line.
    private static func cells(
        _ cells: [CellChange], in list: ListDescription, _ format: OutputFormat
    ) -> OutputValue {
        switch format {
        case .json, .jsonl:
            .object(
                cells.map {
                    (list.columns[$0.column].name, .list([.cell($0.before), .cell($0.after)]))
                })
        case .table, .plain, .csv:
            .text(
                cells.map {
                    "\(list.columns[$0.column].name): \($0.before.plainText) → "
                        + $0.after.plainText
                }.joined(separator: "; "))
        }
    }

    private static func name(of kind: RowEffect.Kind) -> String {
        switch kind {
        case .inserted: "insert"
        case .updated: "update"
        case .deleted: "delete"
        }
    }
}
