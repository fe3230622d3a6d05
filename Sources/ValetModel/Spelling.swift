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
}
