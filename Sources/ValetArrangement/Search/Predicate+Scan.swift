import ValetModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Predicate {
    /// The slots of all rows that match. Each distinct text is tested once; then codes are looked
    /// up chunk by chunk, polling for cancellation between chunks.
    ///
    /// - Parameter wider: only slots in this set can match.
    package func scan(
        _ cache: ColumnCache, inside wider: SlotSet? = nil, isCancelled: () -> Bool
    ) throws(CancellationError) -> SlotSet {
        var found = FoundSlots(slotCount: cache.slotCount, wider: wider?.words())
        for index in columns {
            try scan(cache.column(index), into: &found, isCancelled: isCancelled)
        }
        if cache.dead.count > 0 { found.remove(cache.dead) }
        return SlotSet(words: found.words)
    }

    private func scan(
        _ column: Column, into found: inout FoundSlots, isCancelled: () -> Bool
    ) throws(CancellationError) {
        let isMatch = try matchingCodes(of: column, isCancelled: isCancelled)
        let isMissingMatch = column.defaultCode.map { isMatch[Int($0)] } ?? false
        let hasMatch = isMatch.contains(true)
        for number in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[number]
            let first = number * ColumnChunk.slots
            switch chunk.kind {
            case .code where !hasMatch: break
            case .code:
                isMatch.withUnsafeBufferPointer {
                    found.add(chunk, from: first, isMatch: $0, isMissingMatch: isMissingMatch)
                }
            case .integer:
                scanIntegers(chunk) { found.add(first + $0, $1 ?? isMissingMatch) }
            case .decimal, .real:
                chunk.forEachReal { index, real in
                    let isFound = real.map { matches(writing: String($0)) } ?? isMissingMatch
                    found.add(first + index, isFound)
                }
            }
        }
    }

    /// Numbers of a narrow chunk repeat, so each is tested once.
    private func scanIntegers(_ chunk: ColumnChunk, _ body: (_ index: Int, Bool?) -> Void) {
        guard case .bytes = chunk.storage, let bounds = chunk.numberBounds() else {
            chunk.forEachNumber { body($0, $1.map { matches($0) }) }
            return
        }
        let isMatch = bounds.map { matches($0) }
        chunk.forEachNumber { body($0, $1.map { isMatch[Int($0 - bounds.lowerBound)] }) }
    }

    private func matchingCodes(
        of column: Column, isCancelled: () -> Bool
    ) throws(CancellationError) -> [Bool] {
        let dictionary = column.dictionary
        var isMatch = [Bool](repeating: false, count: dictionary.count)
        for number in 0..<dictionary.chunkCount {
            let first = number * DictionaryChunk.capacity
            var done = 0
            while done < min(DictionaryChunk.capacity, dictionary.count - first) {
                if isCancelled() { throw CancellationError() }
                done = dictionary.withChunk(number) { chunk in
                    let part = chunk.entries(from: done, most: Self.bytesPerLook)
                    if chunk.isAllText, lengths == nil {
                        forEachMatch(in: chunk, part) { isMatch[first + $0] = true }
                    } else {
                        chunk.forEachEntry(in: part) { isMatch[first + $0] = matches($1) }
                    }
                    return part.upperBound
                }
            }
        }
        return isMatch
    }

    /// Bytes of folded text searched between two polls for cancellation.
    private static let bytesPerLook = 256 << 10

    /// Calls `body` with each matching text of a part of a chunk.
    @inline(__always)
    private func forEachMatch(
        in chunk: DictionaryChunk, _ part: Range<Int>, _ body: (_ index: Int) -> Void
    ) {
        chunk.withFoldedTexts { texts, ends in
            needle.withUnsafeBytes { needle in
                switch match {
                case .contains: Self.forEachText(of: part, with: needle, in: texts, ends, body)
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
