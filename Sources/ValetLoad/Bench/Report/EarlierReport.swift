import Foundation
import ValetModel
import ValetStore
import ValetTerminal

/// What a report is compared with: what another run printed as JSON.
struct EarlierReport: Decodable {
    private struct Figure: Decodable {
        var id: String
        var unit: String
        var p50: Double?
    }

    private var rows: Int
    private var measurements: [Figure]

    private static let mostBytes = 4 << 20

    /// - Throws: `CommandFailure` when there is no such file, `ValetError` when it is no report.
    static func read(_ path: String) throws -> EarlierReport {
        try requireFile(path)
        let bytes: Data?
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            bytes = try file.read(upToCount: mostBytes)
        } catch {
            throw ValetError(.storageFailed, "can't read “\(path)”: \(error.localizedDescription)")
        }
        do {
            return try JSONDecoder().decode(EarlierReport.self, from: bytes ?? Data())
        } catch {
            throw ValetError(
                .malformed, "“\(path)” is no report: make one with bench --format json > FILE")
        }
    }

    /// The report with the change of each figure that both have.
    func compared(to report: BenchReport, as name: String) -> BenchReport {
        var report = report
        let figures = Dictionary(measurements.map { ($0.id, $0) }) { first, _ in first }
        for index in report.measurements.indices {
            let now = report.measurements[index]
            guard let before = figures[now.id], before.unit == now.unit.rawValue,
                let old = before.p50, let new = now.p50, old > 0
            else { continue }
            report.measurements[index].change = Change(part: new / old - 1, of: now)
        }
        report.earlier = name + (rows == report.rows ? "" : ", which is of \(rows.grouped) rows")
        return report
    }
}

/// How a figure differs from an earlier one: 0.1 is a tenth more.
struct Change: Hashable, Sendable, Encodable {
    var part: Double
    /// True when the change is larger than the noise between runs of the same program.
    var isWorse: Bool

    init(part: Double, of measurement: Measurement) {
        self.part = part
        let worse = measurement.unit.isMoreBetter ? -part : part
        isWorse = worse > Self.noise(in: measurement)
    }

    /// Measured differences between runs of the same program on two shared processors. Bytes hardly
    /// differ; times of single requests depend on which processors the two processes run on.
    private static func noise(in measurement: Measurement) -> Double {
        switch (measurement.unit, measurement.part) {
        case (.bytesPerRow, _): 0.03
        case (_, .lookup), (_, .open), (_, .edit): 0.5
        case (_, _): 0.25
        }
    }
}
