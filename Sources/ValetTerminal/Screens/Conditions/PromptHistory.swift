import ValetModel

/// What was typed at a prompt before, gone through as in a shell: back from the newest, and forth
/// to what is typed now.
struct PromptHistory: Hashable, Sendable {
    private static let mostTexts = 50

    /// Oldest first.
    private var texts: [String] = []
    /// The text that is shown; nil for the draft.
    private var place: Int?
    private var draft = ""

    var isEmpty: Bool { texts.isEmpty }

    /// True while an earlier text is shown.
    var isBack: Bool { place != nil }

    /// A text stands once, where it was typed last.
    mutating func add(_ text: String) {
        guard !text.isEmpty else { return }
        texts = texts.filter { $0 != text }.suffix(PromptHistory.mostTexts - 1) + [text]
    }

    /// The newest text that is read as the condition: `today` says more than the day's date.
    func text(of condition: Condition, _ reader: ConditionReader) -> String? {
        texts.last { (try? reader.condition($0)) == condition }
    }

    /// A prompt begins.
    mutating func begin() { (place, draft) = (nil, "") }

    /// The text before the one that is shown; nil at the oldest.
    mutating func previous(to shown: String) -> String? {
        if place == nil { draft = shown }
        // What is shown already is no step.
        guard let before = texts[..<(place ?? texts.count)].lastIndex(where: { $0 != shown }) else {
            return nil
        }
        place = before
        return texts[before]
    }

    /// The text after it, at last the draft; nil if that is shown.
    mutating func next() -> String? {
        guard let place else { return nil }
        let after = texts.index(after: place)
        self.place = after < texts.count ? after : nil
        return after < texts.count ? texts[after] : draft
    }
}
