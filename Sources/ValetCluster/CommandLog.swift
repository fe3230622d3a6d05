/// The log of a cluster, as a node reaches it: messages at places that are counted from 1. What was
/// stored at a place stays there until it is purged with all before it.
///
/// Calls block, some for seconds. Only what is read says what the log has.
package protocol CommandLog: AnyObject, Sendable {
    /// Publishes a message, if the last place is `place`. It may be stored whatever comes of this,
    /// also later, and more than once.
    func publish(_ message: [UInt8], after place: UInt64)

    func look(at place: UInt64) -> ClusterNode.Look

    /// Some messages from a place on.
    func read(from place: UInt64) -> LogReading

    /// How far it goes, as its servers say.
    func ends() -> LogLook

    /// Forgets what is before a place. False if that could not be done.
    func purge(keepingFrom place: UInt64) -> Bool

    // MARK: Outside the log. Nothing of this blocks, and all of it may be lost.

    /// Tells the other nodes.
    func say(_ news: NodeNews)

    /// Asks a node by its name. `take` is called once, on any thread: with nil if there was no
    /// answer in time.
    func ask(_ node: String, _ question: [UInt8], _ take: @escaping @Sendable ([UInt8]?) -> Void)

    /// From now on what other nodes say, and what they ask this one, comes to these, on any thread,
    /// and no longer to those that were given before.
    func listen(
        as node: String, hear: @escaping @Sendable (NodeNews) -> Void,
        asked: @escaping AskedNode)

    /// Nothing is heard any more, and calls that block end soon.
    func close()
}

extension ClusterNode.Heartbeat {
    /// u64 epoch, u64 incarnation, u64 place, and the rest is the node's name.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for number in [leadership.epoch, leadership.incarnation, place] { bytes.add(number) }
        return bytes + leadership.node.utf8
    }

    /// nil if the bytes are none.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let epoch = reader.number(bytes: 8), let incarnation = reader.number(bytes: 8),
            let place = reader.number(bytes: 8),
            let node = String(validating: reader.end, as: UTF8.self), Leadership.isName(node)
        else { return nil }
        self.init(
            leadership: Leadership(epoch: epoch, node: node, incarnation: incarnation),
            place: place)
    }
}

/// Answers a question, once, on any thread.
package typealias AskedNode =
    @Sendable (_ question: [UInt8], _ answer: @escaping @Sendable ([UInt8]) -> Void) -> Void

/// What was found at a place.
package enum LogReading: Equatable, Sendable {
    /// None if nothing is there.
    case messages([[UInt8]])
    /// The log begins later.
    case gone
    /// The log is not there, or no longer has what stands before that place.
    case lost
    case failed
}
