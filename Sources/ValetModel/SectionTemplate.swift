/// What a section's header or footer says: `{count} in {}, {sum fuel} l`.
public struct SectionTemplate: Hashable, Sendable {
    public enum Segment: Hashable, Sendable {
        case literal(String)
        /// `{}`, the section's title.
        case title
        /// `{count}`, the number of the section's rows.
        case rowCount
        /// `{sum fuel}`: a function of the values that a column has in the section.
        case measure(AggregateFunction, column: Int)
    }

    public let segments: [Segment]

    /// - Parameters:
    ///   - column: the number of the column of that name, below the number of columns.
    ///   - problem: makes the error for a text that is no such template.
    package init(
        _ text: String, columns: [ColumnDescription],
        column: (String) throws(ValetError) -> Int, problem: (String) -> ValetError
    ) throws(ValetError) {
        var segments: [Segment] = []
        // By scalars: a brace with a combining mark behind it is another `Character`.
        var rest = text.unicodeScalars[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw problem("has a “{” without its “}”")
            }
            if open > rest.startIndex { segments.append(.literal(String(rest[..<open]))) }
            let words = String(rest[rest.index(after: open)..<close])
            switch words {
            case "": segments.append(.title)
            case "count": segments.append(.rowCount)
            default:
                let (function, name) = try Self.split(words, problem)
                let number = try column(name)
                guard function.applies(to: columns[number].type) else {
                    throw problem(
                        "“{\(words)}” needs a column of numbers, and “\(name)” is of type "
                            + columns[number].type.name)
                }
                segments.append(.measure(function, column: number))
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { segments.append(.literal(String(rest))) }
        self.segments = segments
        guard measures(of: columns).count <= Limits.measuresPerTemplate else {
            throw problem(
                "has more than \(Limits.measuresPerTemplate) values (measuresPerTemplate)")
        }
    }

    package init(literal text: String) { segments = [.literal(text)] }

    private static func split(
        _ words: String, _ problem: (String) -> ValetError
    ) throws(ValetError) -> (AggregateFunction, column: String) {
        let parts = words.split(separator: " ", maxSplits: 1)
        guard parts.count == 2,
            let function = AggregateFunction.allCases.first(where: { $0.name == parts[0] })
        else {
            let names = AggregateFunction.allCases.map(\.name).joined(separator: ", ")
            throw problem(
                "“{\(words)}” must be “{}”, “{count}”, or a function (\(names)) and a column, "
                    + "such as “{sum fuel}”")
        }
        return (function, String(parts[1]))
    }

    /// What it shows of columns, each once.
    package func measures(of columns: [ColumnDescription]) -> [Measure] {
        segments.reduce(into: []) { measures, segment in
            guard case .measure(let function, let column) = segment else { return }
            let measure = Measure(column: columns[column].name, function: function)
            if !measures.contains(measure) { measures.append(measure) }
        }
    }

    /// The template as it is written, with the columns' own names.
    package func text(naming columns: [ColumnDescription]) -> String {
        segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .title: "{}"
            case .rowCount: "{count}"
            case .measure(let function, let column): "{\(function.name) \(columns[column].name)}"
            }
        }.joined()
    }
}

extension AggregateFunction {
    package var name: String { "\(self)" }

    fileprivate func applies(to type: ColumnType) -> Bool {
        switch self {
        case .count, .least, .greatest, .distinct: true
        case .sum: type == .integer || type == .real || type == .boolean
        case .mean: type != .text && type != .blob
        }
    }
}
