/// What reads bytes from outside. Each takes any bytes: it ends in a value or in an error of ours,
/// and never in a trap.
enum FuzzTarget: String, CaseIterable {
    /// Frames and their messages, in both directions.
    case frames
    /// A page as a client decodes it.
    case pages
    /// Rows, as a server encodes them and a client decodes them.
    case rows
    /// What a client hears from a server.
    case client
    /// What a server hears from a client.
    case server
    case csv
    /// A catalog file.
    case catalog
    /// Settings, with their keys.
    case settings
    /// Who may connect, and what they may do.
    case access
    case conditions
    /// What a terminal sends.
    case terminal
    /// An entry of the log, and a verdict.
    case log

    /// - Throws: `Broken` when the bytes are read and something does not hold of them.
    func run(_ bytes: [UInt8]) throws {
        switch self {
        case .frames: try Self.readFrames(bytes)
        case .pages: try Self.readPage(bytes)
        case .rows: try Self.passRows(bytes)
        case .client: try Self.hearServer(bytes)
        case .server: try FuzzedServer.hear(bytes)
        case .csv: try Self.readCSV(bytes)
        case .catalog: try Self.readCatalog(bytes)
        case .settings: try Self.readSettings(bytes)
        case .access: try Self.readAccess(bytes)
        case .conditions: try Self.readConditions(bytes)
        case .terminal: try Self.readKeys(bytes)
        case .log: try Self.readLog(bytes)
        }
    }

    /// Of the processor, for one input. A catalog is read by opening a database, and that twice.
    var mostMilliseconds: Int { self == .catalog ? 3_000 : 100 }

    struct Broken: Error {
        let what: String
    }

    static func check(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw Broken(what: what()) }
    }
}
