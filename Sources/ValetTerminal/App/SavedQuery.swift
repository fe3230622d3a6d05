import ValetModel

/// A query of a list under a name, in the words that people use: so it can be asked of a list
/// that has changed since, as far as that has what it names.
package struct SavedQuery: Hashable, Sendable {
    package static let most = 256
    package static let bytesPerName = 64
    package static let bytesPerCondition = 64 << 10

    package var name: String
    /// By its name in the catalog.
    package var list: String
    package var grouping: String?
    package var sort: [Query.Sort]
    package var search: Query.Search?
    /// As they are typed.
    package var conditions: [String]

    package init(
        name: String, list: String, grouping: String? = nil, sort: [Query.Sort] = [],
        search: Query.Search? = nil, conditions: [String] = []
    ) {
        self.name = name
        self.list = list
        self.grouping = grouping
        self.sort = sort
        self.search = search
        self.conditions = conditions
    }

    /// The query, and what of it the list doesn't have any more, in words.
    func query(
        of list: ListDescription, reader: ConditionReader, glyphs: Glyphs
    ) -> (asked: Query, lost: [String]) {
        var asked = Query()
        var lost: [String] = []
        func has(_ column: String) -> Bool {
            NameLookup.index(of: column, in: list.columns, by: \.name) != nil
        }
        func keeps(_ isThere: Bool, _ words: String) -> Bool {
            if !isThere { lost.append(words) }
            return isThere
        }
        if let grouping {
            let isThere = NameLookup.index(of: grouping, in: list.groupings, by: \.name) != nil
            if keeps(isThere || has(grouping), "the grouping \(glyphs.quoted(grouping))") {
                asked.grouping = grouping
            }
        }
        asked.sort = sort.filter {
            keeps(has($0.column), "the sort by \(glyphs.quoted($0.column))")
        }
        if let search {
            let scope = search.scope ?? list.scopes.first?.name
            let isThere = scope.flatMap { NameLookup.index(of: $0, in: list.scopes, by: \.name) }
            let place = search.scope.map { " in \(glyphs.quoted($0))" } ?? ""
            if keeps(isThere != nil, "the search for \(glyphs.quoted(search.text))\(place)") {
                asked.search = search
            }
        }
        asked.conditions = conditions.compactMap { text in
            let condition = try? reader.condition(text)
            _ = keeps(condition != nil, "the condition \(glyphs.ofCondition(text))")
            return condition
        }
        return (asked, lost)
    }

    /// What it asks, for a line of a palette.
    func text(_ glyphs: Glyphs) -> String {
        var parts = conditions.map(glyphs.ofCondition)
        if let search {
            parts.append(
                glyphs.quoted(search.text) + (search.scope.map { " in \(glyphs.plain($0))" } ?? ""))
        }
        if let grouping { parts.append("by \(glyphs.plain(grouping))") }
        if !sort.isEmpty {
            let keys = sort.map {
                "\($0.column) \($0.isDescending ? glyphs.descending : glyphs.ascending)"
            }
            parts.append("sort \(keys.joined(separator: " "))")
        }
        return parts.isEmpty ? "all rows" : parts.joined(separator: ", ")
    }
}
