import ValetModel

/// What a script learns from how the program ended.
enum ExitStatus: Int32 {
    case succeeded = 0
    case failed = 1
    case wrongUse = 2
    case notFound = 3
    case invalidValue = 5
    case unreachable = 6
    case notAllowed = 7
    case cancelled = 130

    init(_ code: ErrorCode) {
        self =
            switch code {
            case .unknownList, .unknownGrouping, .unknownScope, .unknownColumn, .unknownView,
                .unknownRow, .unknownSection:
                .notFound
            case .limitExceeded: .invalidValue
            case .shuttingDown, .tooManyClients, .timedOut: .unreachable
            case .notAllowed: .notAllowed
            case .malformed, .unsupportedVersion, .unknownKind, .unexpected, .superseded,
                .listUnavailable, .storageFailed:
                .failed
            }
    }
}
