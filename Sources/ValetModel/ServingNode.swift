/// The node of a cluster that a client is connected to.
public struct ServingNode: Hashable, Sendable {
    public enum Condition: Hashable, Sendable {
        /// It has what the cluster's leader has, as far as it has heard.
        case current
        /// It has not had that for so long: its rows are older.
        case behind(seconds: Int)
        /// It takes no changes in any more.
        case outOfService(reason: String)
    }

    /// Untrusted text.
    public var name: String
    public var condition: Condition

    public init(name: String, condition: Condition) {
        (self.name, self.condition) = (name, condition)
    }
}
