import ArgumentParser
import ValetClient
import ValetModel

struct HistoryCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the changes of a list, or of a row, newest first.",
        discussion: """
            For each row that a change touched: revision, time (UTC), station, op (insert, \
            update, delete, or unknown), id, and the cells before and after. Long values are cut. \
            Changes of other programs are not included.
            """)

    @OptionGroup var target: TargetOptions

    @Argument(help: "Only changes of this row; write -- before an id below zero.")
    var id: Int64?

    @Option(parsing: .unconditional, help: "How many changes (default: all that are kept).")
    var count: Int?

    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard count ?? 0 >= 0 else { throw ValidationError("--count must not be negative.") }
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        writer.names = ChangeRecords.historyNames
        let records = ChangeRecords(list: list, format: writer.format)
        var wanted = count ?? .max
        var before: LogPosition?
        while wanted > 0 {
            let history = try await open.connection.history(
                of: list.name, rowID: id, before: before,
                most: min(wanted, Limits.changesPerAnswer))
            if before == nil, history.changes.isEmpty, !history.hasMore, let id {
                try await checkRow(id, of: list, over: open.connection)
            }
            for change in history.changes {
                try writer.write(records.historyRecord(of: change))
            }
            guard history.hasMore, let last = history.changes.last else { return }
            before = last.position
            wanted -= history.changes.count
        }
    }

    /// A row that exists may have no history.
    private func checkRow(
        _ id: Int64, of list: ListDescription, over connection: ValetConnection
    ) async throws(ValetError) {
        do {
            _ = try await connection.detail(list: list.name, rowID: id)
        } catch {
            guard error.code == .unknownRow else { throw error }
            throw ValetError(.unknownRow, "there is no row \(id), and no history of it")
        }
    }
}
