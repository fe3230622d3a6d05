import ArgumentParser
import ValetClient
import ValetModel

struct AddCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a row.",
        discussion: "Columns that are left out get the table's default. " + CellOptions.discussion)

    @OptionGroup var target: TargetOptions
    @OptionGroup var cells: CellOptions
    @OptionGroup var format: FormatOptions

    var changesRows: Bool { true }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        try await open.submit([.insert([try cells.values(of: list)])], to: list, reporting: writer)
    }
}

struct SetCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set cells of a row.",
        discussion: """
            The row is read first. If somebody changes one of these cells meanwhile, even to the \
            same value, their change stays, and the exit code is 4.

            """ + CellOptions.discussion)

    @OptionGroup var target: TargetOptions

    @Argument(help: "The row id; write -- before one below zero.")
    var id: Int64

    @OptionGroup var cells: CellOptions

    @Flag(help: "Set the cells even if others have changed them.")
    var force = false

    @OptionGroup var format: FormatOptions

    var changesRows: Bool { true }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        let values = try cells.values(of: list)
        let seen =
            force
            ? values.map { _ in SeenValue.anything }
            : try await open.connection.seenValues(values.map(\.column), ofRow: id, in: list)
        let edits = zip(values, seen).map { CellEdit(column: $0.column, value: $0.value, seen: $1) }
        try await open.submit(
            [.update([RowEdit(rowID: id, cells: edits)])], to: list, reporting: writer)
    }
}

struct RemoveCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete rows, without asking.",
        discussion: """
            Up to \(Self.rowsPerCommand) rows are deleted together or not at all.
            """)

    /// A row takes at most eleven bytes of a command's frame.
    private static let rowsPerCommand = 5_000

    @OptionGroup var target: TargetOptions

    @Argument(help: "The row ids; write -- before those below zero.")
    var ids: [Int64]

    @OptionGroup var format: FormatOptions

    var changesRows: Bool { true }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        var named = Set<Int64>()
        let rows = ids.filter { named.insert($0).inserted }.map { RowDeletion(rowID: $0) }
        let changes = stride(from: 0, to: rows.count, by: Self.rowsPerCommand).map {
            Change.delete(Array(rows[$0..<min($0 + Self.rowsPerCommand, rows.count)]))
        }
        try await open.submit(changes, to: list, reporting: writer)
    }
}

struct CheckCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check or uncheck a row.")

    enum State: String, CaseIterable, ExpressibleByArgument {
        case on, off
    }

    @OptionGroup var target: TargetOptions

    @Argument(help: "The row id; write -- before one below zero.")
    var id: Int64

    @Argument(help: "on or off.")
    var state: State

    @Option(
        parsing: .unconditional, help: "The BOOLEAN column, if there are several.",
        completion: NameCompletion.columns)
    var column: String?

    @OptionGroup var format: FormatOptions

    var changesRows: Bool { true }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        let edit = CellEdit(
            column: try checkColumn(of: list), value: .integer(state == .on ? 1 : 0),
            seen: .anything)
        try await open.submit(
            [.update([RowEdit(rowID: id, cells: [edit])])], to: list, reporting: writer)
    }

    private func checkColumn(of list: ListDescription) throws -> Int {
        if let column {
            let chosen = try list.column(named: column)
            guard list.columns[chosen].type == .boolean else {
                throw CommandFailure(
                    .usage, "“\(column)” is not a BOOLEAN column: change it with `valet set`")
            }
            return chosen
        }
        let columns = list.columns.indices.filter { list.columns[$0].type == .boolean }
        guard let first = columns.first else {
            throw CommandFailure(.usage, "“\(list.name)” has no BOOLEAN column to check")
        }
        guard columns.count == 1 else {
            throw CommandFailure(
                .usage, "“\(list.name)” has several BOOLEAN columns; name one with --column",
                alternatives: columns.map { list.columns[$0].name })
        }
        return first
    }
}

extension OpenTarget {
    /// Submits the changes as one act and writes their outcomes.
    func submit(
        _ changes: [Change], to list: ListDescription, namesRows: Bool = true,
        reporting writer: RecordWriter
    ) async throws {
        let records = OutcomeRecords(of: list, namesRows: namesRows, to: writer)
        try records.write(await station.submit(changes, list: list))
    }
}

extension ValetConnection {
    /// What the row's cells in these columns hold now.
    fileprivate func seenValues(
        _ columns: [Int], ofRow rowID: Int64, in list: ListDescription
    ) async throws(ValetError) -> [SeenValue] {
        let cells = try await wholeRow(list: list, rowID: rowID, columns: Set(columns))
        let seen = columns.compactMap { SeenValue(cells[$0]) }
        guard seen.count == columns.count else { throw list.columnsChanged }
        return seen
    }
}
