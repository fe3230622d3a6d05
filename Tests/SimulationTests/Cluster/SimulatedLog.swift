import ValetCluster

/// A log that several nodes append to. It does what JetStream may do: takes a message twice, or at
/// a place that was not the expected one, tells of it later, and forgets its beginning.
struct SimulatedLog {
    private var messages: [(bytes: [UInt8], isSeenFrom: Int64)] = []
    /// How far all that counts goes.
    private(set) var chain: LogChain
    /// The first place that is kept.
    private(set) var floor: UInt64 = 1

    init(logID: UInt64) { chain = LogChain(logID: logID) }

    var last: UInt64 { UInt64(messages.count) }
    var all: [[UInt8]] { messages.map(\.bytes) }

    mutating func append(_ bytes: [UInt8], isSeenFrom time: Int64) {
        messages.append((bytes, time))
        _ = chain.take(bytes)
    }

    mutating func purge(below place: UInt64) { floor = max(floor, place) }

    func look(at place: UInt64, at now: Int64) -> ClusterNode.Look {
        if place < floor { return .gone }
        guard place <= last else { return .nothing }
        let found = messages[Int(place) - 1]
        return found.isSeenFrom <= now ? .message(found.bytes) : .nothing
    }

    /// Up to `most` messages from a place on; nil if it is gone.
    func read(from place: UInt64, most: Int, at now: Int64) -> [[UInt8]]? {
        if place < floor { return nil }
        return messages.dropFirst(Int(place) - 1).prefix { $0.isSeenFrom <= now }.prefix(most)
            .map(\.bytes)
    }
}
