/// A term while lines are looked at. Its text is the memory of `LineQuery.withTerms`, so that cores
/// side by side count no references line by line.
struct LineTerm {
    let kind: LineQuery.Term.Kind
    /// Folded, not empty.
    let text: UnsafeBufferPointer<UInt8>
    /// As it is written, if it must stand so.
    let exact: UnsafeBufferPointer<UInt8>?
    let isNegated: Bool
    let takesSlips: Bool
    /// The next term, if there is one, is no other way to meet the same clause.
    let endsClause: Bool
    /// A bit for each kind of letter that a line must have.
    let letters: UInt64

    /// How well a line fits; nil if it doesn't.
    func score(_ line: LineScore.Line, _ scratch: LineScore.Scratch) -> Int? {
        score(text, line, scratch)
    }

    /// The same of an exact term.
    ///
    /// - Parameter written: the line's bytes that are looked at.
    func score(
        _ line: LineScore.Line, written: UnsafeBufferPointer<UInt8>, _ scratch: LineScore.Scratch
    ) -> Int? {
        guard let exact else { return score(line, scratch) }
        let own = LineScore.Line(folded: written, bonuses: line.bonuses)
        if written.count == line.folded.count { return score(exact, own, scratch) }
        // Its bytes have other places when they are folded, and only those have a bonus.
        let fits =
            kind == .letters
            ? LineScore.fits(exact, own, scratch) : place(of: exact, in: written) != nil
        if isNegated { return fits ? nil : 0 }
        return fits ? score(line, scratch) : nil
    }

    private func score(
        _ text: UnsafeBufferPointer<UInt8>, _ line: LineScore.Line, _ scratch: LineScore.Scratch
    ) -> Int? {
        if kind == .letters {
            if isNegated { return LineScore.fits(text, line, scratch) ? nil : 0 }
            return LineScore.fuzzy(text, in: line, scratch)
        }
        let place = place(of: text, in: line.folded)
        if isNegated { return place == nil ? 0 : nil }
        return place.map { LineScore.run(of: text.count, at: $0, in: line) }
    }

    /// Where the word stands.
    private func place(
        of text: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard text.count <= bytes.count else { return nil }
        func stands(at place: Int) -> Bool {
            bytes[place..<place + text.count].elementsEqual(text)
        }
        let last = bytes.count - text.count
        switch kind {
        case .letters, .word: return (0...last).first(where: stands)
        case .beginning: return stands(at: 0) ? 0 : nil
        case .end: return stands(at: last) ? last : nil
        case .whole: return last == 0 && stands(at: 0) ? 0 : nil
        }
    }

    /// Whether a word of the line is this one but for a slip of the pen.
    func isSlip(
        in line: LineScore.Line, words: UnsafeBufferPointer<LineScore.Word>
    ) -> Bool {
        guard takesSlips else { return false }
        for word in words
        where abs(word.range.count - text.count) <= 1
            && (letters & ~word.letters).nonzeroBitCount <= 1
            && (word.letters & ~letters).nonzeroBitCount <= 1
        {
            let other = UnsafeBufferPointer(rebasing: line.folded[word.range])
            if Self.isOneEdit(text, other) { return true }
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
