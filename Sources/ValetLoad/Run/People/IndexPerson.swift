import ValetModel

/// Finds a place by its section: opens the index, jumps to a title, reads sections, asks where a
/// row stands, and groups the list another way.
struct IndexPerson: Person {
    private var numbers: SeededNumbers
    private let groupings: [String]
    /// Jumps until the index is opened anew.
    private var jumps = 0

    init(seed: UInt64, station: Int, sample: ListSample) {
        numbers = SeededNumbers(seed: seed, index: station)
        groupings = sample.groupings
    }

    mutating func next(_ seen: Seen) -> Step {
        let draw = numbers.below(100)
        let pause = Duration.random(20...200, with: &numbers)
        if draw < 3, !groupings.isEmpty {
            jumps = 0
            return Step(
                after: pause, .ask(Query(grouping: groupings[numbers.below(groupings.count)])))
        }
        guard jumps > 0, !seen.index.isEmpty else {
            jumps = 20
            return Step(after: pause, seen.index.isEmpty && draw < 30 ? .locate : .openIndex)
        }
        jumps -= 1
        if draw < 15 {
            return Step(after: pause, .readSections(from: numbers.below(max(1, seen.sections))))
        }
        if draw < 30 { return Step(after: pause, .locate) }
        if draw < 35 { return Step(after: pause, .readDetail) }
        return Step(after: pause, .jump(seen.index[numbers.below(seen.index.count)]))
    }
}
