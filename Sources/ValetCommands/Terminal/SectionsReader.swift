import ValetClient
import ValetModel
import ValetTerminal

/// Reads sections beside the list's own view, in a view of its own, which stays open for the next
/// question. A newer question supersedes one that still waits.
actor SectionsReader {
    private let connection: ValetConnection
    /// The number of the newest query.
    private var newest: UInt64 = 0
    private var list = ""
    private var opening: Task<Result<ValetView, ValetError>, Never>?
    /// What the view was asked last, and its answer.
    private var question: Question?
    private var summary: ViewSummary?

    init(_ connection: ValetConnection) {
        self.connection = connection
    }

    /// - Parameter number: counts up with each query. They may come here, and go on when the view
    ///   is open, in any order.
    func page(_ query: SectionsQuery, number: UInt64) async throws(ValetError) -> SectionsPage {
        var attempts = 1
        while true {
            try check(number)
            newest = number
            do throws(ValetError) {
                return try await answer(to: query, number)
            } catch {
                // The view may have got an older question later.
                guard error.code == .superseded, number == newest, attempts < Self.mostAttempts
                else { throw error }
                question = nil
                attempts += 1
            }
        }
    }

    private func answer(
        to query: SectionsQuery, _ number: UInt64
    ) async throws(ValetError) -> SectionsPage {
        let view = try await view(of: query)
        try check(number)
        if question != query.question {
            (question, summary) = (query.question, nil)
            do throws(ValetError) {
                let answer = try await view.rearrange(query.question)
                if question == query.question { summary = answer }
            } catch {
                if question == query.question { question = nil }
                throw error
            }
        }
        let sections =
            switch query.order {
            case .inPlace: try await view.sections(from: query.first, count: query.most)
            case .byRows: try await view.largestSections(from: query.first, count: query.most)
            }
        try check(number)
        guard let summary, question == query.question else { throw Self.superseded }
        return SectionsPage(
            totalRows: summary.totalRows, totalSections: summary.totalSections,
            sections: sections)
    }

    private func check(_ number: UInt64) throws(ValetError) {
        guard number >= newest else { throw Self.superseded }
    }

    /// More than there are older questions on their way when somebody types.
    private static let mostAttempts = 16
    private static let superseded = ValetError(.superseded, "a newer question was asked")

    private func view(of query: SectionsQuery) async throws(ValetError) -> ValetView {
        if list != query.list.name {
            let old = opening
            opening = nil
            if let old {
                Task { if case .success(let view) = await old.value { try? await view.close() } }
            }
        }
        if opening == nil {
            list = query.list.name
            question = query.question
            let columns = query.list.columns.prefix(1).map(\.name)
            opening = Task { [connection, list] in
                do throws(ValetError) {
                    return .success(
                        try await connection.openView(
                            list: list, columns: columns, query.question))
                } catch {
                    return .failure(error)
                }
            }
        }
        guard let opening else { throw ValetError(.superseded, "another list was opened") }
        switch await opening.value {
        case .success(let view):
            if question == query.question, summary == nil, case .open(let answer) = view.state {
                summary = answer
            }
            return view
        case .failure(let error):
            if self.opening == opening { self.opening = nil }
            throw error
        }
    }
}
