import ValetModel

/// Scrolls as people do: by the line and by the page while a key is held, in flings that run out,
/// with pauses to read, now and then the other way, seldom far away.
struct ScrollingPerson: Person {
    enum Mood {
        case reading
        /// A key is held: so many steps to go.
        case burst(steps: Int, rows: Int)
        /// Rows per step, less with each.
        case fling(rows: Int)
    }

    var numbers: SeededNumbers
    var mood = Mood.reading
    var direction = 1

    mutating func next(_ seen: Seen) -> Step {
        switch mood {
        case .reading: begin(seen)
        case .burst(let steps, let rows): burst(steps, rows, seen)
        case .fling(let rows): fling(rows, seen)
        }
    }

    private mutating func begin(_ seen: Seen) -> Step {
        if seen.rows <= Seen.screen || numbers.happens(perThousand: 20) {
            // To a place of which a person only knows that it is somewhere there.
            let place = numbers.place(in: seen)
            return Step(after: numbers.pause(300...900), .show(place))
        }
        // At an end there is one way to go.
        if seen.first <= 0 { direction = 1 }
        if seen.first + Seen.screen >= seen.rows { direction = -1 }
        if numbers.happens(perThousand: 150) { direction = -direction }
        if numbers.happens(perThousand: 300) {
            mood = .fling(rows: Seen.screen * (4 + numbers.below(12)))
        } else {
            let steps = 3 + numbers.below(30)
            mood = .burst(steps: steps, rows: numbers.happens(perThousand: 700) ? 1 : Seen.screen)
        }
        return Step(after: numbers.pause(200...1_500), next(seen).action)
    }

    /// Keys repeat thirty times a second.
    private mutating func burst(_ steps: Int, _ rows: Int, _ seen: Seen) -> Step {
        mood = steps > 1 ? .burst(steps: steps - 1, rows: rows) : .reading
        return move(rows, from: seen, perSecond: 30, isLast: steps <= 1)
    }

    /// A fling loses a fifth of its speed with each frame shown.
    private mutating func fling(_ rows: Int, _ seen: Seen) -> Step {
        let next = rows * 4 / 5
        mood = next >= 2 ? .fling(rows: next) : .reading
        return move(rows, from: seen, perSecond: 60, isLast: next < 2)
    }

    private func move(_ rows: Int, from seen: Seen, perSecond: Int, isLast: Bool) -> Step {
        let place = min(max(0, seen.first + direction * rows), max(0, seen.rows - Seen.screen))
        return Step(
            after: .milliseconds(1_000 / perSecond),
            .show(place, velocity: direction * rows * perSecond, isSettled: isLast))
    }
}

/// Looks at places that have nothing to do with each other: the most work for a server's caches.
struct JumpingPerson: Person {
    var numbers: SeededNumbers

    mutating func next(_ seen: Seen) -> Step {
        // Some windows are cut by an end, one in a hundred is empty.
        let draw = numbers.below(100)
        if draw == 0 { return Step(.showEnd) }
        if draw < 10 { return Step(.showAround(rowsBefore: numbers.below(40))) }
        return Step(.show(numbers.place(in: seen)))
    }
}
