import ValetModel

/// Types words letter by letter, sometimes a wrong one that is taken back, looks at what was found,
/// and empties the field again.
struct SearchingPerson: Person {
    enum Mood {
        case thinking
        /// Letters typed so far; a wrong one may stand at the end.
        case typing(word: [Character], typed: Int, hasMistake: Bool)
        case looking(windows: Int)
    }

    var numbers: SeededNumbers
    let sample: ListSample
    var mood = Mood.thinking
    var grouping: String?
    var scope: String?

    mutating func next(_ seen: Seen) -> Step {
        switch mood {
        case .thinking: think(seen)
        case .typing(let word, let typed, let hasMistake): type(word, typed, hasMistake)
        case .looking(let windows): look(windows, seen)
        }
    }

    private mutating func think(_ seen: Seen) -> Step {
        guard !sample.words.isEmpty, !sample.scopes.isEmpty else {
            return Step(.show(numbers.place(in: seen)))
        }
        grouping = numbers.choice(of: sample.groupings)
        scope = numbers.choice(of: sample.scopes)
        let word = Array((numbers.choice(of: sample.words) ?? "").prefix(8))
        let step = type(word, 0, false)
        return Step(after: numbers.pause(200...800), step.action)
    }

    /// One key: a letter, a wrong letter, or taking that back.
    private mutating func type(_ word: [Character], _ typed: Int, _ hasMistake: Bool) -> Step {
        var text = String(word.prefix(typed))
        var isLast = false
        if hasMistake {
            mood = .typing(word: word, typed: typed, hasMistake: false)
        } else if typed > 0, numbers.happens(perThousand: 80) {
            text += "x"
            mood = .typing(word: word, typed: typed, hasMistake: true)
        } else {
            text = String(word.prefix(typed + 1))
            // People stop when they see what they looked for.
            isLast = typed + 1 >= word.count || typed >= 2 && numbers.happens(perThousand: 200)
            mood =
                isLast
                ? .looking(windows: numbers.below(4))
                : .typing(word: word, typed: typed + 1, hasMistake: false)
        }
        let query = Query(grouping: grouping, search: .init(text: text, scope: scope))
        // Fast fingers don't wait for what the last letter found.
        let isPassing = !isLast && numbers.happens(perThousand: 300)
        return Step(after: numbers.pause(60...250), isPassing ? .askInPassing(query) : .ask(query))
    }

    private mutating func look(_ windows: Int, _ seen: Seen) -> Step {
        guard windows > 0 else {
            mood = .thinking
            return Step(after: numbers.pause(200...600), .ask(Query(grouping: grouping)))
        }
        mood = .looking(windows: windows - 1)
        return Step(after: numbers.pause(100...400), .show(seen.nextScreen))
    }
}
