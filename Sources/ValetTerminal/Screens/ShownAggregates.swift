import ValetModel

/// Aggregates of a list's view: of all its rows, or of sections. With neither, the answer says only
/// which revision is the newest.
package struct WantedAggregates: Hashable, Sendable {
    package var measures: [Measure] = []
    package var ofAllRows = false
    package var sections: [Int] = []
}

/// The aggregates on the screen: those that are known, and the request under way.
///
/// Nothing is asked before the screen has rested, and one request is under way at a time. Another
/// takes its place only when nothing that it asks for is on the screen any more. What is known
/// stays until newer values are here: they are asked for when the rows have changed, and the longer
/// the server counts, the less often.
struct ShownAggregates: Sendable {
    /// A section as a person knows it: others may come or go before it.
    struct Section: Hashable, Sendable {
        var ordinal: Int
        var title: String
    }

    /// What the screen has places for.
    struct Places: Hashable, Sendable {
        var query = Query()
        var generation: UInt32 = 0
        /// In each section.
        var sectionMeasures: [Measure] = []
        var sections: [Section] = []
        /// Of the column under the cell cursor, over all rows.
        var columnMeasures: [Measure] = []
    }

    /// The rows that are shown.
    struct Rows: Sendable {
        var revision: UInt64
        var sectionsVersion: UInt64
        /// What is known is not asked for again.
        var isFrozen: Bool
    }

    private struct Known {
        var value: AggregateValue
        var revision: UInt64
    }

    private struct Request {
        var asked: WantedAggregates
        var sections: [Section]
        var sentMilliseconds: Int
    }

    /// By the list's groupings.
    let sectionTexts: [ListScreen.SectionTexts]
    private var places = Places()
    private var restingSince = 0
    private var sections: [Section: [Measure: Known]] = [:]
    /// Of their ordinals.
    private var sectionsVersion: UInt64 = 0
    private var column: [Measure: Known] = [:]
    private var newestRevision: UInt64 = 0
    private var request: Request?
    /// Nothing is asked for a second time before.
    private var againMilliseconds = 0
    /// After a failure nothing is asked before.
    private var pauseMilliseconds = 0

    /// Values that were seen in sections are kept for so many of them.
    private static let sectionLimit = 1_024
    private static let shortestPause = 1_000
    /// The server counts for one of so many parts of the time.
    private static let share = 10

    init(sectionTexts: [ListScreen.SectionTexts] = []) {
        self.sectionTexts = sectionTexts
    }

    // MARK: What is known

    /// nil until it is known.
    func value(_ measure: Measure, in section: Section) -> AggregateValue? {
        sections[section]?[measure]?.value
    }

    /// Over all rows; nil until all are known.
    func values(_ measures: [Measure]) -> [AggregateValue]? {
        let known = measures.compactMap { column[$0]?.value }
        return known.count == measures.count ? known : nil
    }

    // MARK: Asking

    /// The screen is as it is; `next` may have something to ask.
    mutating func show(_ shown: Places, _ rows: Rows, at milliseconds: Int) {
        if shown.query != places.query {
            self = ShownAggregates(sectionTexts: sectionTexts)
        } else if shown.generation != places.generation {
            // The same rows, after a break: what was known of them may be old.
            request = nil
            newestRevision = 0
            sections = sections.mapValues(Self.outdated)
            column = Self.outdated(column)
        }
        if rows.sectionsVersion != sectionsVersion {
            // The ordinals are others: what is known goes along with the titles.
            let known = Dictionary(sections.map { ($0.key.title, $0.value) }) { first, _ in first }
            sections = [:]
            for section in shown.sections {
                sections[section] = known[section.title].map(Self.outdated)
            }
            sectionsVersion = rows.sectionsVersion
            if request?.sections.isEmpty == false { request = nil }
        }
        newestRevision = max(newestRevision, rows.revision)
        guard shown != places else { return }
        places = shown
        restingSince = milliseconds
    }

    private static func outdated(_ known: [Measure: Known]) -> [Measure: Known] {
        known.mapValues { Known(value: $0.value, revision: 0) }
    }

    /// The request to send now, under way from then on.
    mutating func next(_ rows: Rows, at milliseconds: Int) -> WantedAggregates? {
        guard let (wanted, due) = wanted(rows), due <= milliseconds else { return nil }
        return send(wanted, at: milliseconds)
    }

