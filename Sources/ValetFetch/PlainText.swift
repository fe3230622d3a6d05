/// HTML as a person reads it: feeds put it into titles and descriptions.
enum PlainText {
    private static let entities: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
        "ndash": "–", "mdash": "—", "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“",
        "rdquo": "”",
    ]

    /// Without tags, with blanks for line breaks, and with the entities that are common.
    static func text(ofHTML html: String) -> String {
        guard html.utf8.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return html }
        var scalars = String.UnicodeScalarView()
        var rest = html.unicodeScalars[...]
        // Looked for once: a text of nothing but `<` would take quadratic time.
        let lastEnd = rest.lastIndex(of: ">") ?? rest.startIndex
        while let scalar = rest.first {
            rest = rest.dropFirst()
            if scalar == "<", rest.startIndex <= lastEnd, let next = rest.first, beginsTag(next),
                let end = rest.firstIndex(of: ">")
            {
                rest = rest[end...].dropFirst()
                // Words of two paragraphs are not one.
                if scalars.last != " " { scalars.append(" ") }
            } else if scalar == "&", let end = rest.prefix(10).firstIndex(of: ";"),
                let text = entity(Substring(rest[..<end]))
            {
                rest = rest[end...].dropFirst()
                scalars.append(contentsOf: text.unicodeScalars)
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func beginsTag(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar == "/" || scalar == "!" || scalar == "?"
    }

    private static func entity(_ name: Substring) -> String? {
        guard name.first == "#" else { return entities[name] }
        let digits = name.dropFirst()
        let value =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}
