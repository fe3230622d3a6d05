import ValetModel

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

extension ListScreen {
    /// Of the column under the cell cursor, each a part of the status line: `Σ 12,345`, `ø 12.3`,
    /// `2–99`.
    var columnAggregates: [String] {
        guard let column = measuredColumn.map({ list.columns[$0] }) else { return [] }
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
