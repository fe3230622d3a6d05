import Foundation
import ValetClient
import ValetModel

/// Measures a server as its users meet it: requests go over TCP, times end when rows are decoded.
///
/// The parts run one after the other, with one request under way at a time, so that a figure is the
/// time of that request alone. Places and needles come from the seed.
package struct Bench: Sendable {
    static let list = FleetWriter.table

    let plan: BenchPlan
    let file: String
    private let start: ServerStarter

    package init(plan: BenchPlan, file: String, start: @escaping ServerStarter) {
        self.plan = plan
        self.file = file
        self.start = start
    }

    func run() async throws -> Report {
        let load = Self.loadAverage()
        var opens = OpenTimes()
        for number in 1..<plan.starts {
            StatusLine.show("bench: open, \(number) of \(plan.starts)")
            let server = try await start(file)
            do {
                _ = try await opens.measure(server)
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
        }
        StatusLine.show("bench: open, \(plan.starts) of \(plan.starts)")
        let server = try await start(file)
        do {
            let report = try await measure(server, &opens, loadBefore: load)
            await server.stop()
            StatusLine.show("bench: SQLite alone")
            return try SQLiteBench(plan: plan, file: file).added(to: report)
        } catch {
            await server.stop()
            throw error
        }
    }

    private func measure(
        _ server: any LoadServer, _ opens: inout OpenTimes, loadBefore load: Double?
    ) async throws -> Report {
        let groupings = try await opens.measure(server)
        guard opens.rows >= BenchPlan.fewestRows else {
            throw ValetError(
                .notAllowed,
                "“\(file)” has \(opens.rows) cars: a bench needs \(BenchPlan.fewestRows)")
        }
        var report = Report(
            rows: opens.rows, seed: plan.seed, system: Self.system,
            processors: ProcessInfo.processInfo.activeProcessorCount, loadBefore: load)
        report.measurements += opens.measurements
        let (byLetter, byModel) = (groupings[0], groupings.first { $0 == "model" } ?? groupings[0])
        let windows = WindowBench(plan: plan, server: server, rows: opens.rows)
        StatusLine.show("bench: windows")
        report.measurements += try await windows.measure(byLetter, tenthsOf: byModel)
        StatusLine.show("bench: scrolling")
        report.measurements += try await windows.scroll(byModel)
        StatusLine.show("bench: look-ups")
        report.measurements += try await LookupBench(
            plan: plan, server: server, rows: opens.rows, grouping: byModel
        ).measure()
        StatusLine.show("bench: searches")
        report.measurements += try await SearchBench(
            plan: plan, server: server, rows: opens.rows, grouping: byLetter,
            needles: Needles(file: file, seed: plan.seed, rows: opens.rows)
        ).measure()
        report.measurements += opens.memory
        return report
    }

    /// Of the last minute. A machine that is busy with something else measures that too.
    private static func loadAverage() -> Double? {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : nil
    }

    private static var system: String {
        #if DEBUG
            let build = ", debug build"
        #else
            let build = ""
        #endif
        return ProcessInfo.processInfo.operatingSystemVersionString + build
    }
}
