/// Words that are almost right.
package enum Spelling {
    /// Whether `word` is `name` with one letter more, less or another, or with two neighbours that
    /// have changed places.
    package static func isSlip(_ word: String, of name: String) -> Bool {
        let (word, name) = (Array(word), Array(name))
        guard abs(word.count - name.count) <= 1, word != name else { return false }
        let same = zip(word, name).prefix { $0 == $1 }.count
        let (wordRest, nameRest) = (word[same...], name[same...])
        return wordRest.dropFirst() == nameRest || wordRest == nameRest.dropFirst()
            || wordRest.dropFirst() == nameRest.dropFirst()
            || wordRest.dropFirst(2) == nameRest.dropFirst(2)
                && wordRest.prefix(2).reversed() == Array(nameRest.prefix(2))
    }

    /// The name that `word` may stand for: one that it is a slip of, or else begins, or that begins
    /// it.
    package static func meant(by word: String, among names: [String]) -> String? {
        guard word.count >= 3 else { return nil }
        return names.first { isSlip(word, of: $0) }
            ?? names.first { $0.count >= 3 && ($0.hasPrefix(word) || word.hasPrefix($0)) }
    }
}
