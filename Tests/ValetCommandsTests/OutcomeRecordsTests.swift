import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetCommands

@Suite struct OutcomeRecordsTests {
    private static let list = ListDescription(
        name: "cars", title: "Cars", columns: [ColumnDescription(name: "fuel", type: .real)],
        titleColumn: nil, groupings: [], scopes: [], cell: .columns)

    /// What is written, and the failure.
    private func write(
        _ verdicts: [Verdict], _ format: OutputFormat = .jsonl, namesRows: Bool = false,
        step: UInt64? = nil
    ) throws -> (text: String, failure: CommandFailure?) {
        let results = verdicts.map {
            Result<Outcome, ValetError>.success(
                Outcome(revision: 7, time: 0, verdict: $0, step: step))
        }
        var failure: CommandFailure?
        let text = try written(format) { writer in
            do {
                try OutcomeRecords(of: Self.list, namesRows: namesRows, to: writer).write(results)
                try writer.finish()
            } catch let error as CommandFailure {
                failure = error
            }
        }
        return (text, failure)
    }

    @Test func eachRowIsARecord() throws {
        let written = try write([.applied(rowIDs: [1, -2]), .applied(rowIDs: [3])])
        #expect(
            written.text == """
                {"id": 1, "revision": 7, "outcome": "ok"}
                {"id": -2, "revision": 7, "outcome": "ok"}
                {"id": 3, "revision": 7, "outcome": "ok"}

                """)
        #expect(written.failure == nil)
    }

    @Test func anUndoThatIsNotCarriedOutSaysWhatToSay() throws {
        let conflict = Verdict.conflict([
            Conflict(rowID: 3, theirs: .rowChanged, station: "bo", time: 0)
        ])
        let failure = try write([conflict], step: 17).failure
        #expect(failure?.error.contains("\n--force 17 undoes it all the same") == true)
        #expect(failure?.error.contains("--skip 17 leaves it as it is") == true)
        let refused = Verdict.refused([Refusal(row: 0, column: nil, message: "too long")])
        #expect(
            try write([refused], step: 17).failure?.error
                == "too long\n--skip 17 leaves it as it is")
        #expect(try write([refused]).failure?.error == "too long")
    }

    @Test func theOtherOutcomesAreWrittenWhenOneFails() throws {
        let refusal = Refusal(row: 0, column: 0, message: "“fuel” is 95, not below 90")
        let refused = Verdict.refused([refusal])
        let written = try write([.applied(rowIDs: [1]), refused, .applied(rowIDs: [3])], .json)
        #expect(written.text.hasPrefix("[\n") && written.text.hasSuffix("\n]\n"))
        #expect(written.text.contains(#""id": 3"#))
        #expect(written.failure?.status == .invalidValue)
        #expect(written.failure?.error == refusal.message)
        #expect(try write([refused], .json).text == "")
    }

    @Test(
        arguments: [
            (
                .cell(ColumnValue(column: 0, value: .real(40))), "bo", 1_700_000_000_000_000,
                "“fuel” of row 4 is now “40.0”, by “bo” at 2023-11-14T22:13:20Z"
            ),
            (
                .rowChanged, "", 1_700_000_000_000_000,
                "row 4 has changed, by another program at 2023-11-14T22:13:20Z"
            ),
            (
                .alreadySo(ColumnValue(column: 0, value: .real(40))), "bo", 1_700_000_000_000_000,
                "“fuel” of row 4 was set to “40.0” already, by “bo” at 2023-11-14T22:13:20Z"
            ),
            (.rowDeleted, "", 0, "there is no row 4"),
            (.rowDeleted, "bo", 0, "there is no row 4: deleted by “bo”"),
            (.cell(ColumnValue(column: 9, value: .null)), "", 0, "“column 9” of row 4 is now “”"),
        ] as [(Conflict.Theirs, String, Int64, String)])
    func aConflictSaysWhatWhoAndWhen(
        theirs: Conflict.Theirs, station: String, time: Int64, words: String
    ) throws {
        let conflict = Conflict(rowID: 4, theirs: theirs, station: station, time: time)
        let written = try write([.conflict([conflict])])
        #expect(written.failure?.status == .conflict)
        #expect(written.failure?.error == words)
        #expect(written.text == "")
    }

    @Test func aRowThatWasNamedAndDoesNotExistIsNotFound() throws {
        let conflicts = [Conflict.Theirs.rowDeleted, .rowChanged].map {
            Conflict(rowID: 4, theirs: $0, station: "", time: 0)
        }
        let error = #expect(throws: ValetError.self) {
            try write([.conflict([conflicts[0]])], namesRows: true)
        }
        #expect(error == ValetError(.unknownRow, "there is no row 4"))
        let both = try write([.conflict(conflicts)], namesRows: true)
        #expect(both.failure?.status == .conflict)
    }
}
