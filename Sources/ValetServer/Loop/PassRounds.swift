import DequeModule
import NIOCore
import OrderedCollections

/// Chooses the next watcher to look at. A change begins a round for each payer: one look at each of
/// its watchers. Payers take turns, one look each, so that few windows are answered soon beside
/// another's many. While others need the time, a payer rests after its round nine times as long as
/// that took: however many windows it has, a tenth of the time is theirs.
///
/// Time is a parameter.
struct PassRounds<Watcher: AnyObject> {
    private struct Round {
        var watchers: OrderedDictionary<ObjectIdentifier, Watcher> = [:]
        /// The place of the next to look at; nil when no round is under way.
        var next: Int?
        /// Of the looks of the round, in approximate microseconds.
        var cost = 0
        var restsUntil = NIODeadline.distantPast
        /// Something has changed since the last round began.
        var isDirty = false
        /// When a watcher wants a look though nothing changes.
        var wantedAt = NIODeadline.distantFuture

        /// When the next round may begin, if there is a reason for one.
        var due: NIODeadline? {
            if isDirty { return restsUntil }
            return wantedAt < .distantFuture ? max(wantedAt, restsUntil) : nil
        }
    }

    private var rounds: OrderedDictionary<Payer, Round> = [:]
    /// Payers whose rounds are under way, once each, but for the one that is looked at.
    private var turns: Deque<Payer> = []

    private static var restPerCost: Int { 9 }

    var isEmpty: Bool { rounds.isEmpty }
    var isUnderWay: Bool { !turns.isEmpty }

    mutating func add(_ watcher: Watcher, of payer: Payer) {
        rounds[payer, default: Round()].watchers[ObjectIdentifier(watcher)] = watcher
    }

    mutating func remove(_ watcher: Watcher, of payer: Payer) {
        guard let index = rounds.index(forKey: payer),
            let place = rounds.values[index].watchers.index(forKey: ObjectIdentifier(watcher))
        else { return }
        rounds.values[index].watchers.remove(at: place)
        if let next = rounds.values[index].next, place < next {
            rounds.values[index].next = next - 1
        }
        forgetIfDone(index)
    }

    /// Something has changed: everyone is looked at once more.
    mutating func changed() {
        for index in rounds.values.indices { rounds.values[index].isDirty = true }
    }

    /// A watcher of the payer wants to be looked at then.
    mutating func wants(_ payer: Payer, at time: NIODeadline) {
        guard let index = rounds.index(forKey: payer) else { return }
        rounds.values[index].wantedAt = min(rounds.values[index].wantedAt, time)
    }

    /// Begins the rounds that are due.
    ///
    /// - Returns: when the next will be.
    mutating func begin(at now: NIODeadline) -> NIODeadline? {
        var later: NIODeadline?
        for index in rounds.values.indices {
            guard rounds.values[index].next == nil, let due = rounds.values[index].due else {
                continue
            }
            guard due <= now else {
                later = min(later ?? due, due)
                continue
            }
            (rounds.values[index].isDirty, rounds.values[index].wantedAt) = (false, .distantFuture)
            (rounds.values[index].next, rounds.values[index].cost) = (0, 0)
            turns.append(rounds.keys[index])
        }
        return later
    }

    /// The watcher to look at now; `looked` must follow. nil when all rounds are over.
    mutating func next() -> (watcher: Watcher, payer: Payer)? {
        while let payer = turns.popFirst() {
            guard let index = rounds.index(forKey: payer), let place = rounds.values[index].next
            else { continue }
            guard place < rounds.values[index].watchers.count else {
                // The last have left.
                rounds.values[index].next = nil
                forgetIfDone(index)
                continue
            }
            rounds.values[index].next = place + 1
            return (rounds.values[index].watchers.values[place], payer)
        }
        return nil
    }

    /// What the look has cost, in approximate microseconds.
    ///
    /// - Parameter isShared: whether others need the time; asked when the round is over.
    /// - Returns: when the payer's next round is due, if this one is over and there is to be one.
    mutating func looked(
        of payer: Payer, cost: Int, at now: NIODeadline, isShared: @autoclosure () -> Bool
    ) -> NIODeadline? {
        guard let index = rounds.index(forKey: payer), let next = rounds.values[index].next else {
            return nil
        }
        rounds.values[index].cost += cost
        guard next >= rounds.values[index].watchers.count else {
            turns.append(payer)
            return nil
        }
        rounds.values[index].next = nil
        let rest = isShared() ? Self.restPerCost * rounds.values[index].cost : 0
        rounds.values[index].restsUntil = now + .microseconds(Int64(rest))
        defer { forgetIfDone(index) }
        return rounds.values[index].due
    }

    private mutating func forgetIfDone(_ index: Int) {
        guard rounds.values[index].watchers.isEmpty, rounds.values[index].next == nil else {
            return
        }
        rounds.remove(at: index)
    }
}
