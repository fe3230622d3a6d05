import ValetTerminal

/// One thing that was looked at.
struct Finding: Equatable {
    enum State: String {
        case ok
        /// Nothing is wrong, and something could be better.
        case note
        case wrong
    }

    var check: String
    var state = State.ok
    var found: String
    /// What to do about it.
    var advice: String?

    var record: OutputRecord {
        [
            ("check", .text(check)), ("state", .text(state.rawValue)), ("found", .text(found)),
            ("advice", .optional(advice)),
        ]
    }

    /// For a person.
    var line: String {
        func padded(_ text: String, to width: Int) -> String {
            text + String(repeating: " ", count: max(width - text.count, 0))
        }
        let words = padded(state.rawValue, to: 7) + padded(check, to: 11) + found
        return Sanitizer().line(of: words + (advice.map { ": " + $0 } ?? ""))
    }
}
