/// Events in the order of their times; those of one time in the order in which they were added.
struct SimulatedTime<Event> {
    private(set) var now: Int64 = 0
    private var added: UInt64 = 0
    /// A heap: each is before those at twice its place.
    private var events: [(time: Int64, number: UInt64, event: Event)] = []

    mutating func add(_ event: Event, at time: Int64) {
        added += 1
        events.append((time, added, event))
        var child = events.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            events.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Time goes on to the next event.
    mutating func next() -> Event? {
        guard let first = events.first, let last = events.popLast() else { return nil }
        now = first.time
        guard !events.isEmpty else { return first.event }
        events[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < events.count }
            guard let least = children.min(by: { isBefore($0, $1) }), isBefore(least, parent)
            else { return first.event }
            events.swapAt(least, parent)
            parent = least
        }
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (events[one].time, events[one].number) < (events[other].time, events[other].number)
    }
}
