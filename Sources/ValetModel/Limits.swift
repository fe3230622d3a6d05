/// Every bound on outside input, in one place.
///
/// A limit is checked before the memory it bounds is allocated, and errors use the names given
/// here. `checkRelations()` verifies the relations between limits.
public enum Limits {
    // MARK: Frames and messages

    /// Bytes of a frame before the welcome, header left out.
    public static let bytesPerFrameBeforeWelcome = 4 << 10
    /// Bytes of a frame from a client, header left out.
    public static let bytesPerClientFrame = 64 << 10
    /// Bytes of a frame from a server, header left out: a catalog is the largest.
    public static let bytesPerServerFrame = 8 << 20
    /// Raw bytes of one page, before compression.
    public static let rawBytesPerPage = 4 << 20
    /// Bytes of a page's encoding in one frame; a larger page takes several.
    public static let bytesPerPageFrame = 16 << 10
    /// Partly received pages that a client keeps.
    public static let partialPages = 64
    /// Pages that a server has partly sent: the unsent rest stays in memory.
    package static let pagesBegun = 4
    /// UTF-8 bytes of a list, column, grouping or scope name.
    public static let bytesPerName = 1 << 10
    /// UTF-8 bytes of a search text.
    public static let bytesPerSearch = 4 << 10
    /// Words and phrases of a search text.
    public static let wordsPerSearch = 32
    public static let conditionsPerQuery = 32
    /// Values that a condition compares with.
    public static let valuesPerCondition = 1_024
    /// Columns that a query sorts by.
    public static let sortsPerQuery = 16
    /// UTF-8 bytes of an error message.
    public static let bytesPerMessage = 4 << 10
    /// Names listed by an error as alternatives.
    public static let alternativesPerError = 64
    /// How long an error may ask to wait.
    public static let secondsToRetryAfter = 600
    /// The largest ordinal, count or size. The sum of two can't overflow, so code that reads
    /// messages may add them unchecked; and each is exact as a double.
    package static let largestCount = (1 << 53) - 1

    // MARK: Connections

    public static let connections = 10_000
    public static let viewsPerConnection = 64
    /// Requests per connection that may wait for work outside the event loop.
    public static let waitingRequestsPerConnection = 64
    /// Bytes of answers outside credit that may wait for a slow client.
    public static let bytesOfUnreadAnswers = 1 << 20
    /// Bytes of page frames that a client may allow in flight.
    public static let creditBytes = 64 << 20
    public static let secondsUntilHello = 5
    public static let secondsPerFrame = 10
    /// Seconds of silence after which a client is presumed gone; clients ping three times as often.
    public static let secondsOfSilence = 30
    public static let secondsToDrain = 5

    /// Bytes per socket read, and the most that an idle connection may keep.
    package static let bytesPerRead = 4 << 10
    /// Bytes of unfinished frames of all clients. Above it, clients that hold more than an even
    /// share are disconnected.
    package static let bytesOfUnfinishedFrames = 64 << 20
    /// Cost budgets, in approximate microseconds of loop time: for bytes that have just arrived, of
    /// a principal or of a connection without one, and for one connection's turn.
    package static let workAtOnce = 200
    package static let workPerTurn = 300
    /// Cells of a page that is made on an event loop; larger ones are left to the reader threads.
    package static let cellsMadeOnLoop = 64 * 64
    /// Concurrent page reads per connection. A page that is no longer wanted counts until its read
    /// ends, so that rapid window requests can't pile work up.
    package static let pagesReadAtOnce = 8
    /// Seconds that a peer gets to read why it was disconnected.
    package static let secondsToLinger = 1
    /// Certificates and keys; the file of all authorities of a machine has 200 KiB.
    package static let bytesPerPEMFile = 4 << 20
    /// Of a server that knows who may connect.
    package static let tokens = 10_000
    package static let rolesPerPrincipal = 16
    /// Catalogs that are kept of those who see it alike.
    package static let catalogsKept = 1_000
    /// Seconds until one who has tried in vain may try once more; how often they may do so at once;
    /// and how many addresses are remembered for that.
    package static let secondsPerAttempt = 3
    package static let attemptsAtOnce = 20
    package static let addressesOfAttempts = 4_096
    /// The listen backlog.
    package static let connectionsPending = 1_024
    /// Connections that are let in at once, and a second after that; and how many wait to be, more
    /// than a place with all its stations behind one address has when they come back.
    package static let newcomersAtOnce = 32
    package static let newcomersPerSecond: Int64 = 2_000
    package static let newcomersWaiting = 4_096
    /// The same, over TLS.
    package static let handshakesAtOncePerLoop = 4
    package static let handshakesPerSecondAndLoop: Int64 = 250
    /// High and low water marks of unsent bytes: small, so that stale pages do not queue in memory
    /// for a client that stopped reading.
    package static let bytesUnsentAtMost = 64 << 10
    package static let bytesUnsentToGoOn = 32 << 10

