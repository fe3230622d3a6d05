import ValetClient
import ValetModel

/// Values in headers and footers, and those of the column under the cell cursor: asked for when the
/// rows are here and the screen rests.
extension ListScreen {
    /// The header and the footer of a grouping's sections.
    struct SectionTexts: Hashable, Sendable {
        var header: SectionTemplate?
        var footer: SectionTemplate?
        var measures: [Measure]

        init(_ grouping: Grouping, _ columns: [ColumnDescription]) {
            header = grouping.headerTemplate.map { SectionTemplate(shown: $0, columns) }
            footer = grouping.footerTemplate.map { SectionTemplate(shown: $0, columns) }
            measures = [header, footer].compactMap(\.self).reduce(into: []) { measures, template in
                measures += template.measures(of: columns).filter { !measures.contains($0) }
            }
        }
    }

    var shownSectionTexts: SectionTexts? { grouping.map { aggregates.sectionTexts[$0] } }

    // MARK: Asking

    mutating func askForAggregates(at milliseconds: Int) -> [ScreenOutcome] {
        guard let rows = aggregateRows else { return [] }
        aggregates.show(aggregatePlaces, rows, at: milliseconds)
        return aggregates.next(rows, at: milliseconds).map { [request($0)] } ?? []
    }

    mutating func probeAggregates(at milliseconds: Int) -> [ScreenOutcome] {
        guard let rows = aggregateRows else { return [] }
        return aggregates.probe(rows, at: milliseconds).map { [request($0)] } ?? []
    }

    var aggregatesDueMilliseconds: Int? { aggregateRows.flatMap(aggregates.dueMilliseconds) }

    private func request(_ wanted: WantedAggregates) -> ScreenOutcome {
        .call(.aggregates(generation: view.generation, wanted))
    }

    /// nil while rows are awaited, which come first.
    private var aggregateRows: ShownAggregates.Rows? {
        guard isConnected, view.failure == nil, !held.isStale, viewport.jump == nil,
            !viewport.isScrubbing,
            viewport.requests.outstanding == nil, let window = held.window,
            window.generation == view.generation
        else { return nil }
        return ShownAggregates.Rows(
            revision: window.revision, sectionsVersion: window.sectionsVersion,
            isFrozen: frozen != nil)
    }

    private var aggregatePlaces: ShownAggregates.Places {
        var places = ShownAggregates.Places(query: query, generation: view.generation)
        if let measuredColumn {
            places.columnMeasures = ListScreen.measures(of: list.columns[measuredColumn])
        }
        guard isSectioned, let measures = shownSectionTexts?.measures, !measures.isEmpty else {
            return places
        }
        places.sectionMeasures = measures
        for (place, line) in lines.enumerated() {
            let section: SectionRun? =
                switch line {
                case .header(let run), .footer(let run): run
                case .row(let ordinal, _) where place < firstLine: held.section(at: ordinal)
                case .row, .lifted, .blank: nil
                }
            guard let section = section?.aggregated, !places.sections.contains(section) else {
                continue
            }
            places.sections.append(section)
        }
        return places
    }

    /// The column under the cell cursor, once a person has moved it: nobody else is asked to pay
    /// for its values.
    var measuredColumn: Int? {
        guard columns.hasChosen, let cellColumn, list.columns.indices.contains(cellColumn) else {
            return nil
        }
        return cellColumn
    }

    mutating func take(
        _ found: Aggregates, to wanted: WantedAggregates, generation asked: UInt32,
        at milliseconds: Int
    ) {
        if asked == view.generation { aggregates.take(found, to: wanted, at: milliseconds) }
    }

    mutating func failed(
        _ wanted: WantedAggregates, generation asked: UInt32, at milliseconds: Int
    ) {
        if asked == view.generation { aggregates.failed(wanted, at: milliseconds) }
    }

    // MARK: What stands in headers and footers

    func text(of template: SectionTemplate, in run: SectionRun) -> String {
        template.segments.map { segment in
            switch segment {
            case .literal(let text): return glyphs.plain(text)
            case .title: return run.title
            case .rowCount: return run.count.grouped
            case .measure(let function, let column):
                let described = list.columns[column]
                let measure = Measure(column: described.name, function: function)
                return aggregates.value(measure, in: run.aggregated)?
                    .text(function, of: described, glyphs) ?? glyphs.ellipsis
            }
        }.joined()
    }
}

extension SectionRun {
    fileprivate var aggregated: ShownAggregates.Section {
        ShownAggregates.Section(ordinal: section, title: title)
    }
}

extension SectionTemplate {
    /// As it is written where a later server knows more.
    fileprivate init(shown text: String, _ columns: [ColumnDescription]) {
        let problem = { ValetError(.malformed, $0) }
        do throws(ValetError) {
            try self.init(
                text, columns: columns,
                column: { name throws(ValetError) in
                    guard let column = columns.firstIndex(where: { $0.name == name }) else {
                        throw problem("no such column")
                    }
                    return column
                }, problem: problem)
        } catch {
            self.init(literal: text)
        }
    }
}
