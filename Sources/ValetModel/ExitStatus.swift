/// The exit codes of all programs.
package enum ExitStatus: Int32 {
    case ok = 0
    case failed = 1
    case usage = 2
    case notFound = 3
    case conflict = 4
    case invalidValue = 5
    case unreachable = 6
    case notAllowed = 7
    case cancelled = 130

    /// The name in JSON errors when no protocol error code applies.
    package var name: String { "\(self)".hyphenated }

    package init(_ code: ErrorCode) {
        switch code {
        case .unknownList, .unknownGrouping, .unknownScope, .unknownColumn, .unknownView,
            .unknownRow, .unknownSection:
            self = .notFound
        case .catalogChanged: self = .conflict
        case .shuttingDown, .tooManyClients, .timedOut, .busy: self = .unreachable
        case .notAllowed, .readOnly, .unauthenticated: self = .notAllowed
        case .limitExceeded, .invalidCondition: self = .invalidValue
        case .malformed, .unsupportedVersion, .unknownKind, .unexpected, .superseded,
            .listUnavailable, .storageFailed, .overBudget, .expired, .outcomeUnknown:
            self = .failed
        }
    }
}
