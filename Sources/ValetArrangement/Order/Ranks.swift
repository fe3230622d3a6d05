/// Ranks of items in their order; equal items share a rank.
struct Ranks {
    /// Indexed by item.
    private(set) var table: [UInt32]
    /// The number of distinct ranks.
    private(set) var count = 0

    /// Ranks the items 0 ..< `count` by comparison.
    init(
        count: Int, isCancelled: () -> Bool, compare: (UInt32, UInt32) -> Int
    ) throws(CancellationError) {
        var check = CancellationCheck()
        var sorted = Array(0..<UInt32(count))
        do {
            // Throwing from the comparison ends the sort.
            try sorted.sort {
                try check.step(isCancelled)
                return compare($0, $1) < 0
            }
        } catch {
            throw CancellationError()
        }
        table = try Array(zeros: count, unless: isCancelled)
        for place in sorted.indices {
            try check.step(isCancelled)
            let isSame = place > 0 && compare(sorted[place - 1], sorted[place]) == 0
            add(sorted[place], isSame: isSame)
        }
    }

    /// Ranks of a column's codes: of numbers that have codes, of texts, and of blobs.
    ///
    /// - Parameter withNumbers: if false, numbers keep rank 0 and are not counted.
    init(
        codesOf column: Column, withNumbers: Bool, isDescending: Bool, isCancelled: () -> Bool
    ) throws(CancellationError) {
        let dictionary = column.dictionary
        table = try Array(zeros: dictionary.count, unless: isCancelled)
        var check = CancellationCheck()
        var (numbers, blobs): ([UInt32], [UInt32]) = ([], [])
        if !dictionary.isAllText {
            for code in 0..<UInt32(dictionary.count) {
                try check.step(isCancelled)
                switch column.value(of: code) {
                case .integer, .real: if withNumbers { numbers.append(code) }
                case .blob: blobs.append(code)
                case .text, .missing: break
                }
            }
        }
        try add(numbers, of: column, isCancelled)
        for text in try TextSort.sorted(dictionary, isCancelled: isCancelled) {
            try check.step(isCancelled)
            add(text.code, isSame: text.isSame)
        }
        try add(blobs, of: column, isCancelled)
        guard isDescending, let last = UInt32(exactly: count - 1) else { return }
        for code in table.indices {
            try check.step(isCancelled)
            table[code] = last - table[code]
        }
    }

    /// Appends ranks after those that are assigned.
    private mutating func add(
        _ codes: [UInt32], of column: Column, _ isCancelled: () -> Bool
    ) throws(CancellationError) {
        let ranks = try Ranks(count: codes.count, isCancelled: isCancelled) {
            column.compare(
                column.value(of: codes[Int($0)]), column.value(of: codes[Int($1)]),
                isDescending: false)
        }
        for (code, rank) in zip(codes, ranks.table) { table[Int(code)] = UInt32(count) + rank }
        count += ranks.count
    }

    @inline(__always)
    private mutating func add(_ item: UInt32, isSame: Bool) {
        if !isSame { count += 1 }
        table[Int(item)] = UInt32(count - 1)
    }
}
