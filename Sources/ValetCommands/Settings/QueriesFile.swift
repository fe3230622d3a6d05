import Foundation
import ValetModel
import ValetStore
import ValetTerminal

/// Saved queries, in `queries.yaml` beside `config.yaml`.
///
/// It is a file of its own because Valet writes it: `config.yaml` is a person's, whose comments and
/// order would be lost. Used off the terminal's thread, one call after the other.
actor QueriesFile {
    private let path: String

    static let standardPath = UserFolder.config.path() + "/queries.yaml"

    init(path: String = standardPath) { self.path = path }

    private var isNew: Bool { !FileManager.default.fileExists(atPath: path) }

    /// The file that earlier versions wrote, which is read until this one saves a query.
    private var older: String {
        URL(filePath: path).deletingLastPathComponent().appending(path: "questions.yaml").path(
            percentEncoded: false)
    }

    /// In order of their lists and names.
    func read() throws(ValetError) -> [SavedQuery] {
        let (path, key) = isNew ? (older, "questions") : (path, "queries")
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let list = try YAMLValue(file: path).fields([key])[key] else { return [] }
        var queries: [SavedQuery] = []
        for value in try list.elements(limit: SavedQuery.most, of: "saved queries") {
            let query = try SavedQuery(value)
            guard !queries.contains(where: query.isNamed) else {
                throw value.error("“\(query.name)” is given more than once")
            }
            queries.append(query)
        }
        return queries.sorted { ($0.list, $0.name) < ($1.list, $1.name) }
    }

    /// The file is read again before, so that what other windows have saved stays, and a file that
    /// can't be read is left as it is.
    /// - Returns: whether it took the place of another.
    func save(_ query: SavedQuery) throws(ValetError) -> Bool {
        var queries = try read()
        let place = queries.firstIndex(where: query.isNamed)
        if let place {
            queries[place] = query
        } else {
            guard queries.count < SavedQuery.most else {
                throw ValetError(
                    .limitExceeded,
                    "“\(path)” has \(SavedQuery.most) queries, the limit: remove some")
            }
            queries.append(query)
        }
        let text = Self.header + queries.map(\.yaml).joined()
        guard text.utf8.count <= Limits.bytesPerCatalogFile,
            query.conditions.allSatisfy({ $0.utf8.count <= SavedQuery.bytesPerCondition })
        else { throw ValetError(.limitExceeded, "the query is too long for “\(path)”") }
        // A link to a file elsewhere stays one.
        let file = URL(filePath: path).resolvingSymlinksInPath()
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw ValetError(
                .storageFailed, "“\(path)” can't be written: \(reason(error))")
        }
        return place != nil
    }

    private static let header = """
        # The queries that valet keeps by :save. It writes the file anew, without other comments.
        queries:

        """
}

extension SavedQuery {
    /// Whether one is to take the other's place.
    fileprivate func isNamed(_ other: SavedQuery) -> Bool {
        other.list == list && TextFolding.fold(other.name) == TextFolding.fold(name)
    }

    // MARK: Reading

    fileprivate init(_ value: YAMLValue) throws(ValetError) {
        let fields = try value.fields(["name", "list", "group", "sort", "search", "scope", "where"])
        guard let name = fields["name"], let list = fields["list"] else {
            throw value.error("must have a name and a list")
        }
        self.init(
            name: try name.text(limit: SavedQuery.bytesPerName), list: try list.text(),
            grouping: try fields["group"]?.text())
        for key in try fields["sort"]?.elements(limit: Limits.sortsPerQuery, of: "sorts") ?? [] {
            let parts = try key.fields(["column", "descending"])
            guard let column = parts["column"] else { throw key.error("must have a column") }
            sort.append(
                Query.Sort(
                    column: try column.text(),
                    isDescending: try parts["descending"]?.boolean() ?? false))
        }
        if let text = fields["search"] {
            search = Query.Search(
                text: try text.text(limit: Limits.bytesPerSearch),
                scope: try fields["scope"]?.text())
        }
        for condition in try fields["where"]?.elements(
            limit: Limits.conditionsPerQuery, of: "conditions") ?? []
        {
            conditions.append(try condition.text(limit: SavedQuery.bytesPerCondition))
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
            case "&", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}": quoted += JSON.escaped(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }
}
