/// The text of a condition and how far it is read, scalar by scalar: a sign with a combining mark
/// after it is another `Character`.
struct ConditionText {
    let scalars: [Unicode.Scalar]
    var position = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    var isAtEnd: Bool { position >= scalars.count }
    var next: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }
    var isAtBlank: Bool { next?.properties.isWhitespace == true }
    /// Where the text ends but for blanks.
    var end: Int {
        let end = scalars.lastIndex { !$0.properties.isWhitespace }.map { $0 + 1 } ?? 0
        return max(end, position)
    }

    mutating func skipBlanks() {
        while isAtBlank { position += 1 }
    }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    mutating func skip(_ symbol: some Collection<Unicode.Scalar>) -> Bool {
        guard scalars[position...].starts(with: symbol) else { return false }
        position += symbol.count
        return true
    }

    /// Moves past words with blanks between them, in lower case, whatever their case in the text.
    mutating func skip(words: [String]) -> Bool {
        var rest = self
        for word in words {
            rest.skipBlanks()
            let range = rest.word
            guard range.count == word.utf8.count,
                rest.string(range).utf8.elementsEqual(word.utf8, by: { $0 | 0x20 == $1 })
            else { return false }
            rest.position = range.upperBound
        }
        self = rest
        return true
    }

    /// From the position to the next blank, quotation mark, or the end.
    var word: Range<Int> {
        let end = scalars[position...].firstIndex { $0 == "\"" || $0.properties.isWhitespace }
        return position..<(end ?? scalars.count)
    }

    /// Moves past a text in double quotes, where two stand for one; nil if it isn't closed.
    mutating func quoted() -> String? {
        guard skip("\"") else { return nil }
        var text = String.UnicodeScalarView()
        while let scalar = next {
            position += 1
            if scalar == "\"", !skip("\"") { return String(text) }
            text.append(scalar)
        }
        return nil
    }

    func string(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars[range]))
    }

    /// A range of scalars as offsets in `utf8`.
    func place(_ range: Range<Int>) -> Range<Int> {
        func bytes(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
            scalars.reduce(0) { $0 + UTF8.width($1) }
        }
        let first = bytes(scalars[..<range.lowerBound])
        return first..<first + bytes(scalars[range])
    }
}
