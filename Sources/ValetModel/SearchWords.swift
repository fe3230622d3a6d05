/// The words of a search text: each must be found in some column.
///
/// Words are separated by white space. A phrase between quotation marks counts as one word, and so
/// does what follows a mark that is never closed. What folds to nothing is no word.
package struct SearchWords: Hashable, Sendable {
    package let words: [String]

    package init(_ text: String) {
        var words: [String] = []
        var rest = Substring(text)
        while let first = rest.unicodeScalars.first {
            let taken: Substring
            if first == "\"" {
                taken = Substring(rest.unicodeScalars.dropFirst().prefix { $0 != "\"" })
                rest = Substring(rest.unicodeScalars.dropFirst(taken.unicodeScalars.count + 2))
            } else {
                taken = Substring(rest.unicodeScalars.prefix { !$0.properties.isWhitespace })
                rest = Substring(rest.unicodeScalars.dropFirst(max(1, taken.unicodeScalars.count)))
            }
            if !TextFolding.fold(String(taken)).isEmpty { words.append(String(taken)) }
        }
        self.words = words
    }

    /// Whether a word may be the beginning of a number or a date: it begins with a digit, or with a
    /// sign and one, and goes on with what these are written with.
    package static func isOfDigits(_ word: String) -> Bool {
        let bytes = word.utf8
        let unsigned = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard let first = unsigned.first, first.isDigit else { return false }
        return unsigned.allSatisfy { $0.isDigit || Self.marks.contains($0) }
    }

    private static let marks = Array("-:. T+Ee".utf8)
}
