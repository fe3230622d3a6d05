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

    /// False if it only says what lines must not have: then none is better than another.
    var ranks: Bool { terms.contains { $0.contains { !$0.isNegated } } }

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

extension LineQuery {
    /// What has to be looked at where the other query's lines are known, and how many letters it
    /// has more; nil unless letters at the ends of fuzzy terms are all that is new.
    func longerTerms(than other: LineQuery) -> (terms: LineQuery, letters: Int)? {
        guard other.terms.count == terms.count, isNarrower(than: other) else { return nil }
        let longer = zip(terms, other.terms).filter { $0 != $1 }
        guard longer.allSatisfy({ $0[0].kind == .letters && $1[0].kind == .letters }) else {
            return nil
        }
        let letters = longer.reduce(0) { $0 + $1.0[0].text.count - $1.1[0].text.count }
        return (LineQuery(terms: longer.map(\.0)), letters)
    }

    private init(terms: [[Term]]) { self.terms = terms }
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

    /// Whether a letter of it may be wrong, more, or missing.
    fileprivate var takesSlips: Bool {
        kind == .letters && !isNegated && text.count >= Self.fewestForSlips
    }

    private static let fewestForSlips = 4
}

extension LineQuery {
    /// Calls `body` with all terms, those of one clause behind each other.
    func withTerms<Result>(_ body: (UnsafeBufferPointer<LineTerm>) -> Result) -> Result {
        let bytes = terms.joined().flatMap(\.text)
        return bytes.withUnsafeBufferPointer { bytes in
            var all: [LineTerm] = []
            var start = 0
            for clause in terms {
                for (place, term) in clause.enumerated() {
                    let range = start..<start + term.text.count
                    let text = UnsafeBufferPointer(rebasing: bytes[range])
                    start = range.upperBound
                    all.append(
                        LineTerm(
                            kind: term.kind, text: text, isNegated: term.isNegated,
                            takesSlips: term.takesSlips, endsClause: place == clause.count - 1,
                            letters: term.isNegated ? 0 : LineChunk.letters(of: text)))
                }
            }
            return all.withUnsafeBufferPointer(body)
        }
    }
}
