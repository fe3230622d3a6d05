import Synchronization
import ValetModel
import ValetReference

/// What was arranged lately. Most tests begin with the same cars and ask the same of them, and in a
/// debug build sorting takes longer than all else that a test does.
enum ArrangedCars {
    private struct Key: Hashable {
        let list: ListDescription
        let query: Query
    }

    private typealias Arranged = (cars: [Int64: [Cell]], arrangement: ReferenceArrangement)

    private static let known = Mutex<[Key: [Arranged]]>([:])
    private static let mostKeys = 256
    private static let mostPerKey = 4

    static func arrangement(
        of query: Query, in list: ListDescription, _ cars: [Int64: [Cell]]
    ) -> ReferenceArrangement {
        let key = Key(list: list, query: query)
        let lately = known.withLock { $0[key] ?? [] }
        if let same = lately.first(where: { $0.cars == cars }) { return same.arrangement }
        let arrangement = ReferenceArrangement(ReferenceQuery(query, in: list), of: cars)
        known.withLock { known in
            if known.count >= mostKeys { known = [:] }
            known[key, default: []].insert((cars, arrangement), at: 0)
            if known[key, default: []].count > mostPerKey { known[key]?.removeLast() }
        }
        return arrangement
    }
}
