/// How far a refresh is.
public struct RefreshProgress: Hashable, Sendable {
    /// What is done now. The raw values are the protocol's.
    public enum Stage: UInt8, Sendable, CaseIterable {
        /// Counted in bytes.
        case loading = 0
        /// Counted in rows, as the next.
        case comparing = 1
        case changing = 2
    }

    public var stage: Stage
    public var done: Int
    /// nil if that is not known.
    public var total: Int?

    public init(stage: Stage, done: Int, total: Int?) {
        self.stage = stage
        self.done = done
        self.total = total
    }
}

/// How a refresh ended.
public enum RefreshEnding: Hashable, Sendable {
    /// The list has the rows of its source.
    case done(added: Int, changed: Int, removed: Int)
    /// The reason, for a person. The rows are as they were.
    case failed(String)
    case cancelled
}
