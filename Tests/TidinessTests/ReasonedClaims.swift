/// What may stand in a file only for a reason that is written down here.
struct ReasonedClaims {
    let claims: [String]
    /// Of each file that may make one of the claims.
    let reasons: [String: String]
    /// The files that are looked at begin with this.
    var folder = ""

    /// Where the compiler is told to believe that state is shared safely.
    static let sharedState = ReasonedClaims(
        claims: ["@unchecked Sendable", "nonisolated(unsafe)"],
        reasons: [
            "Sources/ValetModel/Mutex.swift": "it is a lock",
            "Sources/ValetArrangement/Tree/OrderTree.swift":
                "nodes are filled before anyone else sees them, and never written again",
            "Sources/ValetJetStream/JetStreamLog.swift":
                "the library locks what it gives, and a subscription begins and ends once",
            "Sources/ValetServer/Lists/ReaderPool.swift":
                "a reader is handed to nobody but the thread that made it",
            "Sources/ValetServer/Writing/OpenedWriter.swift":
                "the store's writer is used by nobody but the thread that opened it",
            "Sources/ValetTerminal/Picking/FoundLines.swift":
                "each core changes the lines of its own chunk",
            "Sources/ValetTerminal/Device/SignalNotices.swift":
                "written before the handlers are set, then only read",
            "Sources/ValetTerminal/Device/TerminalRestoration.swift":
                "an atomic pointer to memory that is never freed",
        ])

    /// Where the store opens files beside SQLite. Whoever closes a descriptor of a database drops
    /// all locks that the process has on it.
    static let descriptors = ReasonedClaims(
        claims: ["O_RDONLY", "O_WRONLY", "O_RDWR", "FileHandle(", "fopen("],
        reasons: [
            "Sources/ValetStore/Writing/Ownership.swift": "the file of the lock alone",
            "Sources/ValetStore/SQLite/FilePath.swift": "catalogs alone",
            "Sources/ValetStore/SQLite/LogFiles.swift": "a new file that no database has",
            "Sources/ValetStore/SQLite/LogPages.swift":
                "before this process opens the database for the first time",
            "Sources/ValetStore/Reading/ScratchFolder.swift": "the file of the lock alone",
            "Sources/ValetStore/Backup/OpenedFile.swift": "copies that no connection has open",
            "Sources/ValetStore/Import/CSVFile.swift": "CSV files alone",
            "Sources/ValetStore/Import/ImportedFiles.swift":
                "before the database is opened, and after it was closed",
        ], folder: "Sources/ValetStore/")

    /// What FoundationEssentials does not have: one such word brings all of Foundation into a
    /// program, with 34 MB of data on languages. `FileHandle` also traps where a stream is closed.
    static let foundation = ReasonedClaims(
        claims: [
            "FileHandle", "NSString", "NSError", "NSRegularExpression", "localizedDescription",
            "trimmingCharacters", "components(separatedBy", "CharacterSet", "String(format",
            "TimeZone(", "TimeZone.", "DateFormatter", "NumberFormatter", "PercentEncoding",
            ".contains(\"",
        ],
        reasons: [
            "Sources/ValetReference/ExactNumber.swift": "in the load harness alone",
            "Sources/ValetLoad/Bench/Served/ServedBench+Queries.swift": "in the load harness alone",
            "Sources/ValetLoad/Shared/ServerProcess.swift": "in the load harness alone",
            "Sources/ValetStore/Access/AllowedList.swift": "nothing there sees Foundation",
            "Sources/ValetStore/Refresh/ListSource.swift": "nothing there sees Foundation",
            "Sources/ValetStore/Writing/Deciding/Decider+Affinity.swift": "of an array",
            "Sources/ValetCommands/Commands/CommandRunner.swift": "of an array",
        ], folder: "Sources/")

    func complaints(about file: SourceFile) -> [Complaint] {
        guard file.isSwift, file.target != "TidinessTests", file.path.hasPrefix(folder) else {
            return []
        }
        let found = claims.flatMap { file.complaints(where: $0, "“\($0)” without a listed reason") }
        switch reasons[file.path] {
        case nil: return found
        case let reason? where reason.isEmpty: return found
        case _? where found.isEmpty:
            return [Complaint(path: file.path, message: "has a reason and no claim")]
        case _?: return []
        }
    }

    /// Reasons for files that are gone.
    func stale(paths: [String]) -> [Complaint] {
        reasons.keys.filter { !paths.contains($0) }.sorted()
            .map { Complaint(path: $0, message: "has a reason and is not there") }
    }
}
