import NIOCore
import Synchronization

/// Whether a connection asks for no more than a person at a terminal does: a hundredth of an event
/// loop's time, and no turns.
struct LightUse {
    private static var nanosecondsToForget: Int64 { 100_000 }
    /// What a person may ask for in a moment: some thirty windows.
    private static var mostOfLight: Int { 500 }
    /// More is not remembered, so that whoever stops is of light use again within 200 ms.
    private static var most: Int { 4 * mostOfLight }

    /// In approximate microseconds; forgotten with time.
    private var work = 0
    private var counted: NIODeadline

    init(now: NIODeadline) {
        counted = now
    }

    var isLight: Bool { work < Self.mostOfLight }

    mutating func add(_ cost: Int, at now: NIODeadline) {
        let forgotten = max(0, (now - counted).nanoseconds / Self.nanosecondsToForget)
        counted = counted + .nanoseconds(Self.nanosecondsToForget * forgotten)
        work = min(max(0, work - Int(forgotten)) + cost, Self.most)
    }

    /// A connection that waits for its turns uses little time only because it gets no more.
    mutating func hadTurn() {
        work = Self.most
    }
}

/// When a connection of light use last asked for something, on any event loop: all of them, and the
/// threads that search, share the processors.
final class LastLightUse: Sendable {
    /// A person who scrolls or types asks again sooner.
    private static var timeOut: TimeAmount { .milliseconds(250) }

    private let nanoseconds = Atomic<UInt64>(0)

    func isRecent(at now: NIODeadline) -> Bool {
        let last = nanoseconds.load(ordering: .relaxed)
        return last > 0 && now - .uptimeNanoseconds(last) < Self.timeOut
    }

    func set(_ now: NIODeadline) {
        nanoseconds.store(now.uptimeNanoseconds, ordering: .relaxed)
    }
}
