import ValetModel

/// Bytes of folded text searched between two polls for cancellation.
private let bytesPerLook = 256 << 10

extension ValueTest {
    /// Adds the slots whose values pass. Each distinct value is tested once; then codes are looked
    /// up chunk by chunk, polling for cancellation between chunks.
    func scan(
        _ column: Column, into found: inout FoundSlots, isCancelled: () -> Bool
    ) throws(CancellationError) {
        let isMatch = try matchingCodes(of: column, isCancelled: isCancelled)
        let isMissingMatch = matchesMissing(column.defaultCode.map { isMatch[Int($0)] })
        let hasMatch = isMissingMatch || isMatch.contains(true)
        // Most columns have chunks of one kind.
        var kind = ColumnChunk.Kind.code
        var passing: PassingNumbers?
        for number in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[number]
            let first = number * ColumnChunk.slots
            if kind != chunk.kind { (kind, passing) = (chunk.kind, passingNumbers(chunk.kind)) }
            switch kind {
            case .code where !hasMatch: break
            case .code:
                isMatch.withUnsafeBufferPointer {
                    found.add(chunk, from: first, isMatch: $0, isMissingMatch: isMissingMatch)
                }
            case .integer, .decimal, .real:
                if let passing, chunk.isOfOffsets {
                    found.add(chunk, from: first, passing, isMissingMatch: isMissingMatch)
                } else if kind == .integer {
                    scanIntegers(chunk) { found.add(first + $0, $1 ?? isMissingMatch) }
                } else {
                    chunk.forEachReal { index, real in
                        found.add(first + index, real.map { matches($0) } ?? isMissingMatch)
                    }
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
        if let matchOfAll { return Array(repeating: matchOfAll, count: dictionary.count) }
        var isMatch = [Bool](repeating: false, count: dictionary.count)
        for number in 0..<dictionary.chunkCount {
            let first = number * DictionaryChunk.capacity
            var done = 0
            while done < min(DictionaryChunk.capacity, dictionary.count - first) {
                if isCancelled() { throw CancellationError() }
                done = dictionary.withChunk(number) { chunk in
                    let part = chunk.entries(from: done, most: bytesPerLook)
                    if chunk.isAllText {
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
}
