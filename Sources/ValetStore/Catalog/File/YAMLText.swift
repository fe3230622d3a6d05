/// YAML to write: what `YAMLValue` reads.
indirect enum YAMLText: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    case nothing
    case scalar(String)
    case sequence([YAMLText])
    case mapping([(key: String, value: YAMLText?)])

    init(stringLiteral text: String) {
        self = .scalar(text)
    }

    init(arrayLiteral elements: YAMLText...) {
        self = .sequence(elements)
    }

    /// A file of this. Values that fit stand in one line, others in several.
    var document: String { lines(indent: 0).joined(separator: "\n") + "\n" }

    private static let widestLine = 96

    private func lines(indent: Int) -> [String] {
        let short = flow
        if !isNested, indent + short.unicodeScalars.count <= Self.widestLine { return [short] }
        switch self {
        case .nothing, .scalar: return [short]
        case .sequence(let elements):
            guard !elements.isEmpty else { return [short] }
            return elements.flatMap { element in
                let lines = element.lines(indent: indent + 2)
                return zip(lines.indices, lines).map { ($0 == 0 ? "- " : "  ") + $1 }
            }
        case .mapping(let pairs):
            guard pairs.contains(where: { $0.value != nil }) else { return [short] }
            return pairs.flatMap { key, value -> [String] in
                guard let value else { return [] }
                let lines = value.lines(indent: indent + 2)
                let key = Self.word(key) + ":"
                return lines.count == 1 && value.flow == lines[0]
                    ? ["\(key) \(lines[0])"] : [key] + lines.map { "  " + $0 }
            }
        }
    }

    /// Keys whose values have keys begin a line each.
    private var isNested: Bool {
        guard case .mapping(let pairs) = self else { return false }
        return pairs.contains { if case .mapping = $0.value { true } else { false } }
    }

    private var flow: String {
        switch self {
        case .nothing: "~"
        case .scalar(let text): Self.word(text)
        case .sequence(let elements): "[" + elements.map(\.flow).joined(separator: ", ") + "]"
        case .mapping(let pairs):
            "{"
                + pairs.compactMap { key, value in
                    value.map { "\(Self.word(key)): \($0.flow)" }
                }.joined(separator: ", ") + "}"
        }
    }

    private static var plain: Regex<(Substring, Substring?)> {
        #/-?[\p{L}\p{N}_]([\p{L}\p{N}_. \-]*[\p{L}\p{N}_])?/#
    }

    /// A scalar as it is where that is no YAML but text, else in quotation marks.
    private static func word(_ text: String) -> String {
        let isPlain =
            text.wholeMatch(of: plain.matchingSemantics(.unicodeScalar)) != nil && text != "null"
        return isPlain ? text : "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    /// Escapes what ends or steers the text, what a reader may not accept, and the ampersand, which
    /// our reader takes for an anchor.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\" + String(scalar)
        case "&": return "\\x26"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
            let digits = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        default: return String(scalar)
        }
    }
}

extension YAMLText {
    static func number(_ number: some CustomStringConvertible) -> YAMLText {
        .scalar(number.description)
    }

    /// nil, which leaves the key out, where the value is what holds without it.
    static func flag(_ isSet: Bool) -> YAMLText? { isSet ? "true" : nil }
}
