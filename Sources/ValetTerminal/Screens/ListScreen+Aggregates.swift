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
            measures =
                [header, footer].compactMap(\.self).flatMap { $0.measures(of: columns) }
                .withoutDuplicates
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
            !viewport.isScrubbing, viewport.requests.outstanding == nil, let window = held.window,
            window.generation == view.generation
        else { return nil }
        return ShownAggregates.Rows(
            revision: window.revision, sectionsVersion: window.sectionsVersion,
            isFrozen: frozen != nil)
    }

    private var aggregatePlaces: ShownAggregates.Places {
        var places = ShownAggregates.Places(query: query, generation: view.generation)
        if let chosenColumn {
            places.columnMeasures = ListScreen.measures(of: list.columns[chosenColumn])
        }
        guard isSectioned, let measures = shownSectionTexts?.measures, !measures.isEmpty else {
            return places
        }
        places.sectionMeasures = measures
        for (place, line) in lines.enumerated() {
            if case .row = line, place >= firstLine { continue }
            if let section = section(of: line)?.aggregated, !places.sections.contains(section) {
                places.sections.append(section)
            }
        }
        return places
    }

    /// The column under the cell cursor, once a person has moved it: nobody else is asked to pay
    /// for its values.
    var chosenColumn: Int? {
        guard columns.hasChosen, let cellColumn else { return nil }
        return list.columns.indices.contains(cellColumn) ? cellColumn : nil
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

    // MARK: In the status line

    /// Of the column under the cell cursor, each a part of the status line: `Σ 12,345`, `ø 12.3`,
    /// `2–99`.
    var columnAggregates: [String] {
        guard let column = chosenColumn.map({ list.columns[$0] }) else { return [] }
        let measures = ListScreen.measures(of: column)
        guard let values = aggregates.values(measures) else { return [] }
        var texts: [AggregateFunction: String] = [:]
        for (measure, value) in zip(measures, values) where value != .none {
            texts[measure.function] = value.text(measure.function, of: column, glyphs)
        }
        var parts: [String] = []
        if let sum = texts[.sum] { parts.append("\(glyphs.sum) \(sum)") }
        if let mean = texts[.mean] { parts.append("\(glyphs.mean) \(mean)") }
        if let least = texts[.least], let greatest = texts[.greatest] {
            let isPlain = (least + greatest).utf8.allSatisfy { $0 != 0x20 && $0 != 0x2D }
            let dash = isPlain ? glyphs.none : " \(glyphs.none) "
            parts.append(least == greatest ? least : least + dash + greatest)
        }
        if let distinct = texts[.distinct] { parts.append("\(distinct) distinct") }
        return parts
    }

    /// What the status line says of a column.
    static func measures(of column: ColumnDescription) -> [Measure] {
        let functions: [AggregateFunction] =
            switch column.type {
            case .integer, .real: [.sum, .mean, .least, .greatest]
            case .date: [.least, .greatest]
            case .boolean: [.sum, .mean]
            case .text, .blob: [.distinct]
            }
        return functions.map { Measure(column: column.name, function: $0) }
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

/// Aggregates as people read them.
extension AggregateValue {
    /// Values of the column as its cells are shown; sums and counts with a comma between thousands.
    func text(
        _ function: AggregateFunction, of column: ColumnDescription, _ glyphs: Glyphs
    ) -> String {
        switch (self, function) {
        case (.none, _): glyphs.none
        case (.whole(let number), _): ColumnFormat.quantity(number, column.format)
        case (.cell(.integer(let number)), .count), (.cell(.integer(let number)), .distinct):
            ColumnFormat.quantity(Int128(number), .plain)
        case (.cell(.integer(let number)), .sum):
            ColumnFormat.quantity(Int128(number), column.format)
        case (.cell(.real(let number)), .sum): ColumnFormat.quantity(number, column.format)
        case (.cell(.real(let number)), .mean) where column.type != .date:
            ColumnFormat.mean(number, column.format)
        case (.cell(let cell), _): CellText.of(cell, in: column, glyphs: glyphs).text
        }
    }
}
