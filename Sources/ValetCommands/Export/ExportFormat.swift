import ArgumentParser
import ValetModel

/// What an export makes of rows.
enum ExportFormat: Hashable, Sendable, CaseIterable {
    case text(OutputFormat)
    /// A SQLite file with one table.
    case sqlite
    /// A workbook of one sheet, for spreadsheets.
    case xlsx

    static let allCases =
        [.csv, .tsv, .json, .jsonl, .plain, .table].map(text) + [sqlite, xlsx]

    var name: String {
        switch self {
        case .text(let format): format.rawValue
        case .sqlite: "sqlite"
        case .xlsx: "xlsx"
        }
    }

    static let endings = ".csv, .tsv, .json, .jsonl, .xlsx or .sqlite"

    /// The format that a file's name ends in; nil for an end that names none.
    init?(ofFile path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let ending = name.split(separator: ".", omittingEmptySubsequences: false)
            .dropFirst().last?.lowercased()
        switch ending {
        case "csv": self = .text(.csv)
        case "tsv", "tab", "txt": self = .text(.tsv)
        case "json": self = .text(.json)
        case "jsonl", "ndjson": self = .text(.jsonl)
        case "sqlite", "sqlite3", "db": self = .sqlite
        case "xlsx": self = .xlsx
        default: return nil
        }
    }
}

extension ExportFormat: ExpressibleByArgument {
    init?(argument: String) {
        guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = format
    }

    static var allValueStrings: [String] { allCases.map(\.name) }
}