    // MARK: Backups

    /// Of a copy of the served file, as it is sent; the last one may be shorter.
    public static let bytesPerBlock = 32 << 10
    /// Pages that are copied between two commits.
    package static let pagesPerCopyStep = 64
    /// How often a copy begins again since other programs write, before it is made at one go.
    package static let restartsPerCopy = 3
    package static let backupsKept = 10_000
    /// Copies that clients read at the same time: each takes as much room as the file.
    package static let backupsHeld = 4
    /// Connections at once that ask how the server is.
    package static let watchers = 32
    package static let secondsPerWatch = 2

    // MARK: Windows, index, sections, detail

    public static let rowsPerWindow = 1_024
    public static let heldPagesPerWindow = 64
    /// Rows that may hold a window's place.
    public static let rowsPerAnchor = 8
    /// Answers a second to a standing window: one for each pass over all windows.
    public static let answersPerSecond = 1_000
    /// What clients ask for if nobody says otherwise; also the rate of a change feed.
    public static let usualAnswersPerSecond = 30
    /// The same, when only numbers change: totals and places.
    package static let numbersPerSecond = 10
    public static let rowsPerLeaf = 64
    public static let titlesPerIndex = 1_024
    public static let sectionsPerAnswer = 1_024
    /// How often a view's rows are surveyed again because they have changed meanwhile.
    package static let surveysInVain = 8
    public static let measuresPerRequest = 16
    /// A header and a footer make one request.
    package static let measuresPerTemplate = measuresPerRequest / 2
    public static let sectionsPerAggregates = 64
    /// Bytes of one text in a page of up to 16 columns; longer texts are cut and marked as cut.
    public static let bytesPerPageText = 1 << 10
    /// Bytes of all texts in a page: with more columns, each text gets a smaller limit.
    public static let textBytesPerPage = 1 << 20
    /// Bytes of one cell in a row's detail; clients fetch the rest in pieces.
    public static let bytesPerDetailCell = 4 << 10
    /// Bytes of one piece of a cell.
    public static let bytesPerPiece = 48 << 10
    /// UTF-8 bytes of a section title; longer ones are cut.
    public static let bytesPerTitle = 256
    /// Entries of a statistics answer.
    public static let statistics = 256
    /// Bytes of all frames of a catalog answer.
    public static let bytesPerCatalog = 64 << 20
    /// Choices of columns for each list that are remembered with their numbers.
    package static let projectionsPerList = 256
    /// New choices of columns that a connection may make.
    package static let projectionsPerConnection = 256
    /// Longer round trips are taken for false reports.
    package static let microsecondsPerRoundTrip = 10_000_000
    /// Scroll speed above which nothing is prefetched: nobody can read that fast.
    package static let screensPerSecond = 20

    // MARK: Store

    public static let lists = 1_000
    /// Databases that are kept of CSV files that were opened, and their bytes.
    package static let importedDatabases = 32
    package static let bytesImported = 8 << 30
    /// One below SQLite's limit, since a list's row also carries its id.
    public static let columnsPerList = columnsPerStatement - 1
    public static let groupingsPerList = 200
    /// Columns of titles, and ways back to a row. SQLite joins 64 tables at most.
    public static let titlesPerList = 32
    public static let actionsPerList = 32
    /// Lines of the screen that one row takes.
    public static let linesPerRow = 9
    public static let scopesPerList = 2_100
    /// Far more than people use; each row searches the bounds for its section.
    public static let boundsPerGrouping = 1_000
    /// Values to pick from in a column.
    public static let choicesPerColumn = 256
    /// Columns that an editor shows side by side.
    public static let wheelsPerEditor = 8
    /// Editors of one column, by the kind of the row.
    public static let kindsPerEditor = 64
    /// Digits behind the point that a column's format may ask for.
    public static let decimalsPerNumber = 9
    /// Numbers that a form offers of a range; what is further from its start must be typed.
    public static let numbersPerRange = 10_000
    public static let detailSectionsPerList = 64
    /// Rows of a table without rowid, or of a view, that are copied to give them row ids.
    public static let rowsCopied = 1_000_000
    /// Bytes of the copied values: the copy is a file in the temporary folder.
    public static let bytesPerCopy = 4 << 30
    /// Rows of a list: a slot takes four bytes.
    public static let rowsPerList = Int(UInt32.max) - 1
    /// Rows sampled by inference.
    public static let rowsSampled = 4_096
    /// The most distinct values a column may have to be suggested as a grouping.
    public static let distinctValuesSuggested = 256
    /// Bytes of one value that SQLite may produce.
    public static let bytesPerValue = 256 << 20
    /// How often a client reads a long value that changes between its pieces.
    public static let readingsPerValue = 4
    public static let bytesPerCatalogFile = 1 << 20
    /// Values inside one another in a catalog, and in other files in YAML.
    public static let levelsOfYAML = 64
    /// The prefix, in bytes, of a text that grouping, sorting and search use.
    public static let bytesPerKeyText = 4 << 10

