#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds a needle in texts in linear time.
///
/// It looks for the needle's first byte and then compares, which is fastest when mismatches show
/// early, as they usually do. Texts with many near matches would cost their length times the
/// needle's. Once failed comparisons have cost several times the bytes read, the search switches to
/// Knuth–Morris–Pratt, which reads each byte of the text once.
struct TextFinder {
    private let needle: UnsafeRawBufferPointer
    /// The failure function: for each prefix of the needle, the length of the longest proper prefix
    /// that is also its suffix. Empty until it is needed.
    private var borders: [Int32] = []
    /// An upper bound on the bytes compared in failed comparisons.
    private(set) var comparedInVain = 0

    /// - Parameter needle: not empty, and valid for as long as this is used.
    init(_ needle: UnsafeRawBufferPointer) {
        self.needle = needle
    }

    /// Bytes compared inline before a call to compare the rest is worth it.
    private static let headBytes = 16

    /// The next occurrence of the needle at or after `place`, for one pass over a text.
    @inline(__always)
    mutating func find(in text: UnsafeRawBufferPointer, from place: Int) -> Int? {
        guard let base = text.baseAddress, let first = needle.first else { return nil }
        let head = min(needle.count, Self.headBytes)
        var start = base + place
        let end = base + text.count - needle.count + 1
        while start < end, let found = memchr(start, Int32(first), end - start) {
            if memcmp(found, needle.baseAddress!, head) == 0 {
                if memcmp(found + head, needle.baseAddress! + head, needle.count - head) == 0 {
                    return UnsafeRawPointer(found) - base
                }
                comparedInVain += needle.count
                let next = UnsafeRawPointer(found) - base + 1
                if comparedInVain > 4 * (needle.count + next) {
                    return findLinearly(in: text, from: next)
                }
            }
            start = UnsafeRawPointer(found) + 1
        }
        return nil
    }

    @inline(never)
    private mutating func findLinearly(in text: UnsafeRawBufferPointer, from place: Int) -> Int? {
        if borders.isEmpty { borders = makeBorders() }
        var matched = 0
        for position in place..<text.count {
            let byte = text[position]
            while matched > 0, needle[matched] != byte { matched = Int(borders[matched - 1]) }
            if needle[matched] == byte { matched += 1 }
            if matched == needle.count { return position + 1 - matched }
        }
        return nil
    }

    private func makeBorders() -> [Int32] {
        var borders: [Int32] = [0]
        borders.reserveCapacity(needle.count)
        var matched = 0
        for position in 1..<needle.count {
            let byte = needle[position]
            while matched > 0, needle[matched] != byte { matched = Int(borders[matched - 1]) }
            if needle[matched] == byte { matched += 1 }
            borders.append(Int32(matched))
        }
        return borders
    }
}
