import ValetModel

/// Entries of a list's log as records.
struct ChangeRecords {
    let list: ListDescription
    let format: OutputFormat

    static let historyNames = ["revision", "time", "station", "op", "id", "cells"]

    func historyRecord(of change: LoggedChange) throws(ValetError) -> OutputRecord {
        [
            ("revision", .integer(Int(clamping: change.position.revision))),
            ("time", .text(OutcomeRecords.time(change.time))),
            ("station", .text(change.station)), ("op", .text(Self.name(of: change.effect?.kind))),
            ("id", id(of: change)), ("cells", try cells(of: change)),
        ]
    }

    static let feedNames = ["revision", "op", "id", "from", "to", "cells", "station", "time"]

    /// `from` and `to` are places in a grouping, which a log does not have.
    func feedRecord(of change: LoggedChange) throws(ValetError) -> OutputRecord {
        [
            ("revision", .integer(Int(clamping: change.position.revision))),
            ("op", .text(Self.name(of: change.effect?.kind))), ("id", id(of: change)),
            ("from", .null), ("to", .null), ("cells", try cells(of: change)),
            ("station", .text(change.station)),
            ("time", .text(OutcomeRecords.time(change.time))),
        ]
    }

    private func id(of change: LoggedChange) -> OutputValue {
        change.effect.map { .cell(.integer($0.rowID)) } ?? .null
    }

    /// Programs get each cell's values before and after, people a line.
    private func cells(of change: LoggedChange) throws(ValetError) -> OutputValue {
        let cells = change.effect?.cells ?? []
        try list.check(columns: cells.map(\.column))
        return switch format {
        case .json, .jsonl:
            .object(
                cells.map {
                    (list.columns[$0.column].name, .list([.cell($0.before), .cell($0.after)]))
                })
        case .table, .plain, .csv, .tsv:
            .text(
                cells.map {
                    "\(list.columns[$0.column].name): \($0.before.plainText) → "
                        + $0.after.plainText
                }.joined(separator: "; "))
        }
    }

    private static func name(of kind: RowEffect.Kind?) -> String {
        switch kind {
        case .inserted: "insert"
        case .updated: "update"
        case .deleted: "delete"
        case nil: "unknown"
        }
    }
}
