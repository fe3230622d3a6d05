/// Something that Tab, or Enter when it is chosen, puts in place of what is typed.
struct Completion: Hashable, Sendable {
    var text: String
    /// What stands beside it: a label, or how many rows there are.
    var note: String

}

/// A prompt whose text can be completed.
protocol CompletedPrompt {
    var field: TextField { get set }
    /// The completion that the arrow keys chose.
    var chosen: Int? { get set }
    var completions: [Completion] { get }
    /// What stays before a completion; nil where none can be put in.
    var head: String? { get }
}

extension CompletedPrompt {
    /// An arrow key goes round. Between the last and the first stands what was typed.
    mutating func choose(by step: Int) {
        let count = completions.count
        let place = ((chosen ?? count) + step + count + 1) % (count + 1)
        chosen = place == count ? nil : place
    }

    /// Puts the chosen completion, or the first, in its place.
    mutating func complete() -> Bool {
        guard let completion = completions[checked: chosen ?? 0], let head else { return false }
        field = TextField(text: head + completion.text, limit: field.limit)
        chosen = nil
        return true
    }

    mutating func insert(_ text: String) { _ = change { $0.insert(text) } }

    /// - Returns: whether the key has changed the text.
    mutating func handle(_ key: Key) -> Bool { change { _ = $0.handle(key) } }

    private mutating func change(_ edit: (inout TextField) -> Void) -> Bool {
        let before = field.text
        edit(&field)
        guard field.text != before else { return false }
        chosen = nil
        return true
    }
}
