/// Places of some items in their order, equal for equal items.
struct Ranks {
    /// By item.
    let table: [UInt32]
    /// How many different ones there are.
    let count: Int

    /// Ranks of the items 0 ..< `count` by comparison.
    init(
        count: Int, isCancelled: () -> Bool, compare: (UInt32, UInt32) -> Int
    ) throws(CancellationError) {
        var check = CancellationCheck()
        var sorted = Array(0..<UInt32(count))
        do {
            // A comparison that throws ends the sort.
            try sorted.sort {
                try check.step(isCancelled)
                return compare($0, $1) < 0
            }
        } catch {
            throw CancellationError()
        }
        try self.init(sorted, isDescending: false, isCancelled: isCancelled) {
            (sorted[$0], $0 > 0 && compare(sorted[$0 - 1], sorted[$0]) == 0)
        }
    }

    /// Ranks by code of a dictionary's texts.
    init(
        of dictionary: ValueDictionary, isDescending: Bool, isCancelled: () -> Bool
    ) throws(CancellationError) {
        let entries = try TextSort.sorted(dictionary, isCancelled: isCancelled)
        try self.init(entries, isDescending: isDescending, isCancelled: isCancelled) {
            (entries[$0].code, entries[$0].isSame)
        }
    }

    /// - Parameter item: what stands at a place, and whether it equals what stands before.
    @inline(__always)
    private init<Item>(
        _ sorted: [Item], isDescending: Bool, isCancelled: () -> Bool,
        item: (_ place: Int) -> (UInt32, isSame: Bool)
    ) throws(CancellationError) {
        var check = CancellationCheck()
        var table = try [UInt32](zeros: sorted.count, unless: isCancelled)
        var rank: UInt32 = 0
        for place in sorted.indices {
            try check.step(isCancelled)
            let (item, isSame) = item(place)
            if place > 0, !isSame { rank += 1 }
            table[Int(item)] = rank
        }
        if isDescending { for item in table.indices { table[item] = rank - table[item] } }
        self.table = table
        count = Int(rank) + 1
    }
}
