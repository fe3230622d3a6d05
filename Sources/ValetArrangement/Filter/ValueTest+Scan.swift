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
        let isMissingMatch = matchesMissing
        let hasMatch = isMissingMatch || isMatch.contains(true)
        // Most columns have chunks of one kind.
        var kind = ColumnChunk.Kind.code
        var passing: PassingNumbers?
        var known = KnownNumbers()
        for number in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[number]
            let first = number * ColumnChunk.slots
            if kind != chunk.kind {
                (kind, passing, known) = (chunk.kind, passingNumbers(chunk.kind), KnownNumbers())
            }
            if let passing,
                found.add(chunk, from: first, passing, isMissingMatch: isMissingMatch)
            {
                continue
            }
            switch kind {
            case .code where !hasMatch: break
            case .code:
                isMatch.withUnsafeBufferPointer {
                    found.add(chunk, from: first, isMatch: $0, isMissingMatch: isMissingMatch)
                }
            case .integer:
                chunk.forEachNumber { index, number in
                    let isFound = number.map { known.answer($0) { matches($0) } }
                    found.add(first + index, isFound ?? isMissingMatch)
                }
            case .decimal(let scale):
                let power = Decimals.powers[scale]
                chunk.forEachNumber { index, number in
                    let isFound = number.map { known.answer($0) { matches(Double($0) / power) } }
                    found.add(first + index, isFound ?? isMissingMatch)
                }
            case .real:
                chunk.forEachReal { index, real in
                    found.add(first + index, real.map { matches($0) } ?? isMissingMatch)
                }
            }
        }
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

/// The answers for numbers that were tested last: in most columns numbers repeat.
private struct KnownNumbers {
    private var numbers = [Int64](repeating: 0, count: 1 << 12)
    private var answers = [Answer](repeating: .unknown, count: 1 << 12)

    private enum Answer: UInt8 {
        case unknown, fails, passes
    }

    @inline(__always)
    mutating func answer(_ number: Int64, _ test: (Int64) -> Bool) -> Bool {
        let place = Int(truncatingIfNeeded: number) & (numbers.count - 1)
        if numbers[place] != number || answers[place] == .unknown {
            numbers[place] = number
            answers[place] = test(number) ? .passes : .fails
        }
        return answers[place] == .passes
    }
}
