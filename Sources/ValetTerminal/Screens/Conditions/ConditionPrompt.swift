import ValetModel

/// A condition that is typed, and what may be typed next.
struct ConditionPrompt: CompletedPrompt, Hashable, Sendable {
    /// Values of a column that have what is typed.
    struct Values: Hashable, Sendable {
        var column: Int
        var completions: [Completion]
    }

    var field: TextField
    /// The place of the condition that this one replaces; nil for a new one.
    let replaced: Int?
    private let reader: ConditionReader
    var chosen: Int?
    /// The newest from the server.
    private var values: Values?

    private static let mostCompletions = 8
    /// Values that are asked for: those that begin as typed may not be among the first.
    static let mostValues = 64

    private var columns: [ColumnDescription] { reader.columns }

    init(_ text: String, replacing place: Int?, reader: ConditionReader) {
        field = TextField(text: text, limit: 2 * Limits.bytesPerSearch)
        replaced = place
        self.reader = reader
    }

    var result: Result<Condition, ConditionError> {
        Result { () throws(ConditionError) in try reader.condition(field.text) }
    }

    mutating func clear() { field = TextField(limit: field.limit) }

    // MARK: Completion

    /// The value that is typed: its completions come from the server.
    var typedValue: TypedValue? { reader.typedValue(in: field.text) }

    mutating func take(_ values: Values) {
        self.values = values
        if let chosen, chosen >= completions.count { self.chosen = nil }
    }

    var head: String? {
        var place = typedValue?.place.lowerBound
        if place == nil, case .failure(let error) = result { place = error.place.lowerBound }
        return place.map { String(decoding: field.text.utf8.prefix($0), as: UTF8.self) }
    }

    var completions: [Completion] {
        if let typedValue { return completions(of: typedValue) }
        guard case .failure(let error) = result else { return [] }
        switch error.expected {
        case .column: return columnCompletions(error.typed)
        case .comparison: return comparisonCompletions(error)
        case .value: return []
        }
    }

    /// Puts the text in the place of its beginning, where no row has what is typed and only one
    /// text begins so. A number is meant as it is typed.
    mutating func completeOnlyValue() {
        guard let typedValue, typedValue.comparison == .isOneOf, let head, let values,
            values.column == typedValue.column, columns[typedValue.column].isText,
            values.completions.count < Self.mostValues
        else { return }
        let typed = TextFolding.fold(typedValue.text)
        let begun = values.completions.map(\.text).filter {
            TextFolding.fold($0).starts(with: typed)
        }
        guard !typed.isEmpty, begun.count == 1, TextFolding.fold(begun[0]) != typed else { return }
        field = TextField(text: head + begun[0], limit: field.limit)
    }

    private func columnCompletions(_ typed: String) -> [Completion] {
        let folded = TextFolding.fold(typed)
        // Titles come before the keys that they stand for.
        let shown = columns.shownInTables
        let ordered = (shown + columns.indices.filter { !shown.contains($0) }).map { columns[$0] }
        let named = ordered.filter { TextFolding.fold($0.name).starts(with: folded) }
        let labelled = ordered.filter {
            !TextFolding.fold($0.name).starts(with: folded)
                && TextFolding.fold($0.label).starts(with: folded)
        }
        return (named + labelled).prefix(Self.mostCompletions).map { column in
            let present = Condition(column: column.name, .isPresent)
            let name = present.text(in: columns).dropLast(Comparison.isPresent.spelling.count)
            return Completion(text: String(name), note: column.type.name)
        }
    }

    private func comparisonCompletions(_ error: ConditionError) -> [Completion] {
        let typed = error.typed.lowercased()
        let fitting = error.alternatives.filter { $0.hasPrefix(typed) }
        let hasBlank = field.text.last?.isWhitespace == true
        return (fitting.isEmpty ? error.alternatives : fitting).map { spelling in
            let takesValue =
                spelling != Comparison.isMissing.spelling
                && spelling != Comparison.isPresent.spelling
            return Completion(
                text: (typed.isEmpty && !hasBlank ? " " : "") + spelling + (takesValue ? " " : ""),
                note: "")
        }
    }

    private func completions(of typed: TypedValue) -> [Completion] {
        let column = columns[typed.column]
        let begun = typed.text.lowercased()
        switch column.type {
        case .boolean:
            return ["yes", "no"].filter { $0.hasPrefix(begun) }
                .map { Completion(text: $0, note: "") }
        case .date:
            let words = RelativeDate.words.filter { $0.hasPrefix(begun) && $0 != begun }
            return words.prefix(Self.mostCompletions).map { Completion(text: $0, note: "") }
        case .text, .integer, .real, .blob: break
        }
        // Those of the letter before stay until newer ones are here.
        guard let values, values.column == typed.column else { return [] }
        let folded = TextFolding.fold(typed.text)
        let begins = { (completion: Completion) in
            TextFolding.fold(completion.text).starts(with: folded)
        }
        let fitting = values.completions.filter(begins) + values.completions.filter { !begins($0) }
        return Array(fitting.prefix(Self.mostCompletions))
    }
}

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
