import ValetModel

extension Predicate {
    /// The slots of all rows that match. Each distinct text is tested once; then codes are looked up
    /// chunk by chunk, asking between chunks whether anyone still waits.
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
        let isMatch = matchingCodes(of: column)
        let missing = column.defaultCode.map { isMatch[Int($0)] } ?? false
        // Numbers repeat: years and prices are tested once each as far as memory is small.
        var numbers: [Int64: Bool] = [:]
        var slot = 0
        for index in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[index]
            for place in 0..<chunk.count {
                let found: Bool
                switch chunk[place] {
                case .code(let code): found = isMatch[Int(code)]
                case .missing: found = missing
                case .real(let real): found = matches(.real(real), in: column)
                case .integer(let number):
                    if let known = numbers[number] {
                        found = known
                    } else {
                        found = matches(.integer(number), in: column)
                        if numbers.count < 65_536 { numbers[number] = found }
                    }
                }
                if found { words[slot / 64] |= 1 << UInt64(slot % 64) }
                slot += 1
            }
        }
    }

    private func matchingCodes(of column: Column) -> [Bool] {
        var isMatch: [Bool] = []
        isMatch.reserveCapacity(column.dictionary.count)
        column.dictionary.forEachEntry { _, entry in isMatch.append(matches(entry)) }
        return isMatch
    }
}
