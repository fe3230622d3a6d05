/// A line of a cell with its columns named in braces: `{year} {make} {model}`.
package struct RowTemplate: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case literal(String)
        case column(Int)
    }

    package let segments: [Segment]

    /// A name that no column has stays as it is written.
    package init(_ text: String, columns: [ColumnDescription]) {
        var segments: [Segment] = []
        // By scalars: a brace with a combining mark behind it is another `Character`.
        var rest = text.unicodeScalars[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            if open > rest.startIndex { segments.append(.literal(String(rest[..<open]))) }
            if let column = NameLookup.index(of: name, in: columns, by: \.name) {
                segments.append(.column(column))
            } else {
                segments.append(.literal("{\(name)}"))
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { segments.append(.literal(String(rest))) }
        self.segments = segments
    }

    /// The column alone.
    package init(column: Int) {
        segments = [.column(column)]
    }

    /// The columns with tabs between them.
    package init(columns: [Int]) {
        segments = Array(columns.map { [Segment.column($0)] }.joined(separator: [.literal("\t")]))
    }

    /// The column behind its label.
    package init(column: Int, labelled columns: [ColumnDescription]) {
        let label = columns.indices.contains(column) ? columns[column].label : ""
        segments = [.literal("\(label): "), .column(column)]
    }

    package var columns: [Int] {
        segments.compactMap { if case .column(let column) = $0 { column } else { nil } }
    }
}
