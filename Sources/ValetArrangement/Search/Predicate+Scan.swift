import ValetModel

extension Predicate {
    /// The slots of all rows that match. Each distinct text is tested once; then codes are looked
    /// up chunk by chunk, asking between chunks whether anyone still waits.
    package func scan(
        _ cache: ColumnCache, isCancelled: () -> Bool
    ) throws(CancellationError) -> SlotSet {
        var words = [UInt64](repeating: 0, count: (cache.slotCount + 63) / 64)
        for index in columns {
            try scan(cache.column(index), into: &words, isCancelled: isCancelled)
        }
        if cache.dead.count > 0 {
            for (index, dead) in cache.dead.words().enumerated() where index < words.count {
                words[index] &= ~dead
            }
        }
        return SlotSet(words: words)
    }

    private func scan(
        _ column: Column, into words: inout [UInt64], isCancelled: () -> Bool
    ) throws(CancellationError) {
        let isMatch = try matchingCodes(of: column, isCancelled: isCancelled)
        let isMissingMatch = column.defaultCode.map { isMatch[Int($0)] } ?? false
        for number in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[number]
            let first = number * ColumnChunk.slots
            words.withUnsafeMutableBufferPointer { words in
                func set(_ index: Int, _ isFound: Bool) {
                    let slot = first + index
                    words[slot / 64] |= (isFound ? 1 : 0) << UInt64(slot % 64)
                }
                switch chunk.kind {
                case .code:
                    chunk.forEachNumber { set($0, $1.map { isMatch[Int($0)] } ?? isMissingMatch) }
                case .integer:
                    scanIntegers(chunk) { set($0, $1 ?? isMissingMatch) }
                case .decimal, .real:
                    chunk.forEachReal { index, real in
                        set(index, real.map { matches(writing: String($0)) } ?? isMissingMatch)
                    }
                }
            }
        }
    }

    /// Numbers of a narrow chunk repeat: each is tested once.
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
        var isMatch: [Bool] = []
        isMatch.reserveCapacity(dictionary.count)
        for number in 0..<dictionary.chunkCount {
            if isCancelled() { throw CancellationError() }
            dictionary.forEachEntry(ofChunk: number) { _, entry in isMatch.append(matches(entry)) }
        }
        return isMatch
    }
}
