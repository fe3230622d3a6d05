/// Which rows a query finds: those that pass every test.
package struct Filter: Hashable, Sendable {
    /// Not empty.
    package let tests: Set<FilterTest>

    /// nil without tests: then all rows pass.
    package init?(_ tests: [FilterTest]) {
        if tests.isEmpty { return nil }
        self.tests = Set(tests)
    }

    package var columns: Set<Int> { tests.reduce(into: []) { $0.formUnion($1.columns) } }

    /// True if `other` passes every row that this one passes.
    func isNarrower(than other: Filter) -> Bool {
        other.tests.allSatisfy { wider in
            tests.contains(wider) || tests.contains { $0.isNarrower(than: wider) }
        }
    }

    /// Tests one row, to keep a result up to date when rows change.
    package func matches(_ slot: UInt32, in cache: ColumnCache) -> Bool {
        tests.allSatisfy { $0.matches(slot, in: cache) }
    }

    /// The slots of all rows that pass, test by test: each looks only at what the ones before left.
    ///
    /// - Parameters:
    ///   - wider: only slots in this set can pass.
    ///   - known: tests that all of these pass.
    package func scan(
        _ cache: ColumnCache, inside wider: SlotSet? = nil, passing known: Set<FilterTest> = [],
        isCancelled: () -> Bool
    ) throws(CancellationError) -> SlotSet {
        var found = wider
        let rest = tests.subtracting(known).map { (test: $0, cost: $0.cost(in: cache)) }
        for (test, _) in rest.sorted(by: { $0.cost < $1.cost }) {
            found = try test.scan(cache, inside: found, isCancelled: isCancelled)
        }
        return found ?? SlotSet()
    }
}

/// One test of a filter.
package enum FilterTest: Hashable, Sendable {
    /// A text in any of several columns.
    case text(TextTest)
    /// What does not have such a text.
    case lacking(TextTest)
    /// A condition on the values of one column.
    case values(ConditionTest)

    package var columns: Set<Int> {
        switch self {
        case .text(let test), .lacking(let test): Set(test.columns + test.beginnings)
        case .values(let test): [test.column]
        }
    }

    func isNarrower(than other: FilterTest) -> Bool {
        guard case (.text(let narrow), .text(let wide)) = (self, other) else { return false }
        return narrow.isNarrower(than: wide)
    }

    func matches(_ slot: UInt32, in cache: ColumnCache) -> Bool {
        switch self {
        case .text(let test): test.matches(slot, in: cache)
        case .lacking(let test): !test.matches(slot, in: cache)
        case .values(let test): test.matches(slot, in: cache.column(test.column))
        }
    }

    /// About what a scan takes: the distinct values, which are tested one by one.
    fileprivate func cost(in cache: ColumnCache) -> Int {
        columns.reduce(0) { $0 + cache.column($1).dictionary.count + 1 }
    }

    /// Slots per row that is left, above which rows are tested one by one.
    private static let slotsPerRow = 128

    fileprivate func scan(
        _ cache: ColumnCache, inside wider: SlotSet?, isCancelled: () -> Bool
    ) throws(CancellationError) -> SlotSet {
        switch self {
        case .text(let test):
            let matchers = test.matchers(in: cache)
            return try Self.slots(of: cache, inside: wider, unless: isCancelled) { slot in
                matchers.contains { $1.matches(slot, in: cache.column($0)) }
            } scan: { (found) throws(CancellationError) in
                for (index, matcher) in matchers {
                    try matcher.scan(cache.column(index), into: &found, isCancelled: isCancelled)
                }
            }
        case .lacking(let test):
            let having = try FilterTest.text(test).scan(
                cache, inside: wider, isCancelled: isCancelled)
            return having.complement(in: wider, of: cache.slotCount, without: cache.dead)
        case .values(let test):
            let column = cache.column(test.column)
            return try Self.slots(of: cache, inside: wider, unless: isCancelled) { slot in
                test.matches(slot, in: column)
            } scan: { (found) throws(CancellationError) in
                try test.scan(column, into: &found, isCancelled: isCancelled)
            }
        }
    }

    /// Those that pass: one by one where few are left, else by a scan of all.
    private static func slots(
        of cache: ColumnCache, inside wider: SlotSet?, unless isCancelled: () -> Bool,
        where passes: (UInt32) -> Bool,
        scan: (inout FoundSlots) throws(CancellationError) -> Void
    ) throws(CancellationError) -> SlotSet {
        if let wider, wider.count < cache.slotCount / slotsPerRow {
            return try wider.filtered(unless: isCancelled, passes)
        }
        var found = FoundSlots(slotCount: cache.slotCount, wider: wider?.words())
        try scan(&found)
        return found.finish(without: cache.dead)
    }
}
