import ValetModel

/// A condition that is typed, and what may be typed next.
struct ConditionPrompt: Hashable, Sendable {
    /// Values of a column that have what is typed.
    struct Values: Hashable, Sendable {
        var column: Int
        var completions: [Completion]
    }

    private(set) var field: TextField
    /// The place of the condition that this one replaces; nil for a new one.
    let replaced: Int?
    private let reader: ConditionReader
    /// The completion that the arrow keys chose.
    private(set) var chosen: Int?
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
        do throws(ConditionError) {
            return .success(try reader.condition(field.text))
        } catch {
            return .failure(error)
        }
    }

    mutating func handle(_ key: Key) -> Bool {
        let before = field.text
        _ = field.handle(key)
        if field.text != before { chosen = nil }
        return field.text != before
    }

    mutating func insert(_ text: String) {
        field.insert(text)
        chosen = nil
    }

    mutating func clear() { field = TextField(limit: field.limit) }

    // MARK: Completion

    mutating func choose(by step: Int) {
        chosen = Completion.place(after: chosen, by: step, of: completions.count)
    }

    /// The value that is typed: its completions come from the server.
    var typedValue: TypedValue? { reader.typedValue(in: field.text) }

    mutating func take(_ values: Values) {
        self.values = values
        if let chosen, chosen >= completions.count { self.chosen = nil }
    }

    /// Puts the chosen completion, or the first, in its place.
    mutating func complete() -> Bool {
        let all = completions
        guard let completion = all.indices.contains(chosen ?? 0) ? all[chosen ?? 0] : nil,
            let place = placeOfCompletion
        else { return false }
        let bytes = Array(field.text.utf8)
        let head = String(decoding: bytes[..<place.lowerBound], as: UTF8.self)
        field = TextField(text: head + completion.text, limit: field.limit)
        chosen = nil
        return true
    }

    private var placeOfCompletion: Range<Int>? {
        if let typedValue { return typedValue.place }
        guard case .failure(let error) = result else { return nil }
        return error.place.lowerBound..<field.text.utf8.count
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

    private func columnCompletions(_ typed: String) -> [Completion] {
        let folded = TextFolding.fold(typed)
        let named = columns.filter { TextFolding.fold($0.name).starts(with: folded) }
        let labelled = columns.filter {
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
        return (fitting.isEmpty ? error.alternatives : fitting).prefix(10).map { spelling in
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
        let fitting =
            values.completions.filter(begins) + values.completions.filter { !begins($0) }
        return Array(fitting.prefix(Self.mostCompletions))
    }
}
