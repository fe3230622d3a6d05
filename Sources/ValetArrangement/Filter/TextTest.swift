import ValetModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A search as a test of a row: a folded needle in any of several columns.
package struct TextTest: Hashable, Sendable {
    /// Not empty.
    package let needle: [UInt8]
    /// Columns whose values contain the needle, or begin with it.
    package let columns: [Int]
    package let match: TextMatch
    package let lengths: ClosedRange<Int>?
    /// Columns of numbers and dates whose values, as they are shown, begin with the digits.
    package let beginnings: [Int]
    private let digits: [UInt8]
    /// The seconds whose writing begins with the needle, if there are such columns.
    private let seconds: Range<Int64>?
    /// A cached hash of the needle. Tests are looked up often, and hashing kilobytes each time
    /// would take an event loop milliseconds.
    private let needleHash: Int

    /// nil if the folded needle is empty: then all rows match.
    ///
    /// - Parameters:
    ///   - match: contains or begins with; words are several tests.
    ///   - digits: what `beginnings` are compared with; nil for the text.
    package init?(
        text: String, columns: [Int], match: TextMatch, lengths: ClosedRange<Int>? = nil,
        beginnings: [Int] = [], digits: String? = nil
    ) {
        needle = TextFolding.fold(text)
        if needle.isEmpty { return nil }
        var hasher = Hasher()
        needle.withUnsafeBytes { hasher.combine(bytes: $0) }
        needleHash = hasher.finalize()
        self.columns = columns
        self.match = match == .words ? .contains : match
        self.lengths = lengths
        self.beginnings = beginnings
        self.digits = digits.map(TextFolding.fold) ?? needle
        let written = String(decoding: self.digits, as: UTF8.self).replacing("t", with: " ")
        seconds = beginnings.isEmpty ? nil : WallTime.seconds(writtenFrom: written)
    }

    /// Hashes are compared first: needles may share their first kilobytes, and a dictionary
    /// compares keys that only share a bucket.
    package static func == (one: TextTest, other: TextTest) -> Bool {
        one.needleHash == other.needleHash && one.columns == other.columns
            && one.match == other.match && one.lengths == other.lengths
            && one.beginnings == other.beginnings && one.needle == other.needle
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(needleHash)
        hasher.combine(columns)
        hasher.combine(match)
        hasher.combine(lengths)
        hasher.combine(beginnings)
    }

    /// True if `other` matches every row that this one matches.
    func isNarrower(than other: TextTest) -> Bool {
        guard columns == other.columns, match == other.match, lengths == other.lengths else {
            return false
        }
        let continues =
            needle.starts(with: other.needle) && digits.starts(with: other.digits)
        guard beginnings.isEmpty || continues && beginnings == other.beginnings else {
            return false
        }
        return switch match {
        case .beginsWith: continues
        case .contains, .words:
            needle.withUnsafeBytes { needle in
                other.needle.withUnsafeBytes { TextMatcher.contains($0, in: needle) }
            }
        }
    }

    func matches(_ slot: UInt32, in cache: ColumnCache) -> Bool {
        matchers(in: cache).contains { $1.matches(slot, in: cache.column($0)) }
    }

    /// How each column is searched.
    func matchers(in cache: ColumnCache) -> [(column: Int, TextMatcher)] {
        columns.map { ($0, TextMatcher(needle: needle, match: match, lengths: lengths)) }
            + beginnings.map { column in
                let description = cache.descriptions[column]
                let isDate = description.type == .date
                return (
                    column,
                    TextMatcher(
                        needle: digits, match: .beginsWith, lengths: nil,
                        dates: isDate
                            ? DateBeginning(seconds: seconds, zone: description.zone) : nil)
                )
            }
    }
}

/// The seconds whose writing begins with a needle.
struct DateBeginning {
    let seconds: Range<Int64>?
    let zone: ZoneClock?

    func contains(_ number: Int64) -> Bool {
        seconds?.contains(WallTime.second(of: number, in: zone)) ?? false
    }

    func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let seconds else { return false }
        return WallTime.second(ofISO8601: text, in: zone).map(seconds.contains) ?? false
    }
}

/// A test of a column's values for a needle.
struct TextMatcher: ValueTest {
    let needle: [UInt8]
    let match: TextMatch
    let lengths: ClosedRange<Int>?
    /// In columns of dates, which are not looked at as what is stored.
    var dates: DateBeginning?

    func matches(_ entry: ValueDictionary.Entry) -> Bool {
        switch entry {
        case .text(let raw, let folded):
            if let dates, dates.contains(raw) { return true }
            return matches(folded: folded) && hasLength(raw)
        case .integer(let number): return matches(number)
        case .real(let real): return matches(real)
        case .blob: return false
        }
    }

    var matchesMissing: Bool { false }

