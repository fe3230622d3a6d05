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

    /// - Parameters:
    ///   - numbers: when it switches.
    ///   - others: what it does meanwhile.
    init(numbers: SeededNumbers, others: SeededNumbers, sample: ListSample) {
        self.numbers = numbers
        scrolling = ScrollingPerson(numbers: others)
        jumping = JumpingPerson(numbers: others)
        searching = SearchingPerson(numbers: others, sample: sample)
        filtering = FilteringPerson(numbers: others, sample: sample)
        indexing = IndexPerson(numbers: others, groupings: sample.groupings)
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
            return Step(after: numbers.pause(50...500), step.action)
        case 7: return searching.next(seen)
        case 8: return filtering.next(seen)
        default: return indexing.next(seen)
        }
    }
}

/// Finds a place by its section: opens the index, jumps to a title, reads sections, asks where a
/// row stands, and groups the list another way.
struct IndexPerson: Person {
    var numbers: SeededNumbers
    let groupings: [String]
    /// Jumps until the index is opened anew.
    var jumps = 0

    mutating func next(_ seen: Seen) -> Step {
        let draw = numbers.below(100)
        let pause = numbers.pause(20...200)
        if draw < 3, let grouping = numbers.choice(of: groupings) {
            jumps = 0
            return Step(after: pause, .ask(Query(grouping: grouping)))
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

/// Opens the list, looks at one place, and hangs up, to come back with everyone else.
struct StormyPerson: Person {
    var numbers: SeededNumbers
    var hasLooked = true

    mutating func next(_ seen: Seen) -> Step {
        hasLooked.toggle()
        return Step(hasLooked ? .reconnect : .show(numbers.place(in: seen)))
    }
}

/// Looks once, and then leaves the terminal on.
struct SilentPerson: Person {
    let isBystander = true

    mutating func next(_ seen: Seen) -> Step { Step(.rest) }
}

/// A station with a nearly dead network: it asks, and reads little or nothing of the answers.
struct NeglectfulPerson: Person {
    var numbers: SeededNumbers
    let stops: Bool
    let isBystander = true

    mutating func next(_ seen: Seen) -> Step {
        let place = numbers.place(in: seen)
        let reads = !stops && numbers.happens(perThousand: 200)
        return Step(after: numbers.pause(20...80), .neglect(place, reads: reads))
    }
}

/// Looks at a place and changes rows there: edits, new rows, deletions and undos. It keeps the list
/// about as long as it was, so that a server whose memory grows has no excuse.
struct EditingPerson: Person {
    var numbers: SeededNumbers
    var changesLeft = 0
    var rowsAtFirst: Int?

    mutating func next(_ seen: Seen) -> Step {
        let usual = rowsAtFirst ?? seen.rows
        rowsAtFirst = usual
        if changesLeft == 0 {
            changesLeft = 1 + numbers.below(8)
            return Step(.show(numbers.busyPlace(in: seen)))
        }
        changesLeft -= 1
        return Step(after: numbers.pause(0...20), .change(anyChange(adds: seen.rows <= usual)))
    }

    private mutating func anyChange(adds: Bool) -> RowAction {
        switch numbers.below(20) {
        case 0..<5: adds ? .insert : .delete
        case 5..<8: .undo
        case 8..<14: .check
        default: .edit
        }
    }
}

/// Lets a window stand where others change rows, and now and then goes elsewhere.
struct WatchingPerson: Person {
    var numbers: SeededNumbers
    var isWatching = false

    mutating func next(_ seen: Seen) -> Step {
        let place = numbers.busyPlace(in: seen)
        defer { isWatching = true }
        return Step(after: isWatching ? numbers.pause(200...2_500) : .zero, .follow(place))
    }
}

extension SeededNumbers {
    /// Half of the time one of eight places that all people share, else anywhere.
    fileprivate mutating func busyPlace(in seen: Seen) -> Int {
        happens(perThousand: 500) ? place(in: seen) : seen.rows / 8 * below(8)
    }
}
