/// For how long a node has not had what its cluster's leader has, as far as it has heard. All times
/// are in milliseconds.
package struct NodeDelay: Sendable {
    /// Of how far leaders were, as they said it: what the node does not have yet, oldest first.
    private var heard: [(place: UInt64, at: Int64)] = []
    private var currentAt: Int64
    private static let most = 64

    package init(at now: Int64) { currentAt = now }

    /// A leader says how far it is.
    package mutating func heard(_ place: UInt64, at now: Int64) {
        // Of those that come while these wait, a later one will do.
        if heard.count < Self.most { heard.append((place, now)) }
    }

    /// The file has what is up to a place.
    package mutating func has(_ place: UInt64) {
        while let first = heard.first, first.place <= place {
            currentAt = max(currentAt, first.at)
            heard.removeFirst()
        }
    }

    /// This node leads, so nobody has more.
    package mutating func leads(at now: Int64) {
        heard = []
        currentAt = max(currentAt, now)
    }

    package func milliseconds(at now: Int64) -> Int64 { max(now - currentAt, 0) }
}
