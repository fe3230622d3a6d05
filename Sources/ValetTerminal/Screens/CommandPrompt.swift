import ValetModel

/// What is typed behind `:`: a place to go to, or what to do with the query that holds.
struct CommandPrompt: CompletedPrompt, Hashable, Sendable {
    enum Command: Hashable, Sendable {
        case go(TypedPlace)
        case save(name: String)
        /// nil lists them.
        case open(name: String?)
        case export(path: String)
        case showCommand
        /// `fuel = 12.5`, for the rows that are selected.
        case set(String)
    }

    private enum Verb: String, CaseIterable {
        case open
        case save
        case export
        case command
        case set

        var note: String {
            switch self {
            case .open, .save: "a saved query"
            case .export: "the rows, to a file"
            case .command: "the command line for them"
            case .set: "a field of the selected rows"
            }
        }

        var takesText: Bool { self != .command }
    }

    var field = TextField(limit: 4 * SavedQuery.bytesPerName)
    var chosen: Int?
    /// Of the list's saved queries, or of its columns.
    private var names: [String] = []

    private static let mostCompletions = 8

    init() {}

    /// - Parameters:
    ///   - columns: the names of those that can be set.
    ///   - chosen: the one that is likely to be.
    init(settingOneOf columns: [String], likely chosen: String? = nil) {
        let assigned = chosen.map { "\($0) = " } ?? ""
        insert("\(Verb.set.rawValue) \(assigned)")
        names = columns
    }

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
            guard (1...SavedQuery.bytesPerName).contains(parts.name.utf8.count) else { return nil }
            return .save(name: parts.name)
        case .export: return parts.name.isEmpty ? nil : .export(path: parts.name)
        case .command: return parts.name.isEmpty ? .showCommand : nil
        case .set: return parts.name.utf8.contains(UInt8(ascii: "=")) ? .set(parts.name) : nil
        }
    }

    /// What to say where there is no command.
    var advice: String {
        switch parts?.verb {
        case nil:
            "There are 20000, 50%, open NAME, save NAME, export FILE, command, set X = Y"
        case .export: "export takes a file: .csv, .tsv, .json, .jsonl, .xlsx or .sqlite"
        case .command: "command stands alone"
        case .set: "set takes a column and a value: set fuel = 12.5"
        case .open, .save:
            "save takes a name of up to \(SavedQuery.bytesPerName) bytes: save new cars"
        }
    }

    // MARK: Completion

    /// A name may follow.
    var wantsNames: Bool {
        guard let verb = parts?.verb, verb == .open || verb == .save else { return false }
        return field.text.utf8.contains(UInt8(ascii: " "))
    }

    /// A column's name may follow.
    var wantsColumns: Bool {
        parts?.verb == .set && field.text.utf8.contains(UInt8(ascii: " "))
            && !field.text.utf8.contains(UInt8(ascii: "="))
    }

    mutating func take(names: [String]) {
        self.names = names
        chosen = nil
    }

    var completions: [Completion] {
        guard let parts, wantsNames || wantsColumns else {
            guard !field.text.isEmpty, !field.text.utf8.contains(UInt8(ascii: " ")) else {
                return []
            }
            return Verb.allCases.filter { $0.rawValue.hasPrefix(field.text.lowercased()) }
                .map { Completion(text: $0.rawValue + ($0.takesText ? " " : ""), note: $0.note) }
        }
        let wanted = TextFolding.fold(parts.name)
        let fitting = names.filter { name in
            wanted.isEmpty || TextFolding.fold(name).starts(with: wanted)
        }
        return fitting.prefix(Self.mostCompletions).map {
            Completion(
                text: parts.verb == .set ? "\($0) = " : $0,
                note: parts.verb == .save ? "replaces it" : "")
        }
    }

    var head: String? { wantsNames || wantsColumns ? parts.map { $0.verb.rawValue + " " } : "" }
}

/// A place in a list as it is typed: a row number, or a percentage.
enum TypedPlace: Hashable, Sendable {
    /// From 0 to 1.
    case part(Double)
    /// From 1.
    case row(Int)

    /// nil if the text is neither: `20000`, `1,204`, `50%`.
    init?(_ text: String) {
        let digits = String(text.filter { $0 != "," && $0 != " " })
        if digits.hasSuffix("%") {
            guard let percent = Double(digits.dropLast()), (0...100).contains(percent)
            else { return nil }
            self = .part(percent / 100)
        } else {
            guard let number = Int(digits), number >= 0 else { return nil }
            self = .row(number)
        }
    }

    func ordinal(of total: Int) -> Int {
        switch self {
        case .part(let part): Int((part * Double(max(total - 1, 0))).rounded())
        case .row(let number): min(max(number, 1), max(total, 1)) - 1
        }
    }

    /// For a list that nobody has counted yet.
    var anchor: Anchor {
        switch self {
        case .part(let part): .fraction(UInt32(min((part * 0x1p32).rounded(), Double(UInt32.max))))
        case .row(let number): .ordinal(min(max(number, 1), Limits.rowsPerList) - 1)
        }
    }
}
