/// The highest row id of a table that was ever seen: no lower one is given to a new row.
struct SeenRowIDs {
    var highest: Int64
    /// As entries have it.
    var inEntries: Int64
    /// As it is kept besides.
    var kept: Int64
    /// The highest that lists have shown; nil if none.
    private let shown: () -> Int64?

    init(inEntries: Int64 = 0, kept: Int64 = 0, shown: @escaping () -> Int64? = { nil }) {
        highest = max(inEntries, kept)
        (self.inEntries, self.kept, self.shown) = (inEntries, kept, shown)
    }

    mutating func noteShown() { highest = max(highest, shown() ?? highest) }

    /// Whether a restart would forget it.
    var isNew: Bool { highest > max(inEntries, kept) }
}
