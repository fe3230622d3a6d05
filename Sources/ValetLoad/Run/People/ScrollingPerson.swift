import ValetModel

/// Scrolls as people do: by the line and by the page while a key is held, in flings that run out,
/// with pauses to read, now and then the other way, seldom far away.
struct ScrollingPerson: Person {
    private enum Mood {
        case reading
        /// A key is held: so many steps to go.
        case burst(steps: Int, rows: Int)
        /// Rows per step, less with each.
        case fling(rows: Int)
    }

    private var numbers: SeededNumbers
    private var mood = Mood.reading
    private var direction = 1
    private let screen: Int

    init(seed: UInt64, station: Int, screen: Int) {
        numbers = SeededNumbers(seed: seed, index: station)
        self.screen = screen
    }

    mutating func next(_ seen: Seen) -> Step {
        switch mood {
        case .reading: begin(seen)
        case .burst(let steps, let rows): burst(steps, rows, seen)
        case .fling(let rows): fling(rows, seen)
        }
    }

    private mutating func begin(_ seen: Seen) -> Step {
        if seen.rows <= screen || numbers.happens(perThousand: 20) {
            // To a place of which a person only knows that it is somewhere there.
            let place = numbers.below(max(1, seen.rows))
            return Step(after: .random(300...900, with: &numbers), .show(place))
        }
        // At an end there is one way to go.
        if seen.first <= 0 { direction = 1 }
        if seen.first + screen >= seen.rows { direction = -1 }
        if numbers.happens(perThousand: 150) { direction = -direction }
        if numbers.happens(perThousand: 300) {
            mood = .fling(rows: screen * (4 + numbers.below(12)))
        } else {
            mood = .burst(
                steps: 3 + numbers.below(30), rows: numbers.happens(perThousand: 700) ? 1 : screen)
        }
        let (pause, step) = (Duration.random(200...1_500, with: &numbers), next(seen))
        return Step(after: pause, step.action)
    }

    /// Keys repeat thirty times a second.
    private mutating func burst(_ steps: Int, _ rows: Int, _ seen: Seen) -> Step {
        mood = steps > 1 ? .burst(steps: steps - 1, rows: rows) : .reading
        return Step(
            after: .milliseconds(33),
            .show(
                place(rows, from: seen), velocity: direction * rows * 30, isSettled: steps <= 1))
    }

    /// A fling loses a fifth of its speed with each frame shown.
    private mutating func fling(_ rows: Int, _ seen: Seen) -> Step {
        let next = rows * 4 / 5
        mood = next >= 2 ? .fling(rows: next) : .reading
        return Step(
            after: .milliseconds(16),
            .show(place(rows, from: seen), velocity: direction * rows * 60, isSettled: next < 2))
    }

    private func place(_ rows: Int, from seen: Seen) -> Int {
        min(max(0, seen.first + direction * rows), max(0, seen.rows - screen))
    }
}

/// Looks at places that have nothing to do with each other: the most work for a server's caches.
struct JumpingPerson: Person {
    private var numbers: SeededNumbers

    init(seed: UInt64, station: Int) {
        numbers = SeededNumbers(seed: seed, index: station)
    }

    mutating func next(_ seen: Seen) -> Step {
        // Some windows are cut by an end, one in a hundred is empty.
        let draw = numbers.below(100)
        if draw == 0 { return Step(.showEnd) }
        if draw < 10 { return Step(.showAround(rowsBefore: numbers.below(40))) }
        return Step(.show(numbers.below(max(1, seen.rows))))
    }
}
