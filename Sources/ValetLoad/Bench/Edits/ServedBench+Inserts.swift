import Foundation
import ValetCommands
import ValetModel
import ValetTerminal

/// Rows a second that commands of a thousand rows each put into the list, while two stations watch
/// and one looks around.
extension ServedBench {
    private static let rowsPerInsert = 1_000

    func inserts() async throws -> [Measurement] {
        let editor = try await writer(800)
        let watchers = try await watchers(
            2, from: 801, answersPerSecond: Limits.usualAnswersPerSecond)
        let fleet = Fleet(seed: plan.seed &+ 1)
        let count = plan.rowsInserted / Self.rowsPerInsert
        let (commits, windows) = try await looking(as: 803, pause: .milliseconds(5)) {
            try await editor.edit(EditPlan(inFlight: 4, count: count)) { number in
                let first = number * Self.rowsPerInsert
                return .insert(
                    (first..<first + Self.rowsPerInsert).map { fleet.car(at: $0).values })
            }
        }
        for watcher in watchers {
            try await watcher.station.isWhole(at: commits.last?.revision ?? 0)
        }
        await watchers.close()
        await editor.close()
        let seconds = (commits.last?.sinceStart ?? .zero) / .seconds(1)
        return [
            Measurement(
                "edit.insert", "rows inserted a second",
                Double(plan.rowsInserted) / max(seconds, 1e-6), .perSecond,
                of: plan.rowsInserted,
                note: "commands of \(Self.rowsPerInsert.grouped) rows, 4 under way; "
                    + "2 stations watch"),
            Measurement("edit.insert.window", "window at a random place meanwhile", windows),
        ]
    }
}

extension Car {
    /// What an insert sets.
    var values: [ColumnValue] {
        let cells: [Cell?] = [
            make.map { .text($0) }, model.map { .text($0) }, year.map { .integer($0) },
            fuel.map { .real($0) }, parked.map { .integer($0) }, ownerFirst.map { .text($0) },
            ownerLast.map { .text($0) },
        ]
        return cells.enumerated().map { ColumnValue(column: $0.offset, value: $0.element ?? .null) }
    }
}

/// Commands that each change almost ten thousand rows, while eight stations show the list in eight
/// orders and one looks around.
extension ServedBench {
    private static let groupings = [
        "None", "make", "model", "year", "fuel", "parked", "owner_first", "owner_last",
    ]

    func largeEdits() async throws -> [Measurement] {
        let model = try await mostRows()
        let editor = try await writer(820)
        let watchers = try await watchers(Self.groupings.count, from: 821, by: Self.groupings)
        let condition = Condition(column: "model", .isOneOf, [.text(model.title)])
        let (edits, windows) = try await looking(as: 840, pause: .milliseconds(1)) {
            try await Latencies.of(0..<plan.largeEdits) { number in
                // Other fuel moves all of them in one of the orders.
                let fuel = ColumnValue(column: 3, value: .real(Double(1_000 + number)))
                _ = try await editor.submit(.updateMatching(Query(conditions: [condition]), [fuel]))
            }
        }
        await watchers.close()
        await editor.close()
        return [
            Measurement("edit.large", "\(model.count.grouped) rows changed at once", edits),
            Measurement("edit.large.window", "window meanwhile, 8 orders shown", windows),
        ]
    }

    /// The model with the most cars that one command may change, as the server counts them: cars
    /// have been put into its list by now.
    private func mostRows() async throws -> SectionSummary {
        let models = try await viewing(as: 819, Self.grouping) { _, view in
            try await view.largestSections(from: 0, count: Limits.sectionsPerAnswer)
        }
        guard let model = models.first(where: { $0.count <= Limits.rowsPerCommand }) else {
            throw ValetError(.unexpected, "no model has so few cars that one command changes them")
        }
        return model
    }
}

/// Cars that come and go, with owners never seen before: whether a server's memory and log grow.
extension ServedBench {
    private static let rowsPerCommand = 500
    private static let quarters = 4

    /// - Parameter changes: inserts and deletes.
    func churn(_ changes: Int) async throws -> [Measurement] {
        let editor = try await writer(1_900)
        _ = try await Watcher(
            editor, 0, by: "owner_last", answersPerSecond: Limits.usualAnswersPerSecond)
        var measurements: [Measurement] = []
        var (number, log, first) = (0, 0, 0.0)
        for quarter in 1...Self.quarters {
            while number < changes / Self.quarters * quarter {
                let cars = (0..<Self.rowsPerCommand).map { place in
                    [
                        ColumnValue(column: 0, value: .text("Saab")),
                        ColumnValue(column: 6, value: .text("Owner \(number + place)")),
                    ]
                }
                let rowIDs = try await editor.submit(.insert(cars)).appliedRowIDs()
                _ = try await editor.submit(.delete(rowIDs.map { RowDeletion(rowID: $0) }))
                    .appliedRowIDs()
                number += 2 * rowIDs.count
                let attributes = try? FileManager.default.attributesOfItem(atPath: file + "-wal")
                log = max(log, attributes?[.size] as? Int ?? 0)
            }
            let memory = Double(try await statistics()[.residentBytes] ?? 0)
            if quarter == 1 { first = memory }
            let percent = quarter * 100 / Self.quarters
            measurements.append(
                Measurement(
                    "edit.churn.\(percent)", "server memory after \(percent) % of the churn",
                    memory, .bytes, of: changes,
                    target: quarter > 1 ? .figure(first * BenchTargets.growthByChurn) : nil))
        }
        await editor.close()
        return measurements + [
            Measurement(
                "edit.churn.log", "write-ahead log at its longest", Double(log), .bytes,
                of: changes)
        ]
    }
}

extension Bench {
    /// Of a list this long.
    private static let rowsOfChurn = 100_000

    func churned(_ changes: Int) async throws -> [Measurement] {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let path = scratch.file("churned.sqlite")
        try FleetWriter(fleet: Fleet(seed: plan.seed), rows: Self.rowsOfChurn)
            .write(to: path, replacing: false)
        return try await serving(path, Self.rowsOfChurn, "churn") { try await $0.churn(changes) }
    }
}
