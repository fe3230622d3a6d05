import Foundation
import ValetModel
import ValetStore
import ValetTerminal

/// Saved questions, in `questions.yaml` beside `config.yaml`.
///
/// It is a file of its own because Valet writes it: `config.yaml` is a person's, whose comments and
/// order would be lost. Used off the terminal's thread, one call after the other.
actor QuestionsFile {
    private let path: String

    static let standardPath = UserFolder.config.path() + "/questions.yaml"

    init(path: String = standardPath) {
        self.path = path
    }

    /// In order of their lists and names.
    func read() throws(ValetError) -> [SavedQuestion] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let fields = try YAMLValue(file: path).fields(["questions"])
        guard let list = fields["questions"] else { return [] }
        var questions: [SavedQuestion] = []
        for value in try list.elements(limit: SavedQuestion.most, of: "saved questions") {
            let question = try SavedQuestion(value)
            guard !questions.contains(where: question.isNamed) else {
                throw value.error("“\(question.name)” stands here more than once")
            }
            questions.append(question)
        }
        return questions.sorted { ($0.list, $0.name) < ($1.list, $1.name) }
    }

    /// The file is read again before, so that what other windows have saved stays, and a file that
    /// can't be read is left as it is.
    /// - Returns: whether it took the place of another.
    func save(_ question: SavedQuestion) throws(ValetError) -> Bool {
        var questions = try read()
        let place = questions.firstIndex(where: question.isNamed)
        if let place {
            questions[place] = question
        } else {
            guard questions.count < SavedQuestion.most else {
                throw ValetError(
                    .limitExceeded,
                    "“\(path)” has \(SavedQuestion.most) questions: take some out of it")
            }
            questions.append(question)
        }
        let text = Self.header + questions.map(\.yaml).joined()
        guard text.utf8.count <= Limits.bytesPerCatalogFile,
            question.conditions.allSatisfy({ $0.utf8.count <= SavedQuestion.bytesPerCondition })
        else { throw ValetError(.limitExceeded, "the question is too long for “\(path)”") }
        // A link to a file elsewhere stays one.
        let file = URL(filePath: path).resolvingSymlinksInPath()
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw ValetError(
                .storageFailed, "“\(path)” can't be written: \(error.localizedDescription)")
        }
        return place != nil
    }

    private static let header = """
        # The questions that valet keeps by :save. It writes the file anew, without other comments.
        questions:

        """
}

extension SavedQuestion {
    /// Whether one is to take the other's place.
    fileprivate func isNamed(_ other: SavedQuestion) -> Bool {
        other.list == list && TextFolding.fold(other.name) == TextFolding.fold(name)
    }

    // MARK: Reading

    fileprivate init(_ value: YAMLValue) throws(ValetError) {
        let fields = try value.fields(["name", "list", "group", "sort", "search", "scope", "where"])
        guard let name = fields["name"], let list = fields["list"] else {
            throw value.error("must have a name and a list")
        }
        self.init(
            name: try name.text(limit: SavedQuestion.bytesPerName), list: try list.text(),
            grouping: try fields["group"]?.text())
        for key in try fields["sort"]?.elements(limit: Limits.sortsPerQuestion, of: "sorts") ?? [] {
            let parts = try key.fields(["column", "descending"])
            guard let column = parts["column"] else { throw key.error("must have a column") }
            sort.append(
                Question.Sort(
                    column: try column.text(),
                    isDescending: try parts["descending"]?.boolean() ?? false))
        }
        if let text = fields["search"] {
            search = Question.Search(
                text: try text.text(limit: Limits.bytesPerSearch),
                scope: try fields["scope"]?.text())
        }
        for condition in try fields["where"]?.elements(
            limit: Limits.conditionsPerQuestion, of: "conditions") ?? []
        {
            conditions.append(try condition.text(limit: SavedQuestion.bytesPerCondition))
        }
    }

    // MARK: Writing

    fileprivate var yaml: String {
        var lines = ["  - name: \(Self.quoted(name))", "    list: \(Self.quoted(list))"]
        if let grouping { lines.append("    group: \(Self.quoted(grouping))") }
        if !sort.isEmpty { lines.append("    sort:") }
        for key in sort {
            lines.append("      - column: \(Self.quoted(key.column))")
            if key.isDescending { lines.append("        descending: true") }
        }
        if let search {
            lines.append("    search: \(Self.quoted(search.text))")
            if let scope = search.scope { lines.append("    scope: \(Self.quoted(scope))") }
        }
        if !conditions.isEmpty { lines.append("    where:") }
        lines += conditions.map { "      - \(Self.quoted($0))" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A string of JSON is one of YAML, but for what its reader takes for an anchor or refuses.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in JSON.text(.text(text)).unicodeScalars {
            switch scalar {
            case "&", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }
}
