import ValetModel

/// The signs that we draw, each with an ASCII form.
struct Glyphs: Hashable, Sendable {
    let isASCII: Bool

    var sanitizer: Sanitizer { Sanitizer(isASCII: isASCII) }

    var line: String { isASCII ? "-" : "─" }
    var side: String { isASCII ? "|" : "│" }
    /// Of a box: top left, top right, bottom left, bottom right.
    var corners: [String] { isASCII ? ["+", "+", "+", "+"] : ["┌", "┐", "└", "┘"] }
    var cursor: String { isASCII ? ">" : "▌" }
    var bar: String { isASCII ? "#" : "█" }
    var skeleton: String { isASCII ? "." : "░" }
    var dot: String { isASCII ? "." : "·" }
    var searchMark: String { isASCII ? "/" : "⌕" }
    var previous: String { isASCII ? "<" : "‹" }
    var next: String { isASCII ? ">" : "›" }
    var up: String { isASCII ? "^" : "↑" }
    var down: String { isASCII ? "v" : "↓" }
    var ascending: String { isASCII ? "^" : "▲" }
    var descending: String { isASCII ? "v" : "▼" }
    /// In brackets, since a condition may end with the letter.
    var drop: String { isASCII ? "[x]" : "✕" }
    /// Above a place in a text that is typed.
    var caret: String { isASCII ? "v" : "▾" }
    var ellipsis: String { isASCII ? "~" : "…" }
    var sum: String { isASCII ? "sum" : "Σ" }
    var mean: String { isASCII ? "mean" : "ø" }
    var none: String { isASCII ? "-" : "–" }
    var live: String { isASCII ? "*" : "●" }
    var slow: String { isASCII ? "~" : "◐" }
    var connecting: String { isASCII ? "o" : "◌" }
    var offline: String { isASCII ? "x" : "○" }
    var readOnly: String { isASCII ? "#" : "⊘" }
    var rejected: String { "!" }
    var changed: String { isASCII ? "+" : "•" }
    var choices: String { isASCII ? "v" : "▾" }
    var frozen: String { isASCII ? "||" : "‖" }
    var deleted: String { isASCII ? "X" : "✗" }
    var moved: String { isASCII ? "=" : "↕" }
    var swatch: String { isASCII ? "#" : "█" }
    var detail: String { isASCII ? "i" : "ⓘ" }
    var selected: String { isASCII ? "*" : "◆" }
    var compared: String { isASCII ? "o" : "◇" }
    var selectedAndCompared: String { isASCII ? "@" : "◈" }
    var differs: String { isASCII ? "!=" : "≠" }
    var becomes: String { isASCII ? "->" : "→" }
    var check: String { isASCII ? "x" : "✓" }

    func quoted(_ text: String) -> String { isASCII ? "\"\(text)\"" : "“\(text)”" }

    /// Words that come with a catalog, such as the grouping `A–Z`, or from a server.
    func plain(_ text: String) -> String {
        guard isASCII else { return text }
        return String(text.map { Glyphs.plainSigns[$0] ?? $0 })
    }

    /// A condition as text.
    func ofCondition(_ text: String) -> String {
        guard isASCII else { return text }
        return plain(
            text.replacing("≥", with: ">=").replacing("≤", with: "<=").replacing("≠", with: "!="))
    }

    private static let plainSigns: [Character: Character] = [
        "–": "-", "“": "\"", "”": "\"", "…": "~",
    ]

    /// A station's name where there is little room.
    func shortName(_ name: String) -> String {
        let longest = 12
        return name.count <= longest ? name : name.prefix(longest - 1) + ellipsis
    }

    func arrow(of sort: Query.Sort) -> String { sort.isDescending ? descending : ascending }

    /// The arrow of a sorted column; of several with its place among them.
    func arrow(of column: String, in sorts: [Query.Sort]) -> String? {
        guard let place = sorts.firstIndex(where: { $0.column == column }) else { return nil }
        return arrow(of: sorts[place]) + (sorts.count > 1 ? "\(place + 1)" : "")
    }

    /// A frame of the spinner, by the clock.
    func spinner(at milliseconds: Int) -> String {
        let frames = isASCII ? ["|", "/", "-", "\\"] : ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"]
        return frames[(milliseconds / 100) % frames.count]
    }
}
