import ValetModel

/// Types words letter by letter, sometimes a wrong one that is taken back, looks at what was found,
/// and empties the field again.
struct SearchingPerson: Person {
    private enum Mood {
        case thinking
        /// Letters typed so far; a wrong one may stand at the end.
        case typing(word: [Character], typed: Int, hasMistake: Bool)
        case looking(windows: Int)
    }

    private var numbers: SeededNumbers
    private var mood = Mood.thinking
    private let words: [String]
    private let groupings: [String]
    private let scopes: [String]
    private var grouping: String?
    private var scope: String?
    private let screen: Int

    /// - Parameter words: what stands in the list, so that something is found.
    init(seed: UInt64, station: Int, screen: Int, sample: ListSample) {
        numbers = SeededNumbers(seed: seed, index: station)
        self.screen = screen
        words = sample.words
        groupings = sample.groupings
        scopes = sample.scopes
    }

    mutating func next(_ seen: Seen) -> Step {
        switch mood {
        case .thinking: think(seen)
        case .typing(let word, let typed, let hasMistake): type(word, typed, hasMistake)
        case .looking(let windows): look(windows, seen)
        }
    }

    private mutating func think(_ seen: Seen) -> Step {
        guard !words.isEmpty, !scopes.isEmpty else {
            return Step(.show(numbers.below(max(1, seen.rows))))
        }
        grouping = groupings.isEmpty ? nil : groupings[numbers.below(groupings.count)]
        scope = scopes[numbers.below(scopes.count)]
        let word = Array(words[numbers.below(words.count)].prefix(8))
        let step = type(word, 0, false)
        return Step(after: .random(200...800, with: &numbers), step.action)
    }

    /// One key: a letter, a wrong letter, or taking that back.
    private mutating func type(_ word: [Character], _ typed: Int, _ hasMistake: Bool) -> Step {
        let text: String
        let isLast: Bool
        if hasMistake {
            text = String(word.prefix(typed))
            isLast = false
            mood = .typing(word: word, typed: typed, hasMistake: false)
        } else if typed > 0, numbers.happens(perThousand: 80) {
            text = String(word.prefix(typed)) + "x"
            isLast = false
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
        let query = Query(
            grouping: grouping, search: .init(text: text, scope: scope))
        // Fast fingers don't wait for what the last letter found.
        let isPassing = !isLast && numbers.happens(perThousand: 300)
        return Step(
            after: .random(60...250, with: &numbers),
            isPassing ? .askInPassing(query) : .ask(query))
    }

    private mutating func look(_ windows: Int, _ seen: Seen) -> Step {
        guard windows > 0 else {
            mood = .thinking
            return Step(
                after: .random(200...600, with: &numbers), .ask(Query(grouping: grouping)))
        }
        mood = .looking(windows: windows - 1)
        return Step(
            after: .random(100...400, with: &numbers),
            .show(min(seen.first + screen, max(0, seen.rows - 1))))
    }
}
