import ValetModel

/// What is typed to find lines, in fzf's syntax: every term must fit, in any order.
///
///     word      its letters, in their order
///     'word     the word as it stands
///     ^word     at the beginning          word$     at the end
///     !word     not with the word         !'word    nor with its letters in their order
///     a | b     one of them
///
/// A capital makes a term exact: `Word` is not `word`. `\ ` is a blank of a term.
struct LineQuery: Hashable, Sendable {
    struct Term: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case letters, word, beginning, end, whole
        }

        var kind: Kind
        /// Folded, not empty.
        var text: [UInt8]
        /// As it is written, if a letter is a capital.
        var exact: [UInt8]?
        var isNegated = false
    }

    /// One of each must fit.
    let terms: [[Term]]

    init(_ text: String) {
        var terms: [[Term]] = []
        var joins = false
        for word in Self.words(text) {
            if word == "|", !terms.isEmpty, !joins {
                joins = true
                continue
            }
            guard let term = Term(word[...]) else { continue }
            if joins, !terms.isEmpty {
                terms[terms.count - 1].append(term)
            } else {
                terms.append([term])
            }
            joins = false
        }
        self.terms = Array(terms.prefix(Limits.wordsPerSearch))
    }

    /// What stands between blanks, but for those behind a backslash. Nobody types a tab.
    private static func words(_ text: String) -> [String] {
        text.replacing("\\ ", with: "\t").split(separator: " ")
            .map { String($0).replacing("\t", with: " ") }
    }

    var isEmpty: Bool { terms.isEmpty }

    /// False if it only says what lines must not have: then none is better than another.
    var ranks: Bool { terms.contains { $0.contains { !$0.isNegated } } }

    /// Whether a letter of one of its words may be wrong, more, or missing.
    var takesSlips: Bool { terms.contains { $0.contains(where: \.takesSlips) } }

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
                && wider[0].exact.map { own[0].exact?.starts(with: $0) ?? false } ?? true
        }
    }
}

extension LineQuery {
    /// The letters of the last term, which may be anywhere; nil for another, or for one of several.
    var lettersAtEnd: [UInt8]? {
        guard let last = terms.last, last.count == 1, last[0].kind == .letters, !last[0].isNegated,
            last[0].exact == nil
        else { return nil }
        return last[0].text
    }

    /// How many letters of the last term the other query has; nil unless the others are all that
    /// is new.
    func lettersKnown(to other: LineQuery) -> Int? {
        guard terms.count == other.terms.count, terms.dropLast() == other.terms.dropLast(),
            let longer = lettersAtEnd, let letters = other.lettersAtEnd,
            longer.starts(with: letters)
        else { return nil }
        return letters.count
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
            kind = isNegated ? .letters : .word
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
        exact = word.contains(where: \.isUppercase) ? Array(word.utf8) : nil
        if text.isEmpty { return nil }
    }

    /// Whether a letter of it may be wrong, more, or missing.
    fileprivate var takesSlips: Bool {
        kind == .letters && !isNegated && exact == nil && text.count >= Self.fewestForSlips
    }

    private static let fewestForSlips = 4
}

extension LineQuery {
    /// Calls `body` with all terms, those of one clause behind each other.
    func withTerms<Result>(_ body: (UnsafeBufferPointer<LineTerm>) -> Result) -> Result {
        let bytes = terms.joined().flatMap { $0.text + ($0.exact ?? []) }
        return bytes.withUnsafeBufferPointer { bytes in
            var all: [LineTerm] = []
            var start = 0
            for clause in terms {
                for (place, term) in clause.enumerated() {
                    let range = start..<start + term.text.count
                    let text = UnsafeBufferPointer(rebasing: bytes[range])
                    start = range.upperBound + (term.exact?.count ?? 0)
                    all.append(
                        LineTerm(
                            kind: term.kind, text: text,
                            exact: term.exact == nil
                                ? nil
                                : UnsafeBufferPointer(rebasing: bytes[range.upperBound..<start]),
                            isNegated: term.isNegated,
                            takesSlips: term.takesSlips, endsClause: place == clause.count - 1,
                            letters: term.isNegated ? 0 : LineLetters.bits(of: text)))
                }
            }
            return all.withUnsafeBufferPointer(body)
        }
    }
}
