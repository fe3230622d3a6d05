import ValetArrangement
import ValetModel

/// One view's order for work over many sections or rows, which other threads do.
struct SurveyOrder: Hashable {
    var list: Int
    var stream: UInt16
    var request: UInt32
    var generation: UInt32
    var specification: ArrangementSpecification
    var subject: Subject
    /// Unique within the connection, like an `ArrangeOrder`'s.
    var number: UInt64
    /// nil for a view that shows the newest rows.
    var pin: Pin?
    /// How often it was made in vain, since the client was sent a later revision meanwhile.
    var attempts = 0

    enum Subject: Hashable {
        case ranking(RankingPage)
        case aggregates(AggregateQuery)
    }

    /// A view waits for one survey of each kind.
    enum Kind: CaseIterable {
        case ranking, aggregates
    }

    var kind: Kind {
        switch subject {
        case .ranking: .ranking
        case .aggregates: .aggregates
        }
    }
}

/// Sections by their numbers of rows, from a rank on.
struct RankingPage: Hashable {
    var titles: SectionTitles
    var firstRank: Int
    var mostSections: Int
}

/// Measures of all rows, and of sections by their ordinals.
struct AggregateQuery: Hashable {
    var measures: [ColumnMeasure]
    var wantsAllRows: Bool
    var sections: [Int]
}

/// What a survey found.
enum Survey: Equatable, Sendable {
    case ranking(revision: UInt64, [SectionSummary])
    case aggregates(Aggregates)

    var revision: UInt64 {
        switch self {
        case .ranking(let revision, _): revision
        case .aggregates(let aggregates): aggregates.revision
        }
    }
}
