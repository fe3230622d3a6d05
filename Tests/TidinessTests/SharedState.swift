/// Where the compiler is told to believe that state is shared safely.
enum SharedState {
    /// Each file that may say so, with the reason why it is true there.
    static let reasons = [
        "Sources/ValetArrangement/Tree/OrderTree.swift":
            "nodes are filled before anyone else sees them, and never written again",
        "Sources/ValetServer/Lists/ReaderPool.swift":
            "a reader is handed to nobody but the thread that made it",
        "Sources/ValetServer/Writing/FileWriter.swift":
            "the store's writer is used by nobody but the thread that opened it",
        "Sources/ValetTerminal/Device/SignalNotices.swift":
            "written before the handlers are set, then only read",
        "Sources/ValetTerminal/Device/TerminalRestoration.swift":
            "an atomic pointer to memory that is never freed",
    ]

    private static let claims = ["@unchecked Sendable", "nonisolated(unsafe)"]

    static func complaints(
        about file: SourceFile, reasons: [String: String] = reasons
    ) -> [Complaint] {
        guard file.isSwift, file.target != "TidinessTests" else { return [] }
        let found = claims.flatMap { file.complaints(where: $0, "“\($0)” without a listed reason") }
        switch reasons[file.path] {
        case nil: return found
        case let reason? where reason.isEmpty: return found
        case _? where found.isEmpty:
            return [Complaint(path: file.path, line: nil, message: "has a reason and no claim")]
        case _?: return []
        }
    }

    /// Reasons for files that are gone.
    static func stale(reasons: [String: String] = reasons, paths: [String]) -> [Complaint] {
        reasons.keys.filter { !paths.contains($0) }.sorted()
            .map { Complaint(path: $0, line: nil, message: "has a reason and is not there") }
    }
}
