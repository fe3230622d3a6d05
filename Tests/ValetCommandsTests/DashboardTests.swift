import Foundation
import Testing

/// The dashboard shows what there is.
@Suite struct DashboardTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardizedFileURL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
    }

    @Test func itsMetricsAreTheServers() throws {
        let dashboard = try text("ValetCommands/Valet.docc/Resources/grafana.json")
        #expect(try JSONSerialization.jsonObject(with: Data(dashboard.utf8)) is [String: Any])
        let code = try text("ValetServer/Watching/OpenMetrics.swift")
        let used = dashboard.matches(of: /valet_([a-z_]+?)(_total|_bucket|_count)?[{,\[]/)
        #expect(used.count > 20)
        for name in Set(used.map { String($0.1) }) {
            #expect(code.contains("\"\(name)\"") || code.contains("\"valet_\(name)\""), "\(name)")
        }
    }
}