    /// When `next` has something to ask; nil if it has nothing before something else happens.
    func dueMilliseconds(_ rows: Rows) -> Int? { wanted(rows)?.due }

    /// Once in a while: asks whether rows have changed that are not on the screen.
    mutating func probe(_ rows: Rows, at milliseconds: Int) -> WantedAggregates? {
        guard request == nil, !places.sections.isEmpty || !places.columnMeasures.isEmpty,
            !rows.isFrozen, wanted(rows) == nil
        else { return nil }
        return send(Wanted(measures: [], sections: []), at: milliseconds)
    }

    private struct Wanted {
        var measures: [Measure]
        /// None for all rows.
        var sections: [Section]
    }

    private mutating func send(_ wanted: Wanted, at milliseconds: Int) -> WantedAggregates {
        let asked = WantedAggregates(
            measures: wanted.measures,
            ofAllRows: wanted.sections.isEmpty && !wanted.measures.isEmpty,
            sections: wanted.sections.map(\.ordinal))
        request = Request(asked: asked, sections: wanted.sections, sentMilliseconds: milliseconds)
        return asked
    }

    private func wanted(_ rows: Rows) -> (Wanted, due: Int)? {
        guard !awaitsWhatIsShown else { return nil }
        let rest = max(restingSince + App.restMilliseconds, pauseMilliseconds)
        if let missing = wanted(olderThan: 0) { return (missing, rest) }
        guard !rows.isFrozen, let old = wanted(olderThan: newestRevision) else { return nil }
        return (old, max(rest, againMilliseconds))
    }

    /// The sections first, as they are nearer to the rows.
    private func wanted(olderThan revision: UInt64) -> Wanted? {
        let isOld = { (known: Known?) in known.map { $0.revision < revision } ?? true }
        let sections = places.sections.filter { section in
            places.sectionMeasures.contains { isOld(self.sections[section]?[$0]) }
        }.prefix(Limits.sectionsPerAggregates)
        if !sections.isEmpty {
            return Wanted(measures: places.sectionMeasures, sections: Array(sections))
        }
        guard places.columnMeasures.contains(where: { isOld(column[$0]) }) else { return nil }
        return Wanted(measures: places.columnMeasures, sections: [])
    }

    private var awaitsWhatIsShown: Bool {
        guard let request else { return false }
        return request.asked.ofAllRows
            ? request.asked.measures == places.columnMeasures
            : request.sections.contains(where: places.sections.contains)
    }

    // MARK: Answers

    mutating func take(_ aggregates: Aggregates, to asked: WantedAggregates, at milliseconds: Int) {
        guard let request = ended(asked) else { return }
        newestRevision = max(newestRevision, aggregates.revision)
        let took = max(milliseconds - request.sentMilliseconds, 0)
        againMilliseconds = milliseconds + max(Self.shortestPause, Self.share * took)
        func known(_ rows: Aggregates.Rows) -> [Measure: Known] {
            let values = rows.values.map { Known(value: $0, revision: aggregates.revision) }
            return Dictionary(zip(asked.measures, values)) { first, _ in first }
        }
        if let rows = aggregates.allRows { column.merge(known(rows)) { $1 } }
        if sections.count > Self.sectionLimit {
            sections = sections.filter { places.sections.contains($0.key) }
        }
        let found = aggregates.sectionsVersion == sectionsVersion ? aggregates.sections : []
        for section in request.sections {
            guard let rows = found.first(where: { $0.section == section.ordinal })?.rows else {
                // The sections are others now, as the next window says.
                pauseMilliseconds = milliseconds + Self.shortestPause
                continue
            }
            sections[section] = known(rows)
        }
    }

    mutating func failed(_ asked: WantedAggregates, at milliseconds: Int) {
        guard ended(asked) != nil else { return }
        againMilliseconds = milliseconds + Self.share * Self.shortestPause
        pauseMilliseconds = againMilliseconds
    }

    /// The request under way, if this is its answer.
    private mutating func ended(_ asked: WantedAggregates) -> Request? {
        guard let request, request.asked == asked else { return nil }
        self.request = nil
        return request
    }
}
