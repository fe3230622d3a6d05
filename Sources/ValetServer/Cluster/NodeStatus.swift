import ValetCluster
import ValetModel

/// What a node of a cluster is started with.
package struct ClusterMembership: Sendable {
    package var name: String
    package var log: any CommandLog
    package var times = ClusterNode.Times()
    package var placesPerMark = Limits.placesPerContentMark
    /// Called, on any thread, when the node's status has changed.
    package var changed: @Sendable (NodeStatus) -> Void = { _ in }

    /// - Parameter name: another for each node.
    package init(name: String, log: any CommandLog) { (self.name, self.log) = (name, log) }
}

/// What one node knows of its cluster.
package struct NodeStatus: Equatable, Sendable {
    package var role: ClusterNode.Role
    /// The name of the leader that was heard last.
    package var leader: String?
    package var epoch: UInt64
    /// How far the file has taken the log in.
    package var place: UInt64
    /// How far the leader was when it was heard last.
    package var leaderPlace: UInt64

    /// Places of the log that the file does not have yet.
    package var lag: UInt64 { leaderPlace > place ? leaderPlace - place : 0 }
}

extension ClusterNode.Role {
    /// What is said of it when it begins; nil for one that passes.
    var words: String? {
        switch self {
        case .following: "this node follows the cluster's log"
        case .standing: nil
        case .leading: "this node leads the cluster"
        case .outOfService: "this node is out of service"
        }
    }
}

extension ValetError {
    /// Whether the file is not what the log says, or can't be written by this process: trying again
    /// would not help.
    var isOfContent: Bool {
        switch code {
        case .catalogChanged, .expired, .readOnly, .notAllowed, .unexpected: true
        default: false
        }
    }
}