    // MARK: SQLite

    /// Columns of a table or result, and parameters of a statement: compiled into SQLite.
    package static let columnsPerStatement = 2_000
    /// Bytes of a statement: enough to name all columns twice, quoted.
    package static let bytesPerStatement = 16 << 20
    package static let expressionDepth = 500
    package static let termsPerCompoundSelect = 200
    /// Opcodes of a compiled statement.
    package static let operationsPerStatement = 1 << 20
    package static let argumentsPerFunction = 127
    package static let bytesPerLikePattern = 4 << 10
    package static let triggerDepth = 100
    /// How long to wait for a lock before reporting it.
    package static let millisecondsForLock = 500
    package static let millisecondsPerLockLook = 2
    /// Opcodes between two checks whether a running statement must stop: one tick. That is about
    /// twenty rows; a view's functions may take milliseconds per row.
    package static let operationsPerTick = 200
    /// Ticks allowed for inference: about a second for all tables together.
    package static let ticksOfInference = 500_000
    package static let ticksOfInferencePerTable = 100_000
    /// Seconds allowed for inference over all tables, however long its ticks take.
    package static let secondsOfInference = 2
    package static let secondsToOpen = 10
    /// Timeout of reading a page, a row's detail, or a piece of a cell.
    package static let secondsPerLookup = 5
    /// Read behind a piece of a long value, and kept of so many values.
    package static let bytesReadAhead = 4 << 20
    package static let valuesReadAhead = 4
    /// A table is loaded in transactions of about this length.
    package static let millisecondsPerPartOfReading = 400
    /// Timeout of one row while a table is loaded.
    package static let secondsPerRow = 10
    /// Timeout of copying a view or a table without row ids: the first row of a view may arrive
    /// only after all rows of its tables are sorted.
    package static let secondsPerCopy = 60
    /// Timeout of finding a query's rows in memory, once its order is there, while a view waits.
    package static let secondsPerSearch = 20
    /// Seconds that a copy lets another program wait to write: many give up after five.
    package static let secondsOfKeptWriter = 2
    /// Seconds before a copy that timed out is tried again.
    package static let secondsUntilCopyIsRetried = 60
    /// Time for counting the rows of all lists for a catalog.
    package static let secondsOfCounting = 2
    /// Attempts to begin a transaction with no other program's commit in between.
    package static let transactionsBegun = 100
    /// SQLite's page cache per connection: enough for the inner pages of a large table's B-tree.
    package static let kibibytesOfPageCache = 1_024
    /// Prepared statements that a reader caches.
    package static let statementsPerReader = 32
    /// Copies that a reader keeps open: each takes file descriptors.
    package static let openCopiesPerReader = 8

    // MARK: Import

    public static let bytesPerCSVField = 64 << 20
    public static let columnsPerCSV = columnsPerList

    /// Tables that can't be lists and are named in a catalog.
    public static let tablesLeftOut = 64

    // MARK: Commands

