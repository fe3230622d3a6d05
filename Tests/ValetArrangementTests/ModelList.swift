import ValetArrangement
import ValetModel

/// A list as plain rows, and its arrangements by sorting and comparing cells: what the module's
/// answers are held against.
struct ModelList {
    var descriptions: [ColumnDescription]
    var rows: [Int64: [Cell]] = [:]

    mutating func apply(_ change: RowChange) {
        switch change {
        case .insert(let id, let cells):
            rows[id] = descriptions.indices.map { cells[$0] ?? .null }
        case .delete(let id): rows[id] = nil
        case .update(let id, let cells):
            for (column, cell) in cells { rows[id]![column] = cell }
        }
    }

    func value(_ id: Int64, _ column: Int) -> ModelValue {
        ModelValue(rows[id]![column], in: descriptions[column])
    }
}

/// A model's rows in order, cut into sections.
struct ModelArrangement {
    var rows: [Int64] = []
    var sections: [SectionSummary] = []
    /// The sections' index titles, neighbours with the same one merged.
    var index: [IndexEntry] = []
    /// Rows that the search, if any, does not find.
    var hidden: [Int64] = []

    private struct Item {
        var id: Int64
        var section: ModelSection
        var keys: [ModelValue]
    }

    init(
        _ list: ModelList, _ specification: ArrangementSpecification, search: ModelSearch?,
        titles: SectionTitles
    ) {
        var items: [Item] = []
        for id in list.rows.keys {
            if let search, !search.finds(id, in: list) {
                hidden.append(id)
                continue
            }
            let section =
                specification.sectionColumn.map {
                    ModelSection(
                        list.value(id, $0), specification.expression, specification.zone)
                } ?? .all
            let keys = specification.rowOrder.map { list.value(id, $0.column) }
            items.append(Item(id: id, section: section, keys: keys))
        }
        items.sort { Self.isBefore($0, $1, specification) }
        rows = items.map(\.id)
        cut(items, list, specification, titles)
    }

    private static func isBefore(
        _ left: Item, _ right: Item, _ specification: ArrangementSpecification
    ) -> Bool {
        let sections = ModelSection.order(
            left.section, right.section, isDescending: specification.isDescending)
        if sections != 0 { return sections < 0 }
        for (index, key) in specification.rowOrder.enumerated() {
            let order = ModelValue.order(
                left.keys[index], right.keys[index], isDescending: key.isDescending)
            if order != 0 { return order < 0 }
        }
        return left.id < right.id
    }

    private mutating func cut(
        _ items: [Item], _ list: ModelList, _ specification: ArrangementSpecification,
        _ titles: SectionTitles
    ) {
        var previous: ModelSection?
        let isPlain = specification.isFlat || specification.sectionColumn == nil
        for (ordinal, item) in items.enumerated() {
            defer { previous = item.section }
            if let previous,
                isPlain || ModelSection.order(previous, item.section, isDescending: false) == 0
            {
                sections[sections.count - 1].count += 1
                continue
            }
            var title = isPlain ? "" : item.section.title
            if !isPlain, let template = titles.template {
                title = Self.filled(template, with: title)
            }
            var indexTitle: String?
            if !isPlain {
                switch titles.indexTitles {
                case .none: break
                case .wholeValue: indexTitle = title
                case .firstLetter:
                    let value = list.value(item.id, specification.sectionColumn!)
                    indexTitle = ModelSection.letter(of: value).title
                }
            }
            let summary = SectionSummary(
                section: sections.count, title: title, first: ordinal, count: 1,
                indexTitle: indexTitle)
            sections.append(summary)
            guard let indexTitle else { continue }
            if titles.indexTitles == .wholeValue || index.last?.title != indexTitle {
                index.append(
                    IndexEntry(title: indexTitle, section: summary.section, first: ordinal))
            }
        }
    }

    private static func filled(_ template: String, with value: String) -> String {
        let scalars = Array(template.unicodeScalars)
        for index in scalars.indices.dropLast() where scalars[index...index + 1] == ["{", "}"] {
            var filled = String.UnicodeScalarView(scalars[..<index])
            filled += value.unicodeScalars
            filled += scalars[(index + 2)...]
            return String(filled)
        }
        return value
    }

    func section(ofRow ordinal: Int) -> SectionSummary {
        sections.last { $0.first <= ordinal }!
    }
}
