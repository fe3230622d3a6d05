import Foundation
import ValetClient
import ValetModel

/// Writes outcomes as records: one for each row that was changed. What was not carried out is an
/// error in words, with its exit code.
struct OutcomeRecords {
    let list: ListDescription
    /// Whether the person named the rows: then one that does not exist is not found.
    let namesRows: Bool
    let writer: RecordWriter

    init(of list: ListDescription, namesRows: Bool, to writer: RecordWriter) {
        self.list = list
        self.namesRows = namesRows
        self.writer = writer
        writer.names = ["id", "revision", "outcome"]
    }

    /// - Throws: the first failure, when all that was carried out is written.
    func write(_ results: [Result<Outcome, ValetError>]) throws {
        var failure: (any Error)?
        var isEmpty = true
        for result in results {
            do {
                let outcome = try result.get()
                for rowID in try rowIDs(of: outcome) {
                    isEmpty = false
                    try writer.write([
                        ("id", .cell(.integer(rowID))),
                        ("revision", .integer(Int(clamping: outcome.revision))),
                        ("outcome", .text("ok")),
                    ])
                }
            } catch {
                failure = failure ?? error
            }
        }
        guard let failure else { return }
        if !isEmpty { try writer.finish() }
        throw failure
    }

    private func rowIDs(of outcome: Outcome) throws -> [Int64] {
        switch outcome.verdict {
        case .applied(let rowIDs): return rowIDs
        case .appliedButFor(let rowIDs, let rest):
            for conflict in rest { StandardStreams.warn("not restored: " + words(conflict)) }
            return rowIDs
        case .conflict(let conflicts):
            let words = conflicts.map(words).joined(separator: "\n")
            // As if the row had been read before.
            if namesRows, conflicts.allSatisfy({ $0.theirs == .rowDeleted }) {
                throw ValetError(.unknownRow, words)
            }
            let ways = outcome.step.map {
                "\n--force \($0) undoes it all the same, --skip \($0) leaves it as it is"
            }
            throw CommandFailure(.conflict, words + (ways ?? ""))
        case .refused(let refusals):
            let words = refusals.map(\.message).joined(separator: "\n")
            let way = outcome.step.map { "\n--skip \($0) leaves it as it is" }
            throw CommandFailure(.invalidValue, words + (way ?? ""))
        }
    }

    private func words(_ conflict: Conflict) -> String {
        let row = "row \(conflict.rowID)"
        let others = Self.others(conflict)
        return switch conflict.theirs {
        case .cell(let cell):
            "“\(columnName(cell.column))” of \(row) is now “\(cell.value.plainText)”\(others)"
                + (conflict.restored.map { ", and was “\($0.plainText)” before" } ?? "")
        case .alreadySo(let cell):
            "“\(columnName(cell.column))” of \(row) was set to “\(cell.value.plainText)” "
                + "already\(others)"
        case .rowChanged: "\(row) has changed\(others)"
        case .rowDeleted:
            "there is no \(row)" + (others.isEmpty ? "" : ": deleted\(others.dropFirst())")
        }
    }

    /// Who it was, and when, as far as it is known.
    private static func others(_ conflict: Conflict) -> String {
        guard conflict.time != 0 else {
            return conflict.station.isEmpty ? "" : ", by “\(conflict.station)”"
        }
        let who = conflict.station.isEmpty ? "another program" : "“\(conflict.station)”"
        return ", by \(who) at \(time(conflict.time))"
    }

    /// The session has checked the number against the catalog that this program read.
    private func columnName(_ column: Int) -> String {
        list.columns.indices.contains(column) ? list.columns[column].name : "column \(column)"
    }

    /// ISO 8601, UTC.
    static func time(_ microseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(microseconds) / 1e6).formatted(.iso8601)
    }
}
