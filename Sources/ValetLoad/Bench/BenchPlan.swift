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

    /// The parts as they follow one another.
    static let order: [Part] = [.micro, .edited, .seen, .loaded, .asked, .served]

    package var seed: UInt64
    var parts = Set(Part.allCases)
    /// Servers that are started one after the other: each reads the list in once.
    var starts = 3
    var windows = 1_000
    var windowsPerTenth = 100
    var lookups = 1_000
    /// Needles of each length and scope.
    var needlesPerLength = 20
    /// Rows of which conditions are made; so many of each kind of query.
    var queries = 80
    var sqliteRuns = 3
    /// Clients that open what the first has opened.
    var laterClients = 20
    /// How often a full load is measured, and by how many clients.
    var (loadRounds, clientsOfLoad) = (5, 50)
    var secondsPerLoad = 2.0
    /// How long each operation in memory is repeated.
    var secondsPerOperation = 0.5
    /// Rows that are changed while many orders are shown; a multiple of a batch.
    var edits = 8_192
    /// Changes of one station, and as many commits of SQLite alone.
    var commits = 2_000
    /// Stations that watch one list, at most.
    var watchers = 1_000
    var secondsPerMirror = 10.0
    /// Changes whose bytes are counted.
    var changesCounted = 200
    var secondsOverSlowLink = 10.0
    /// What a person does at the full screen, one after the other.
    var actsSeen = 39
    /// Stations that go away and come back.
    var absences = 3
    var secondsAway = 10.0
    var secondsOfSilence = 60.0
    /// Bytes that a station which stops reading allowed on the way: more than the system takes, or
    /// so few that they are used up soon.
    var creditOfSilent = 8 << 20
    /// Commands that each change almost ten thousand rows.
    var largeEdits = 20
    var rowsInserted = 100_000
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
    static let editsPerBatch = 64

    package init(seed: UInt64, isQuick: Bool) {
        self.seed = seed
        if isQuick { hurry() }
    }

    /// Asks about a tenth as often.
    private mutating func hurry() {
        let counts: [WritableKeyPath<BenchPlan, Int>] = [
            \.windows, \.windowsPerTenth, \.lookups, \.needlesPerLength, \.queries, \.watchers,
            \.changesCounted, \.largeEdits, \.rowsInserted,
        ]
        for count in counts { self[keyPath: count] /= 10 }
        (starts, sqliteRuns, loadRounds, absences) = (1, 1, 1, 1)
        (laterClients, edits, commits, actsSeen) = (5, 256, 100, 13)
        (secondsPerLoad, secondsPerOperation, secondsPerMirror) = (0.3, 0.05, 0.5)
        (secondsOverSlowLink, secondsAway, secondsOfSilence) = (1, 2, 1.5)
        creditOfSilent = 256 << 10
    }
}
