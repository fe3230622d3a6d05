import ValetModel

/// What is typed to find lines, in fzf's syntax: every term must fit, in any order.
///
///     word      its letters, in their order
///     'word     the word as it stands
///     ^word     at the beginning          word$     at the end
///     !word     not with the word         a | b     one of them
struct LineQuery: Hashable, Sendable {
    struct Term: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case letters, word, beginning, end, whole
        }

        var kind: Kind
        /// Folded, not empty.
        var text: [UInt8]
        var isNegated = false

        /// A bit for each kind of letter that a line must have.
        var letters: UInt64 { isNegated ? 0 : LineChunk.letters(of: text) }
    }

    /// One of each must fit.
    let terms: [[Term]]

    init(_ text: String) {
        var terms: [[Term]] = []
        var joins = false
        for word in text.split(separator: " ") {
            if word == "|" {
                joins = !terms.isEmpty
                continue
            }
            guard let term = Term(word) else { continue }
            if joins, !terms.isEmpty {
                terms[terms.count - 1].append(term)
            } else {
                terms.append([term])
            }
            joins = false
        }
        self.terms = Array(terms.prefix(Limits.wordsPerSearch))
    }

    var isEmpty: Bool { terms.isEmpty }

    /// True if every line that this finds is found by the other: then only these are looked at.
    func isNarrower(than other: LineQuery) -> Bool {
        guard other.terms.count <= terms.count else { return false }
        return zip(terms, other.terms).allSatisfy { own, wider in
            if own == wider { return true }
            guard own.count == 1, wider.count == 1, own[0].kind == wider[0].kind,
                !own[0].isNegated, !wider[0].isNegated
            else { return false }
            // The end of a line may be another word.
            return own[0].kind != .end && own[0].kind != .whole
                && own[0].text.starts(with: wider[0].text)
        }
    }
}

extension LineQuery.Term {
    /// nil if nothing is left to look for.
    fileprivate init?(_ word: Substring) {
        var word = word
        isNegated = word.first == "!"
        if isNegated { word = word.dropFirst() }
        kind = isNegated ? .word : .letters
        if word.first == "'" {
            kind = .word
            word = word.dropFirst()
        } else if word.first == "^" {
            kind = .beginning
            word = word.dropFirst()
        }
        if word.last == "$", word.count > 1 {
            kind = kind == .beginning ? .whole : .end
            word = word.dropLast()
        }
        text = TextFolding.fold(String(word))
        if text.isEmpty { return nil }
    }

    /// How well a line fits; nil if it doesn't.
    func score(_ line: LineScore.Line, _ scratch: LineScore.Scratch) -> Int? {
        if isNegated { return place(in: line.folded) == nil ? 0 : nil }
        if kind == .letters {
            return text.withUnsafeBufferPointer { LineScore.fuzzy($0, in: line, scratch) }
        }
        return place(in: line.folded).map { LineScore.run(of: text.count, at: $0, in: line) }
    }

    /// Where the word stands.
    private func place(in folded: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count <= folded.count else { return nil }
        func stands(at place: Int) -> Bool {
            folded[place..<place + text.count].elementsEqual(text)
        }
        let last = folded.count - text.count
        switch kind {
        case .letters, .word: return (0...last).first(where: stands)
        case .beginning: return stands(at: 0) ? 0 : nil
        case .end: return stands(at: last) ? last : nil
        case .whole: return last == 0 && stands(at: 0) ? 0 : nil
        }
    }

    /// Whether a word of the line is this one but for a slip of the pen.
    func isSlip(in folded: UnsafeBufferPointer<UInt8>) -> Bool {
        guard takesSlips else { return false }
        return text.withUnsafeBufferPointer { text in
            var start = 0
            for place in 0...folded.count where place == folded.count || !folded[place].isOfWord {
                let word = start..<place
                start = place + 1
                guard abs(word.count - text.count) <= 1 else { continue }
                if Self.isOneEdit(text, UnsafeBufferPointer(rebasing: folded[word])) { return true }
            }
            return false
        }
    }

    var takesSlips: Bool { kind == .letters && !isNegated && text.count >= Self.fewestForSlips }

    private static let fewestForSlips = 4

    /// A letter more, less or another, or two that have changed places.
    private static func isOneEdit(
        _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let shorter = min(one.count, other.count)
        var start = 0
        while start < shorter, one[start] == other[start] { start += 1 }
        var end = 0
        while end < shorter, one[one.count - 1 - end] == other[other.count - 1 - end] { end += 1 }
        let (left, right) = (one.count - start, other.count - start)
        guard left == right else { return end >= min(left, right) }
        if end >= left - 1 { return true }
        return end >= left - 2 && one[start] == other[start + 1] && one[start + 1] == other[start]
    }
}

extension UInt8 {
    fileprivate var isOfWord: Bool {
        (97...122).contains(self) || (48...57).contains(self) || self >= 128
    }
}
