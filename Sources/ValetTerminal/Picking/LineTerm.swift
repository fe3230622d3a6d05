/// A term while lines are looked at. Its text is the memory of `LineQuery.withTerms`, so that cores
/// side by side count no references line by line.
struct LineTerm {
    let kind: LineQuery.Term.Kind
    /// Folded, not empty.
    let text: UnsafeBufferPointer<UInt8>
    let isNegated: Bool
    let takesSlips: Bool
    /// The next term, if there is one, is no other way to meet the same clause.
    let endsClause: Bool
    /// A bit for each kind of letter that a line must have.
    let letters: UInt64

    /// How well a line fits; nil if it doesn't.
    func score(_ line: LineScore.Line, _ scratch: LineScore.Scratch) -> Int? {
        if isNegated { return place(in: line.folded) == nil ? 0 : nil }
        if kind == .letters {
            return LineScore.fuzzy(text, in: line, scratch)
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
        var start = 0
        for place in 0...folded.count where place == folded.count || !folded[place].isOfWord {
            let word = start..<place
            start = place + 1
            guard abs(word.count - text.count) <= 1 else { continue }
            if Self.isOneEdit(text, UnsafeBufferPointer(rebasing: folded[word])) { return true }
        }
        return false
    }

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
