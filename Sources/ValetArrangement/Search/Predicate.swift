import ValetModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A search as a test of a row: a folded needle in any of several columns.
package struct Predicate: Hashable, Sendable {
    /// Not empty.
    package let needle: [UInt8]
    package let columns: [Int]
    package let match: TextMatch
    package let lengths: ClosedRange<Int>?
    /// A cached hash of the needle. Predicates are looked up often, and hashing kilobytes each time
    /// would take an event loop milliseconds.
    private let needleHash: Int

    /// nil if the folded needle is empty: then all rows match.
    package init?(text: String, columns: [Int], match: TextMatch, lengths: ClosedRange<Int>?) {
        needle = TextFolding.fold(text)
        if needle.isEmpty { return nil }
        var hasher = Hasher()
        needle.withUnsafeBytes { hasher.combine(bytes: $0) }
        needleHash = hasher.finalize()
        self.columns = columns
        self.match = match
        self.lengths = lengths
    }

    /// Hashes are compared first: needles may share their first kilobytes, and a dictionary
    /// compares keys that only share a bucket.
    package static func == (one: Predicate, other: Predicate) -> Bool {
        one.needleHash == other.needleHash && one.columns == other.columns
            && one.match == other.match && one.lengths == other.lengths
            && one.needle == other.needle
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(needleHash)
        hasher.combine(columns)
        hasher.combine(match)
        hasher.combine(lengths)
    }

    /// True if `other` matches every row that this one matches.
    func isNarrower(than other: Predicate) -> Bool {
        guard columns == other.columns, match == other.match, lengths == other.lengths else {
            return false
        }
        return switch match {
        case .beginsWith: needle.starts(with: other.needle)
        case .contains:
            needle.withUnsafeBytes { needle in
                other.needle.withUnsafeBytes { Self.contains($0, in: needle) }
            }
        }
    }

    /// Tests one row, to keep a search result up to date when rows change.
    package func matches(_ slot: UInt32, in cache: ColumnCache) -> Bool {
        columns.contains { index in
            let column = cache.column(index)
            return matches(column[slot], in: column)
        }
    }

    func matches(_ value: KeyValue, in column: Column) -> Bool {
        switch value {
        case .missing, .blob: false
        case .integer(let number): matches(number)
        case .real(let real): matches(writing: String(real))
        case .text(let code): column.dictionary.withEntry(code) { matches($0) }
        }
    }

    func matches(_ entry: ValueDictionary.Entry) -> Bool {
        switch entry {
        case .text(let raw, let folded): matches(folded: folded) && hasLength(raw)
        case .integer(let number): matches(number)
        case .real(let real): matches(writing: String(real))
        case .blob: false
        }
    }

    /// Tests the digits, which equal their own folded form, without allocating a string.
    func matches(_ number: Int64) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.mostDigits, alignment: 1) { digits in
            var place = digits.count
            var rest = number.magnitude
            repeat {
                place -= 1
                digits[place] = UInt8(0x30 + rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                place -= 1
                digits[place] = 0x2D
            }
            return lengths?.contains(digits.count - place) ?? true
                && matches(folded: UnsafeRawBufferPointer(rebasing: digits[place...]))
        }
    }

    /// Nineteen and a sign.
    private static let mostDigits = 20

    func matches(writing text: String) -> Bool {
        TextFolding.fold(text).withUnsafeBytes { matches(folded: $0) }
            && lengths?.contains(text.count) ?? true
    }

    private func matches(folded text: UnsafeRawBufferPointer) -> Bool {
        needle.withUnsafeBytes { needle in
            guard text.count >= needle.count, let start = text.baseAddress else { return false }
            switch match {
            case .beginsWith: return memcmp(start, needle.baseAddress!, needle.count) == 0
            case .contains: return Self.contains(needle, in: text)
            }
        }
    }

    private static func contains(
        _ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer
    ) -> Bool {
        var finder = TextFinder(needle)
        return finder.find(in: text, from: 0) != nil
    }

    private func hasLength(_ raw: UnsafeRawBufferPointer) -> Bool {
        guard let lengths else { return true }
        return lengths.contains(String(decoding: raw, as: UTF8.self).count)
    }
}
