/// How much a bench asks for.
package struct BenchPlan: Hashable, Sendable {
    /// What is measured: operations in this process, a server over TCP whose rows are
    /// shown, one that is asked queries, one that many clients ask without pause, one whose rows
    /// are changed, or what a person sees over a slow link.
    enum Part: String, CaseIterable, Sendable {
        case micro
        case served
        case asked
        case loaded
        case edited
        case seen
    }

    package var seed: UInt64
    var parts = Set(Part.allCases)
    /// Servers that are started one after the other: each reads the list in once.
    var starts: Int
    var windows: Int
    var windowsPerTenth: Int
    var lookups: Int
    /// Needles of each length and scope.
    var needlesPerLength: Int
    /// Rows of which conditions are made; so many of each kind of query.
    var queries: Int
    var sqliteRuns: Int
    /// Clients that open what the first has opened.
    var laterClients: Int
    /// How often a full load is measured.
    var loadRounds: Int
    var secondsPerLoad: Double
    /// How long each operation in memory is repeated.
    var secondsPerOperation: Double
    /// Rows that are changed while many orders are shown; a multiple of a batch.
    var edits: Int
    /// Changes of one station, and as many commits of SQLite alone.
    var commits: Int
    /// Stations that watch one list, at most.
    var watchers: Int
    var secondsPerMirror: Double
    /// Changes whose bytes are counted.
    var changesCounted: Int
    var secondsOverSlowLink: Double
    /// What a person does at the full screen, one after the other.
    var actsSeen: Int
    /// Stations that go away and come back.
    var absences: Int
    var secondsAway: Double
    var secondsOfSilence: Double
    /// Bytes that a station which stops reading allowed on the way: more than the system takes, or
    /// so few that they are used up soon.
    var creditOfSilent: Int
    /// Commands that each change almost ten thousand rows.
    var largeEdits: Int
    var rowsInserted: Int
    /// Inserts and deletes in the end: none if nil.
    var churn: Int?

    /// A window must find a place in each tenth of the list.
    static let fewestRows = 1_000
    static let rowsPerWindow = 50
    static let rowsScrolled = 2_000
    /// What a client that scrolls says of itself: less than a fling.
    static let screensPerSecond = 10
    /// Between two windows when their bytes are counted: people do not scroll faster.
    static let pauseOfScrolling = Duration.milliseconds(10)
    /// Requests at the beginning of a measurement that don't count.
    static let warmUp = 20
    static let needleLengths = 1...6
    /// Groupings that are open when the server's memory is looked at.
    static let groupingsInMemory = 5
    static let clientsOfLoad = 50
    static let editsPerBatch = 64

    package init(seed: UInt64, isQuick: Bool) {
        self.seed = seed
        starts = isQuick ? 1 : 3
        windows = isQuick ? 100 : 1_000
        windowsPerTenth = isQuick ? 10 : 100
        lookups = isQuick ? 100 : 1_000
        needlesPerLength = isQuick ? 2 : 20
        queries = isQuick ? 8 : 80
        sqliteRuns = isQuick ? 1 : 3
        laterClients = isQuick ? 5 : 20
        loadRounds = isQuick ? 1 : 5
        secondsPerLoad = isQuick ? 0.3 : 2
        secondsPerOperation = isQuick ? 0.05 : 0.5
        edits = isQuick ? 256 : 8_192
        commits = isQuick ? 100 : 2_000
        watchers = isQuick ? 100 : 1_000
        secondsPerMirror = isQuick ? 0.5 : 10
        changesCounted = isQuick ? 20 : 200
        secondsOverSlowLink = isQuick ? 1 : 10
        actsSeen = isQuick ? 13 : 39
        absences = isQuick ? 1 : 3
        secondsAway = isQuick ? 2 : 10
        secondsOfSilence = isQuick ? 1.5 : 60
        creditOfSilent = isQuick ? 256 << 10 : 8 << 20
        largeEdits = isQuick ? 2 : 20
        rowsInserted = isQuick ? 10_000 : 100_000
    }
}
