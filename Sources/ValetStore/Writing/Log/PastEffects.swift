import ValetModel

/// Effects of earlier commands by row, while one command looks back at them from many rows: each
/// earlier command is decoded once, not once for each row.
struct PastEffects {
    private static let most = 16

    /// By revision; nil for a command whose effects are no longer kept.
    private var commands: [UInt64: [RowKey: Effect]?] = [:]
    /// Effects that were decoded so far.
    private var count = 0
    private let limit: Int

    init(limit: Int = Limits.effectsLookedThrough) {
        self.limit = limit
    }

    /// Whether the command has looked back at as many as it may.
    var isSpent: Bool { count >= limit }

    /// - Parameter read: reads and decodes the command's effects.
    mutating func effect<Failure>(
        of rowID: Int64, _ table: Int, at revision: UInt64,
        read: () throws(Failure) -> [Effect]?
    ) throws(Failure) -> Effect? {
        let row = RowKey(table: table, rowID: rowID)
        if let known = commands[revision] { return known?[row] }
        let effects = try read().map { effects in
            count += effects.count
            let rows = effects.map { (RowKey(table: $0.table, rowID: $0.rowID), $0) }
            return Dictionary(rows) { first, _ in first }
        }
        if commands.count == Self.most { commands.removeAll() }
        commands[revision] = effects
        return effects?[row]
    }

    mutating func forget() {
        commands.removeAll()
        count = 0
    }
}
