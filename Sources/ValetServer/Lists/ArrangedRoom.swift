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
    /// The principal who asked for each first, whoever has used it since. Those whose connections
    /// are nobody's in particular have none: they come and go, and have one share together.
    private var makers: [ArrangementSpecification: Payer] = [:]
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

    mutating func add(
        _ arrangement: Arrangement, to snapshot: inout Snapshot, for payer: Payer? = nil
    ) {
        guard snapshot.arrangements[arrangement.specification] == nil else { return }
        snapshot = snapshot.adding(arrangement)
        if case .principal? = payer { makers[arrangement.specification] = payer }
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
        makers = makers.filter { snapshot.arrangements[$0.key] != nil }
        let known = Set(idle)
        let unused = snapshot.arrangements.keys.filter { uses[$0] == nil && !known.contains($0) }
        idle.insert(contentsOf: unused, at: 0)
    }

    /// The list was put away.
    mutating func clear() {
        (byteCount, idle, makers, resultsOfOrder) = (0, [], [:], [:])
    }

    /// Drops search results until at most `most` are left, within a quarter of the byte limit with
    /// the orders that only they reference, and then orders in the same way, within the rest. So
    /// searches without end take at most a quarter of the room from orders, which take longer to
    /// make.
    ///
    /// Of those that were made for one principal, the least recently used go first, and principals
    /// keep as many as one another.
    ///
    /// The newest of each stays however large it is, since the next search starts from it. An order
    /// also stays while a search result references it, or will: its memory would not be freed, and
    /// would no longer be counted.
    ///
    /// - Parameters:
    ///   - awaited: what views wait for.
    ///   - most: of each kind; nil for the usual limit.
    ///   - keepsResults: whether search results may stay.
    /// - Returns: whether anything was dropped.
    mutating func dropIdle(
        from snapshot: inout Snapshot, awaited: some Collection<ArrangementSpecification>,
        most: Int? = nil, keepsResults: Bool = true
    ) -> Bool {
        let most = most ?? Limits.idleArrangementsPerList
        let quarter = idleByteLimit / 4
        let (spareResults, taken) = spare(
            idle.filter { $0 != $0.base }, of: snapshot, most: keepsResults ? most : 0,
            bytes: quarter)
        let (spareOrders, _) = spare(
            idle.filter { $0 == $0.base }, of: snapshot, most: most,
            bytes: idleByteLimit - min(taken, quarter))
        // Results first, so that the orders that only they reference can be dropped, too.
        var dropped = spareResults
        for result in dropped { remove(result, from: &snapshot) }
        let orders = spareOrders.filter { resultsOfOrder[$0] == nil }
        if !orders.isEmpty {
            let needed = Set(awaited.map(\.base))
            for order in orders where !needed.contains(order) {
                remove(order, from: &snapshot)
                dropped.append(order)
            }
        }
        return !dropped.isEmpty
    }

    /// - Parameter idle: of one kind, the newest last.
    /// - Returns: those beyond the limits, and the bytes of the others.
    private func spare(
        _ idle: [ArrangementSpecification], of snapshot: Snapshot, most: Int, bytes: Int
    ) -> (spare: [ArrangementSpecification], bytesKept: Int) {
        var (kept, bytesKept) = (0, 0)
        var held: Set<ArrangementSpecification> = []
        let spare = newestOfEachMakerFirst(idle).filter { specification in
            let arrangement = snapshot.arrangements[specification]
            var size = arrangement?.byteCount ?? 0
            let order = arrangement?.heldBase.flatMap { uses[$0] == nil ? $0 : nil }
            if let order, !held.contains(order) {
                size += snapshot.arrangements[order]?.byteCount ?? 0
            }
            guard kept < most, kept == 0 || bytesKept + size <= bytes else { return true }
            if let order { held.insert(order) }
            kept += 1
            bytesKept += size
            return false
        }
        return (spare, bytesKept)
    }

    /// The newest of each maker, then the second of each, and so on.
    private func newestOfEachMakerFirst(
        _ idle: [ArrangementSpecification]
    ) -> [ArrangementSpecification] {
        var counts: [Payer?: Int] = [:]
        let turns = idle.reversed().enumerated().map { place, specification in
            let maker = makers[specification]
            defer { counts[maker, default: 0] += 1 }
            return (turn: counts[maker, default: 0], place: place, specification)
        }
        return turns.sorted { ($0.turn, $0.place) < ($1.turn, $1.place) }.map(\.2)
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
        makers[specification] = nil
        snapshot = snapshot.removing(specification)
        idle.removeAll { $0 == specification }
    }
}
