import ValetClient

/// The rows that a person has picked for an action, by their ids, in the order in which they were
/// picked; and those that are to be compared.
struct RowSelection: Hashable, Sendable {
    private(set) var rowIDs: [Int64] = []
    private var members: Set<Int64> = []
    /// The newest, as it was when it was picked.
    var newest: Row?
    /// As they were when they were chosen, in that order.
    var compared: [Row] = []

    var count: Int { rowIDs.count }
    var isEmpty: Bool { rowIDs.isEmpty }

    func contains(_ rowID: Int64) -> Bool { members.contains(rowID) }

    mutating func insert(_ rowID: Int64) {
        if members.insert(rowID).inserted { rowIDs.append(rowID) }
    }

    mutating func remove(_ gone: some Sequence<Int64>) {
        let gone = members.intersection(gone)
        guard !gone.isEmpty else { return }
        members.subtract(gone)
        rowIDs.removeAll { gone.contains($0) }
    }

    mutating func removeAll() {
        (rowIDs, members) = ([], [])
    }
}
