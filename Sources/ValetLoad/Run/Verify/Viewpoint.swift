import ValetClient
import ValetModel
import ValetReference

/// What a view's answers must agree with: the query of a list, and what the server said of both.
struct Viewpoint: Sendable {
    let query: Query
    let summary: ViewSummary
    /// What the rows that pages carry must be.
    let reference: ReferenceQuery

    init(list: ListDescription, query: Query, summary: ViewSummary) {
        self.query = query
        self.summary = summary
        reference = ReferenceQuery(query, in: list, columns: summary.columns)
    }

    /// Whether the query leaves rows out.
    var isSearch: Bool { !reference.tests.isEmpty }

    /// What it asks for, in words.
    var what: String {
        let search = query.search.map { ["“\($0.text)” in \($0.scope ?? "the first scope")"] }
        let conditions = query.conditions.map {
            "\($0.column) \($0.comparison) \($0.values)"
        }
        return ((search ?? []) + conditions).joined(separator: ", ")
    }
}
