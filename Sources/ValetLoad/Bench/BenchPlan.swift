/// How much a bench asks for.
package struct BenchPlan: Hashable, Sendable {
    package var seed: UInt64
    /// Servers that are started one after the other: each reads the list in once.
    var starts: Int
    var windows: Int
    var windowsPerTenth: Int
    var lookups: Int
    /// Needles of each length and scope.
    var needlesPerLength: Int
    var sqliteRuns: Int

    /// A window must find a place in each tenth of the list.
    static let fewestRows = 1_000
    static let rowsPerWindow = 50
    static let rowsScrolled = 2_000
    /// Requests at the beginning of a measurement that don't count.
    static let warmUp = 20
    static let needleLengths = 1...6
    /// Clients that open what the first has opened.
    static let laterClients = 5
    /// Groupings that are open when the server's memory is looked at.
    static let groupingsInMemory = 4

    package init(seed: UInt64, isQuick: Bool) {
        self.seed = seed
        starts = isQuick ? 1 : 3
        windows = isQuick ? 100 : 1_000
        windowsPerTenth = isQuick ? 10 : 100
        lookups = isQuick ? 100 : 1_000
        needlesPerLength = isQuick ? 1 : 10
        sqliteRuns = isQuick ? 1 : 3
    }
}