    func passingNumbers(_ kind: ColumnChunk.Kind) -> PassingNumbers? {
        guard kind == .integer, match == .beginsWith, lengths == nil else { return nil }
        let written = Self.integers(writtenFrom: needle)
        guard let dates else { return PassingNumbers(ranges: written, isNegated: false) }
        // A number that is shown as a date is searched as a date.
        guard dates.zone == nil else { return nil }
        let usual = CivilTime.usualSeconds
        let (first, last) = (usual.lowerBound, usual.upperBound - 1)
        var ranges: [ClosedRange<Int64>] = []
        for range in written {
            if range.lowerBound < first { ranges.append(range.clamped(to: .min...(first - 1))) }
            if range.upperBound > last { ranges.append(range.clamped(to: (last + 1) ... .max)) }
        }
        if let seconds = dates.seconds?.clamped(to: usual), !seconds.isEmpty {
            ranges.append(seconds.lowerBound...(seconds.upperBound - 1))
        }
        return PassingNumbers(ranges: ranges, isNegated: false)
    }

    /// The integers whose digits begin with a needle, one range for each number of digits.
    static func integers(writtenFrom needle: [UInt8]) -> [ClosedRange<Int64>] {
        let isNegative = needle.first == UInt8(ascii: "-")
        let digits = needle.dropFirst(isNegative ? 1 : 0)
        guard digits.count < mostDigits, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            let first = digits.first
        else { return needle == [UInt8(ascii: "-")] ? [.min ... -1] : [] }
        // Of the numbers only 0 begins with 0.
        if first == 0x30 { return digits.count == 1 && !isNegative ? [0...0] : [] }
        let number = digits.reduce(0 as Int128) { $0 * 10 + Int128($1 - 0x30) }
        let most = isNegative ? -Int128(Int64.min) : Int128(Int64.max)
        var (least, end) = (number, number + 1)
        var ranges: [ClosedRange<Int64>] = []
        while least <= most {
            let greatest = min(end - 1, most)
            ranges.append(
                isNegative ? Int64(-greatest)...Int64(-least) : Int64(least)...Int64(greatest))
            (least, end) = (least * 10, end * 10)
        }
        return ranges
    }

    /// Tests the digits, which equal their own folded form, without allocating a string.
    func matches(_ number: Int64) -> Bool {
        if let dates, CivilTime.usualSeconds.contains(number) { return dates.contains(number) }
        return withUnsafeTemporaryAllocation(byteCount: Self.mostDigits, alignment: 1) { digits in
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

    func matches(_ real: Double) -> Bool {
        if let dates, let second = Int64(exactly: real.rounded(.down)),
            CivilTime.usualSeconds.contains(second)
        {
            return dates.contains(second)
        }
        let text = String(real)
        return TextFolding.fold(text).withUnsafeBytes { matches(folded: $0) }
            && lengths?.contains(text.count) ?? true
    }

    private func matches(folded text: UnsafeRawBufferPointer) -> Bool {
        needle.withUnsafeBytes { needle in
            guard text.count >= needle.count, let start = text.baseAddress else { return false }
            switch match {
            case .beginsWith: return memcmp(start, needle.baseAddress!, needle.count) == 0
            case .contains, .words: return Self.contains(needle, in: text)
            }
        }
    }

    static func contains(
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

// MARK: - Texts of a dictionary

extension TextMatcher {
    /// Calls `body` with each matching text of a part of a chunk.
    @inline(__always)
    func forEachMatch(
        in chunk: DictionaryChunk, _ part: Range<Int>, _ body: (_ index: Int) -> Void
    ) {
        guard lengths == nil, dates == nil else {
            chunk.forEachEntry(in: part) { if matches($1) { body($0) } }
            return
        }
        chunk.withFoldedTexts { texts, ends in
            needle.withUnsafeBytes { needle in
                switch match {
                case .contains, .words:
                    Self.forEachText(of: part, with: needle, in: texts, ends, body)
                case .beginsWith:
                    var start = part.lowerBound == 0 ? 0 : Int(ends[part.lowerBound - 1])
                    for index in part {
                        let end = Int(ends[index])
                        if end - start >= needle.count,
                            memcmp(texts.baseAddress! + start, needle.baseAddress!, needle.count)
                                == 0
                        {
                            body(index)
                        }
                        start = end
                    }
                }
            }
        }
    }

    /// Searches all texts of a part at once and maps each hit to its text: most needles are rare,
    /// and then most texts are never visited one by one.
    @inline(__always)
    private static func forEachText(
        of part: Range<Int>, with needle: UnsafeRawBufferPointer,
        in texts: UnsafeRawBufferPointer, _ ends: UnsafeBufferPointer<UInt32>,
        _ body: (_ index: Int) -> Void
    ) {
        var finder = TextFinder(needle)
        var index = part.lowerBound
        var place = index == 0 ? 0 : Int(ends[index - 1])
        let texts = UnsafeRawBufferPointer(rebasing: texts[..<Int(ends[part.upperBound - 1])])
        while let found = finder.find(in: texts, from: place) {
            while Int(ends[index]) <= found { index += 1 }
            // A hit that crosses the end of a text is no match, and no other match fits behind it
            // or in shorter texts.
            if found + needle.count <= Int(ends[index]) {
                body(index)
            } else {
                while index + 1 < part.upperBound,
                    Int(ends[index + 1] - ends[index]) < needle.count
                { index += 1 }
            }
            place = Int(ends[index])
        }
    }
}
