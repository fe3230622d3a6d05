import ArgumentParser
import ValetCommands

/// How a report is printed.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json

    func text(of report: some Encodable, table: () -> String) throws -> String {
        switch self {
        case .table: table()
        case .json: try JSON.line(of: report)
        }
    }
}
