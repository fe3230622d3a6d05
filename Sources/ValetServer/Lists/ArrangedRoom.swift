import ValetArrangement
import ValetModel

/// Counts the views of each of a list's arrangements, and evicts unused ones beyond the limits.
struct ArrangedRoom {
    private let idleByteLimit: Int

    /// Bytes of all arrangements of the snapshot.
    private(set) var byteCount = 0
    /// Views that show each arrangement.
    private(set) var uses: [ArrangementSpecification: Int] = [:]
    /// Arrangements without a view, least recently used first; all different.
    private(set) var idle: [ArrangementSpecification] = []
    /// How many search results reference each order.
    private var resultsOfOrder: [ArrangementSpecification: Int] = [:]

    /// The limit is a value, so that tests need not fill megabytes.
    init(idleByteLimit: Int = Limits.bytesOfIdleArrangementsPerList) {
        self.idleByteLimit = idleByteLimit
    }

    mutating func use(_ specification: ArrangementSpecification) {
        uses[specification, default: 0] += 1
        idle.removeAll { $0 == specification }
    }

    /// - Returns: true when no view shows it any more.
    mutating func release(_ specification: ArrangementSpecification) -> Bool {
        guard let count = uses[specification] else { return false }
        guard count == 1 else {
            uses[specification] = count - 1
            return false
        }
        uses[specification] = nil
        idle.append(specification)
        return true
    }

    /// An arrangement without a view was used: it becomes the most recently used.
    mutating func keepIdle(_ specification: ArrangementSpecification) {
        guard uses[specification] == nil else { return }
        idle.removeAll { $0 == specification }
        idle.append(specification)
    }

    mutating func add(_ arrangement: Arrangement, to snapshot: inout Snapshot) {
        guard snapshot.arrangements[arrangement.specification] == nil else { return }
        snapshot = snapshot.adding(arrangement)
        count(arrangement)
    }

    private mutating func count(_ arrangement: Arrangement) {
        byteCount += arrangement.byteCount
        if let order = arrangement.heldBase { resultsOfOrder[order, default: 0] += 1 }
    }

    /// The snapshot was replaced, or its arrangements have grown.
    mutating func recount(in snapshot: Snapshot) {
        (byteCount, resultsOfOrder) = (0, [:])
        for arrangement in snapshot.arrangements.values { count(arrangement) }
        idle.removeAll { snapshot.arrangements[$0] == nil }
        let known = Set(idle)
        let unused = snapshot.arrangements.keys.filter { uses[$0] == nil && !known.contains($0) }
        idle.insert(contentsOf: unused, at: 0)
    }

    /// The list was put away.
    mutating func clear() {
        (byteCount, idle, resultsOfOrder) = (0, [], [:])
    }

    /// Drops the least recently used arrangements until at most `most` are left, within the byte
    /// limit.
    ///
    /// The newest stays however large it is, since the next search starts from it. An order also
    /// stays while a search result references it, or will: its memory would not be freed, and would
    /// no longer be counted.
    ///
    /// - Parameters:
    ///   - awaited: what views wait for.
    ///   - keepsResults: whether search results may stay.
    /// - Returns: whether anything was dropped.
    mutating func dropIdle(
        from snapshot: inout Snapshot, awaited: some Collection<ArrangementSpecification>,
        most: Int? = nil, keepsResults: Bool = true
    ) -> Bool {
        let most = most ?? Limits.idleArrangementsPerList
        var (bytes, kept) = (0, 0)
        let spare = idle.reversed().filter { specification in
            if !keepsResults, specification != specification.base { return true }
            bytes += snapshot.arrangements[specification]?.byteCount ?? 0
            kept += 1
            return kept > most || kept > 1 && bytes > idleByteLimit
        }
        // Results first, so that the orders that only they reference can be dropped, too.
        var dropped = spare.filter { $0 != $0.base }
        for result in dropped { remove(result, from: &snapshot) }
        let orders = spare.filter { $0 == $0.base && resultsOfOrder[$0] == nil }
        if !orders.isEmpty {
            let needed = Set(awaited.map(\.base))
            for order in orders where !needed.contains(order) {
                remove(order, from: &snapshot)
                dropped.append(order)
            }
        }
        return !dropped.isEmpty
    }

    private mutating func remove(
        _ specification: ArrangementSpecification, from snapshot: inout Snapshot
    ) {
        if let arrangement = snapshot.arrangements[specification] {
            byteCount -= arrangement.byteCount
            if let order = arrangement.heldBase, let count = resultsOfOrder[order] {
                resultsOfOrder[order] = count > 1 ? count - 1 : nil
            }
        }
        snapshot = snapshot.removing(specification)
        idle.removeAll { $0 == specification }
    }
}
