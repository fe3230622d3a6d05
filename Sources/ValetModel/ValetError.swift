/// The kind of an error. The raw values are the protocol's error codes; a number is never reused.
public enum ErrorCode: UInt16, Sendable, CaseIterable {
    /// A frame or message that breaks the protocol's form. The connection ends.
    case malformed = 1
    case unsupportedVersion = 2
    /// A frame of an odd kind that the receiver does not know.
    case unknownKind = 3
    /// A request beyond a limit; the error names the limit.
    case limitExceeded = 4
    /// A well-formed message at the wrong time: before the welcome, or on a stream in use.
    case unexpected = 5
    case unknownList = 10
    case unknownGrouping = 11
    case unknownScope = 12
    case unknownColumn = 13
    case unknownView = 14
    case unknownRow = 15
    case unknownSection = 16
    /// A condition that its column can't have: the message says why.
    case invalidCondition = 17
    /// Replaced by a newer request or generation of the same view.
    case superseded = 20
    /// The list can't be served: its table is unreadable, or too large to copy.
    case listUnavailable = 21
    /// Storage failed during a request; other requests may still succeed.
    case storageFailed = 22
    case shuttingDown = 23
    /// The server's limit of clients is reached.
    case tooManyClients = 24
    /// The other side is not there, or too slow. The connection ends.
    case timedOut = 25
    case notAllowed = 26
    /// The work took longer than its budget; the error names the limit.
    case overBudget = 27
    /// The server knows who may connect, and not by what the client has shown. The connection ends.
    case unauthenticated = 28
    /// A command that may be older than what the server remembers, or a place in the log that is
    /// not kept.
    case expired = 32
    /// The server takes no changes; the message says why.
    case readOnly = 33
    /// Too many commands at once, or the file is locked; this one was not carried out.
    case busy = 34
    /// A command was made with a catalog that no longer holds. It was not carried out, and never is
    /// under that catalog.
    case catalogChanged = 35
    /// The storage failed while a command was committed, or its file was replaced: it may have been
    /// carried out.
    case outcomeUnknown = 38

    public var name: String { "\(self)".hyphenated }
}

/// An error that says what happened, to what, and which alternatives exist.
public struct ValetError: Error, Hashable, Sendable {
    public var code: ErrorCode
    /// One sentence for a person, without a full stop at the end.
    public var message: String
    /// Valid names, for the unknown-… codes; may be truncated.
    public var alternatives: [String]
    /// How long to wait before the same is asked again, at most `Limits.secondsToRetryAfter`; nil
    /// when the server does not say.
    public var retryAfter: Duration?

    public init(
        _ code: ErrorCode, _ message: String, alternatives: [String] = [],
        retryAfter: Duration? = nil
    ) {
        self.code = code
        self.message = message
        self.alternatives = alternatives
        self.retryAfter = retryAfter
    }

    /// The connection has ended, or there is none: on another one, the same may be asked again.
    public var isOfConnection: Bool { code == .shuttingDown || code == .timedOut }

    /// A request beyond the limit called `name`.
    public static func limit(_ name: String, is limit: Int, asked: Int) -> ValetError {
        ValetError(.limitExceeded, "\(name) is limited to \(limit), asked for \(asked)")
    }
}

extension ValetError: CustomStringConvertible {
    public var description: String {
        alternatives.isEmpty
            ? message : message + ". There are: " + alternatives.joined(separator: ", ")
    }
}
