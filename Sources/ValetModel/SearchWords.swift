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

    /// What numbers and dates are compared with, for a word that one may begin with; nil for
    /// another word. It begins with a digit, or with a sign and one, and goes on with what these
    /// are written with. Commas between thousands are left out: no stored number has them.
    package static func digits(of word: String) -> String? {
        let bytes = word.utf8
        let unsigned = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard let first = unsigned.first, first.isDigit else { return nil }
        if unsigned.allSatisfy({ $0.isDigit || Self.marks.contains($0) }) { return word }
        return hasThousands(unsigned) ? word.replacing(",", with: "") : nil
    }

    /// Digits in groups of three, of which the last may be begun.
    private static func hasThousands(_ digits: Substring.UTF8View) -> Bool {
        let groups = digits.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard groups.count > 1, groups.allSatisfy({ $0.allSatisfy(\.isDigit) }) else {
            return false
        }
        return (1...3).contains(groups[0].count) && groups[groups.count - 1].count <= 3
            && groups.dropFirst().dropLast().allSatisfy { $0.count == 3 }
    }

    private static let marks = Array("-:. T+Ee".utf8)
}
