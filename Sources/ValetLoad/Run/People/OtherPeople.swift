import ValetModel

/// Switches between scrolling, jumping, searching, filtering and using the index.
struct MixedPerson: Person {
    private var numbers: SeededNumbers
    private var scrolling: ScrollingPerson
    private var jumping: JumpingPerson
    private var searching: SearchingPerson
    private var filtering: FilteringPerson
    private var indexing: IndexPerson
    private var role = 0
    private var steps = 0

    init(seed: UInt64, station: Int, screen: Int, sample: ListSample) {
        numbers = SeededNumbers(seed: seed ^ 0x6D69_7865_64, index: station)
        scrolling = ScrollingPerson(seed: seed, station: station, screen: screen)
        jumping = JumpingPerson(seed: seed, station: station)
        searching = SearchingPerson(seed: seed, station: station, screen: screen, sample: sample)
        filtering = FilteringPerson(seed: seed, station: station, screen: screen, sample: sample)
        indexing = IndexPerson(seed: seed, station: station, sample: sample)
    }

    mutating func next(_ seen: Seen) -> Step {
        if steps == 0 {
            role = numbers.below(10)
            steps = 10 + numbers.below(40)
        }
        steps -= 1
        switch role {
        case 0..<5: return scrolling.next(seen)
        case 5..<7:
            // A person who jumps about looks where they got to.
            let step = jumping.next(seen)
            return Step(after: .random(50...500, with: &numbers), step.action)
        case 7: return searching.next(seen)
        case 8: return filtering.next(seen)
        default: return indexing.next(seen)
        }
    }
}

/// Opens the list, looks at one place, and hangs up, to come back with everyone else.
struct StormyPerson: Person {
    private var numbers: SeededNumbers
    private var hasLooked = true

    init(seed: UInt64, station: Int) {
        numbers = SeededNumbers(seed: seed, index: station)
    }

    mutating func next(_ seen: Seen) -> Step {
        hasLooked.toggle()
        return hasLooked ? Step(.reconnect) : Step(.show(numbers.below(max(1, seen.rows))))
    }
}

/// Looks once, and then leaves the terminal on.
struct SilentPerson: Person {
    mutating func next(_ seen: Seen) -> Step { Step(.rest) }
}

/// A station with a nearly dead network: it asks, and reads little or nothing of the answers.
struct NeglectfulPerson: Person {
    private var numbers: SeededNumbers
    private let stops: Bool

    init(seed: UInt64, station: Int, stops: Bool) {
        numbers = SeededNumbers(seed: seed, index: station)
        self.stops = stops
    }

    mutating func next(_ seen: Seen) -> Step {
        let place = numbers.below(max(1, seen.rows))
        let reads = !stops && numbers.happens(perThousand: 200)
        return Step(after: .random(20...80, with: &numbers), .neglect(place, reads: reads))
    }
}
