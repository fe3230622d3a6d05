import Foundation
import ValetClient
import ValetCommands
import ValetModel

/// Cars that come and go, with owners never seen before: whether a server's memory and log grow.
struct ChurnBench {
    let server: any LoadServer
    let file: String
    /// Inserts and deletes.
    let changes: Int

    /// Of a list this long.
    static let rows = 100_000
    private static let rowsPerCommand = 500
    private static let quarters = 4

    func measure() async throws -> [Measurement] {
        let editor = try await BenchStation.writing(port: server.port, as: 1_900)
        _ = try await editor.watch(
            0, grouping: "owner_last", answersPerSecond: Limits.usualAnswersPerSecond)
        let scout = try await server.connect(as: 1_901)
        var (memory, log): ([Int], Int) = ([], 0)
        var number = 0
        for quarter in 1...Self.quarters {
            while number < changes / Self.quarters * quarter {
                let rowIDs = try await insert(number, editor)
                let outcome = try await editor.submit(
                    .delete(rowIDs.map { RowDeletion(rowID: $0) }))
                guard case .applied = outcome.verdict else { throw Self.refused(outcome) }
                number += 2 * rowIDs.count
                log = max(log, Self.size(of: file + "-wal"))
            }
            memory.append(try await scout.statistics()[.residentBytes] ?? 0)
        }
        await scout.close()
        await editor.close()
        return measurements(memory, log)
    }

    private func insert(_ number: Int, _ editor: BenchStation) async throws -> [Int64] {
        let outcome = try await editor.submit(
            .insert(
                (0..<Self.rowsPerCommand).map { place in
                    [
                        ColumnValue(column: 0, value: .text("Saab")),
                        ColumnValue(column: 6, value: .text("Owner \(number + place)")),
                    ]
                }))
        guard case .applied(let rowIDs) = outcome.verdict else { throw Self.refused(outcome) }
        return rowIDs
    }

    private static func refused(_ outcome: Outcome) -> ValetError {
        ValetError(.unexpected, "a change of the bench is \(outcome.verdict)")
    }

    private static func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int ?? 0
    }

    private func measurements(_ memory: [Int], _ log: Int) -> [Measurement] {
        let first = Double(memory.first ?? 0)
        return memory.enumerated().map { quarter, bytes in
            Measurement(
                id: "edit.churn.\((quarter + 1) * 100 / Self.quarters)",
                name: "server memory after \((quarter + 1) * 100 / Self.quarters) % of the churn",
                unit: .bytes, samples: changes, p50: Double(bytes),
                target: quarter > 0 ? .figure(first * BenchTargets.growthByChurn) : nil)
        } + [
            Measurement(
                id: "edit.churn.log", name: "write-ahead log at its longest", unit: .bytes,
                samples: changes, p50: Double(log),
                target: .figure(Double(Limits.bytesOfWriteAheadLog)))
        ]
    }
}

extension Bench {
    func churned(_ changes: Int) async throws -> [Measurement] {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let path = scratch.file("churned.sqlite")
        try FleetWriter(fleet: Fleet(seed: plan.seed), rows: ChurnBench.rows)
            .write(to: path, replacing: false)
        return try await serving(path) {
            try await ChurnBench(server: $0, file: path, changes: changes).measure()
        }
    }
}
