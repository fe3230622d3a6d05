import DequeModule
import NIOCore
import OrderedCollections

/// Decides who of those that watch something is looked at next: all of them when it changes, in
/// rounds of each payer. Payers take turns, one watcher each, so that few windows are answered
/// soon beside another's many; and a round is followed by a rest nine times as long, so that many
/// leave most of the loop's time to others.
///
/// Time is a parameter.
struct PassRounds<Watcher: AnyObject> {
    private struct Round {
        var watchers: OrderedDictionary<ObjectIdentifier, Watcher> = [:]
        var isUnderWay = false
        /// Those that the round has not reached.
        var left: Deque<Watcher> = []
        /// In approximate microseconds.
        var cost = 0
        var restsUntil = NIODeadline.distantPast
        /// Something has changed since the round began.
        var isLate = false
    }

    private var rounds: OrderedDictionary<Payer, Round> = [:]
    /// Payers whose rounds are under way, once each.
    private var turns: Deque<Payer> = []

    private var due: NIODeadline?

    private static var restPerCost: Int { 9 }

    var isEmpty: Bool { rounds.isEmpty }
    /// Whether a round is under way.
    var isUnderWay: Bool { !turns.isEmpty }

    mutating func add(_ watcher: Watcher, of payer: Payer) {
        rounds[payer, default: Round()].watchers[ObjectIdentifier(watcher)] = watcher
    }

    mutating func remove(_ watcher: Watcher, of payer: Payer) {
        guard let index = rounds.index(forKey: payer) else { return }
        rounds.values[index].watchers[ObjectIdentifier(watcher)] = nil
        forgetIfDone(index)
    }

    /// Something has changed: a round begins for each payer that has none and does not rest. One
    /// that is late or rests has another when its rest is over.
    mutating func begin(at now: NIODeadline) {
        for index in rounds.values.indices {
            if rounds.values[index].isUnderWay {
                rounds.values[index].isLate = true
            } else if rounds.values[index].restsUntil > now {
                isDue(rounds.values[index].restsUntil)
            } else {
                rounds.values[index].left = Deque(rounds.values[index].watchers.values)
                rounds.values[index].isUnderWay = true
                rounds.values[index].cost = 0
                turns.append(rounds.keys[index])
            }
        }
    }

    /// The watcher to look at now, and who pays for it; nil when all rounds are over.
    mutating func next(at now: NIODeadline) -> (watcher: Watcher, payer: Payer)? {
        while let payer = turns.popFirst() {
            guard let index = rounds.index(forKey: payer) else { continue }
            guard let watcher = rounds.values[index].left.popFirst() else {
                end(index, at: now)
                continue
            }
            turns.append(payer)
            // It may have left meanwhile.
            if rounds.values[index].watchers[ObjectIdentifier(watcher)] != nil {
                return (watcher, payer)
            }
        }
        return nil
    }

    /// What a look has taken, in approximate microseconds.
    mutating func spent(_ cost: Int, by payer: Payer) {
        guard let index = rounds.index(forKey: payer) else { return }
        rounds.values[index].cost += cost
    }

    /// When to begin again, though nothing else changes; forgotten when it was asked for.
    mutating func takeDue() -> NIODeadline? { due.take() }

    private mutating func end(_ index: Int, at now: NIODeadline) {
        let rest = TimeAmount.microseconds(Int64(Self.restPerCost * rounds.values[index].cost))
        rounds.values[index].restsUntil = now + rest
        if rounds.values[index].isLate { isDue(now + rest) }
        (rounds.values[index].isUnderWay, rounds.values[index].isLate) = (false, false)
        forgetIfDone(index)
    }

    private mutating func forgetIfDone(_ index: Int) {
        let round = rounds.values[index]
        if round.watchers.isEmpty, !round.isUnderWay { rounds.remove(at: index) }
    }

    private mutating func isDue(_ time: NIODeadline) { due = min(due ?? .distantFuture, time) }
}