    /// Rows that one command may insert, change, move or delete.
    public static let rowsPerCommand = 10_000
    /// Rows that a person can select: a command takes all of them.
    package static let rowsPerSelection = rowsPerCommand
    /// A command sends a longer seen value as a digest. Conflicts, history and the change feed cut
    /// cells there.
    public static let bytesPerSeenValue = 256
    /// Conflicts or refusals that an outcome lists.
    public static let problemsPerOutcome = 64
    /// How many of a writer's commands may be overtaken by later ones before they expire.
    public static let commandsRemembered = 1_024
    /// Entries of a history answer, or of one frame of a change feed.
    public static let changesPerAnswer = 256
    /// Other stations in one frame, and so in one list.
    public static let stationsPerFrame = 256
    public static let feedsPerConnection = 16
    /// Bytes of one frame of a change feed, unless a single entry takes more.
    package static let bytesPerChanges = 32 << 10
    /// Frames per second with the presence of others, for each client.
    public static let presencesPerSecond = 10
    /// Commands of one station that undo reaches back.
    public static let undoDepth = 256
    /// Rows on each side of a move that may be renumbered to make room for it.
    package static let rowsRenumbered = 500
    /// Rows that one undo may take back: those of a group's commands.
    public static let rowsPerUndo = 100_000
    /// How often undo sets right what foreign keys have changed again on the way: once for each key
    /// in a chain of rows.
    package static let foreignKeysInAChain = 16
    /// Bytes of one value that a command sets.
    public static let bytesPerEditedValue = 16 << 20
    /// Blocks of a file that tell it from another, and the bytes of each.
    package static let blocksPerSample = 64
    package static let bytesPerSampledBlock = 512
    /// Earlier epochs whose commands are still taken, while the catalog stays the same.
    package static let epochsRemembered = 64
    /// How far ahead of the newest revision a file keeps that no higher one was told: after a
    /// crash, revisions go on from there.
    package static let revisionsAhead = 1 << 20
    /// Outcomes that are kept, and for how long.
    package static let outcomes = 1_000_000
    package static let secondsOfOutcomes: Int64 = 7 * 86_400
    /// Entries of the log that one transaction drops while there are too many of them.
    package static let entriesDropped = 256
    /// How long writers are known that have sent nothing more, or said goodbye.
    package static let secondsOfWriters: Int64 = 400 * 86_400
    package static let secondsOfRetiredWriters: Int64 = 86_400
    /// How old a writer may be when its first command comes, and how far ahead of the clock, if it
    /// was made before the server started.
    package static let secondsOfNewWriters: Int64 = 86_400
    package static let secondsOfAheadClocks: Int64 = 600
    /// Writers whose first command may come later than that: those of this process.
    package static let writersMade = 4_096
    /// Outcomes that are kept in memory before a file gets its log.
    package static let outcomesInMemory = 256
    /// Earlier changes of a row that are looked through for who changed a cell.
    package static let changesLookedThrough = 64
    /// Changed rows that are decoded to tell who made what the conflicts of a command are about.
    package static let effectsLookedThrough = 100_000
    /// Bounds of one history answer: commands read, bytes of their effects, and approximate bytes
    /// sent. The last two never leave a page empty.
    package static let commandsPerHistory = 4_096
    package static let bytesReadPerHistory = 16 << 20
    package static let bytesPerHistory = 256 << 10
    /// Timeout of one command.
    package static let secondsPerCommand = 5
    /// Bytes of the write-ahead log at which it is written into the file, and to which it is cut
    /// when it begins anew.
    package static let bytesUntilCheckpoint = 4 << 20
    package static let bytesOfWriteAheadLog = 64 << 20
    /// Turning the write-ahead log on needs a moment without readers: attempts, and how long each
    /// waits.
    package static let logAttempts = 50
    package static let millisecondsPerLogAttempt = 100

    /// Commands in one transaction, and the rows that they change together: a single command may
    /// change more.
    package static let commandsPerTransaction = 64
    package static let rowsPerTransaction = 2_000
    /// Commands of all clients that wait for the writer: each may have a frame's bytes.
    package static let commandsWaiting = 4_096
    /// Of one principal.
    package static let commandsWaitingOfOne = 2_048
    /// Commits that the writer is ahead of what is published.
    package static let commitsUnpublished = 2

    // MARK: Lists that are loaded from elsewhere

    /// Bytes that a list is loaded from, after they were decompressed.
    package static let bytesPerSource = 64 << 20
    /// Rows, and rows of a list that is loaded. A refresh that replaces them all changes twice as
    /// many, and one undo takes it back if it fails.
    package static let rowsPerSource = rowsPerUndo / 2
    /// Bytes of one text, and of all texts of one row.
    package static let bytesPerSourceText = 1 << 20
    /// Elements of a document inside each other.
    package static let depthOfSource = 64
    package static let attributesPerElement = 256
    package static let redirectsPerSource = 5
    package static let secondsToFirstByte = 20
    package static let secondsPerFetch = 120
    /// Memory of the process that loads it.
    package static let bytesOfFetch = 2 << 30
    /// Refreshes of all lists that run at once: each has a process and a thread.
    package static let refreshesAtOnce = 4
    /// Between the beginnings of two refreshes of one list.
    package static let secondsBetweenRefreshes = 1
    /// Rows and bytes of the commands that a refresh makes.
    package static let rowsPerRefreshCommand = 500
    package static let bytesPerRefreshCommand = 4 << 20
    public static let refreshProgressesPerSecond = 10
}
