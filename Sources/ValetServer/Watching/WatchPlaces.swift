import NIOCore
import OrderedCollections
import ValetModel

/// The connections that ask how the server is. When there are too many, the one that came first
/// makes room for another: those that say nothing keep nobody from an answer, which takes less than
/// a millisecond.
final class WatchPlaces: Sendable {
    private let places = Mutex<OrderedDictionary<ObjectIdentifier, any Channel>>([:])

    func enter(_ channel: any Channel) {
        let first = places.withLock { places in
            places[ObjectIdentifier(channel)] = channel
            return places.count > Limits.watchers ? places.removeFirst().value : nil
        }
        first?.close(promise: nil)
    }

    func leave(_ channel: any Channel) {
        _ = places.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}
