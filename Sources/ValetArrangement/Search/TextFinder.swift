#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds a needle in texts, in time that is linear in what it reads.
///
/// It looks for the needle's first byte and compares, which is fastest where texts differ from the
/// needle early, as most do. Texts that nearly match it again and again would cost their length
/// times the needle's: once that has cost several times the bytes that were read, the search goes
/// on as Knuth, Morris and Pratt do, which never looks at a byte of the text twice.
struct TextFinder {
    private let needle: UnsafeRawBufferPointer
    /// For each beginning of the needle, how long the longest proper beginning is that also ends
    /// it. Empty until it is needed.
    private var borders: [Int32] = []
    /// Bytes that were compared in vain, or could have been.
    private(set) var comparedInVain = 0

    /// - Parameter needle: not empty, and valid for as long as this is used.
    init(_ needle: UnsafeRawBufferPointer) {
        self.needle = needle
    }

    /// Bytes that are compared on suspicion, at no more cost than a call.
    private static let headBytes = 16

    /// Where the needle is next found, at or behind `place`: for one pass over a text.
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
