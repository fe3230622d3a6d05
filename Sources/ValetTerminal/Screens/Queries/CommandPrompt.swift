import ValetModel

/// What is typed behind `:`: a place to go to, or what to do with a query under a name.
struct CommandPrompt: Hashable, Sendable {
    enum Command: Hashable, Sendable {
        case go(TypedPlace)
        case save(name: String)
        /// nil lists them.
        case open(name: String?)
    }

    private enum Verb: String, CaseIterable {
        case open
        case save
    }

    private(set) var field = TextField(limit: 2 * SavedQuery.bytesPerName)
    private(set) var chosen: Int?
    /// Of the list's saved queries.
    private var names: [String] = []

    private static let mostCompletions = 8

    private var parts: (verb: Verb, name: String)? {
        let words = field.text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let verb = words.first.flatMap({ Verb(rawValue: $0.lowercased()) }) else {
            return nil
        }
        return (verb, words.count > 1 ? words[1].trimmed : "")
    }

    /// nil if it is none.
    var command: Command? {
        guard let parts else { return TypedPlace(field.text).map { .go($0) } }
        switch parts.verb {
        case .open: return .open(name: parts.name.isEmpty ? nil : parts.name)
        case .save:
            guard (1...SavedQuery.bytesPerName).contains(parts.name.utf8.count) else {
                return nil
            }
            return .save(name: parts.name)
        }
    }

    /// What to say where there is no command.
    var advice: String {
        parts == nil
            ? "A row number or a percentage, such as 20000 or 50%; or open NAME, save NAME"
            : "save takes a name of up to \(SavedQuery.bytesPerName) bytes: save new cars"
    }

    mutating func handle(_ key: Key) { change { _ = $0.handle(key) } }

    mutating func insert(_ text: String) { change { $0.insert(text) } }

    private mutating func change(_ edit: (inout TextField) -> Void) {
        let before = field.text
        edit(&field)
        if field.text != before { chosen = nil }
    }

    // MARK: Completion

    /// A name may follow.
    var wantsNames: Bool { parts != nil && field.text.contains(" ") }

    mutating func take(names: [String]) {
        self.names = names
        chosen = nil
    }

    var completions: [Completion] {
        guard let parts, wantsNames else {
            guard !field.text.isEmpty else { return [] }
            return Verb.allCases.filter { $0.rawValue.hasPrefix(field.text.lowercased()) }
                .map { Completion(text: $0.rawValue + " ", note: "a saved query") }
        }
        let wanted = TextFolding.fold(parts.name)
        let fitting = names.filter { name in
            wanted.isEmpty || TextFolding.fold(name).starts(with: wanted)
        }
        return fitting.prefix(Self.mostCompletions).map {
            Completion(text: $0, note: parts.verb == .save ? "replaces it" : "")
        }
    }

    mutating func choose(by step: Int) {
        chosen = Completion.place(after: chosen, by: step, of: completions.count)
    }

    /// Puts the chosen completion, or the first, in its place.
    mutating func complete() {
        let all = completions
        let place = chosen ?? 0
        guard all.indices.contains(place) else { return }
        let head = wantsNames ? parts.map { $0.verb.rawValue + " " } ?? "" : ""
        field = TextField(text: head + all[place].text, limit: field.limit)
        chosen = nil
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
