/// What servers and clients keep in memory.
extension Limits {
    // MARK: Server memory

    public static let bytesOfCachedPages = 64 << 20
    /// Shards of the page cache, each with its own lock. The newest page of a shard always stays.
    package static let shardsOfPages = 8
    /// Orders per list that are kept though no view shows them, and as many search results;
    /// evicted in LRU order.
    public static let idleArrangementsPerList = 16
    /// Bytes of those idle arrangements: four or five groupings of ten million rows. Searches have
    /// a quarter.
    public static let bytesOfIdleArrangementsPerList = 256 << 20
    /// Idle orders that are kept up to date when rows change.
    package static let idleOrdersEdited = 4
    /// How many rows may change during a build for the keeper to update its result in its own turn,
    /// which takes some milliseconds. A build with more changes is updated on a worker first.
    package static let rowsCaughtUpInTurn = 1_000
    /// How many times as long as its reading took a derived list rests before it is read in again.
    package static let restsPerReading = 9
    /// How long an order that found no room waits before it is tried again.
    package static let secondsBeforeArranging = 2
    /// Rows of a list whose last change is remembered, so that pages of earlier revisions can
    /// still be read.
    package static let rowsTouchedRemembered = 1 << 16
    /// Views of a file and of a connection that are pinned to a revision at once, how long each may
    /// be, and how far the file's write-ahead log may grow meanwhile.
    package static let pins = 16
    package static let pinsPerConnection = 4
    package static let secondsPerPin = 600
    package static let bytesOfLogPerPin: Int64 = 1 << 30
    /// Attempts to pin what is published, while others commit.
    package static let pinAttempts = 8
    /// Changed rows of a commit that is published on the writer's thread.
    package static let rowsPublishedHere = 64
    /// The least that the lists of a file are given.
    public static let leastBytesOfLists = 64 << 20
    /// Pages prefetched per view.
    public static let aheadPages = 16
    /// Columns that are loaded early because the next request may need them.
    public static let columnsReadAhead = 16
    /// Of standard input, from which lines are picked.
    package static let bytesPicked = 1 << 30

    // MARK: Client memory

    /// Pages that a client caches after they leave the window.
    package static let pagesKept = 256
    /// Bytes of those pages: with hundreds of columns, a page takes a megabyte.
    package static let bytesOfPagesKept = 32 << 20
    /// Requests that a client queues while the server's limit of waiting requests is reached.
    package static let requestsHeldBack = 4_096
    /// Commands that a client keeps until their outcomes are known, also without a connection.
    package static let commandsHeldBack = 1_024
    /// Connections in a row that a script tries to make before it gives up: about a quarter of a
    /// minute.
    package static let attemptsOfScripts = 5

    /// Traps when two limits contradict each other. Called at start.
    public static func checkRelations() {
        precondition(bytesPerFrameBeforeWelcome <= bytesPerClientFrame)
        precondition(bytesPerPiece + 1_024 <= bytesPerServerFrame)
        precondition(pagesBegun <= partialPages)
        precondition(bytesPerSearch + 8 * bytesPerName <= bytesPerClientFrame)
        precondition(rowsPerLeaf == 64, "a leaf's section bits are one 64-bit word")
        precondition(pinsPerConnection * 2 <= pins && pinsPerConnection < viewsPerConnection)
        precondition(rowsPerCommand * 2 <= rowsTouchedRemembered)
        precondition(rowsPerCommand <= rowsPerUndo && rowsPerRefreshCommand <= rowsPerCommand)
        precondition(2 * rowsPerSource <= rowsPerUndo)
        precondition(2 * rowsPerSource / rowsPerRefreshCommand < undoDepth)
        precondition(bytesPerSourceText <= bytesPerRefreshCommand)
        precondition(bytesPerSourceText <= bytesPerEditedValue && bytesPerSource < bytesOfFetch)
        precondition(secondsToFirstByte < secondsPerFetch)
        precondition(bytesPerLoggedCommand < bytesPerEntry && bytesPerEntry < bytesPerValue)
        precondition(bytesPerEntry < bytesOfLog && bytesOfLog < bytesOfLogForConsumers)
        precondition(waitingRequestsPerConnection <= commandsRemembered)
        precondition(secondsUntilHello < secondsOfSilence && secondsPerFrame < secondsOfSilence)
        precondition(secondsToLinger <= secondsToDrain)
        precondition(workAtOnce <= workPerTurn)
        precondition(bytesPerRead < bytesOfUnfinishedFrames / connections)
        precondition(bytesUnsentToGoOn < bytesUnsentAtMost)
        precondition(bytesUnsentAtMost <= bytesOfUnreadAnswers)
        precondition(bytesPerPageText * rowsPerLeaf * 16 <= textBytesPerPage)
        precondition(textBytesPerPage * 2 <= rawBytesPerPage)
        precondition(rawBytesPerPage * 2 <= bytesOfCachedPages / shardsOfPages)
        precondition(sectionsPerAnswer * (bytesPerTitle + 64) <= bytesPerServerFrame)
        precondition(
            (sectionsPerAggregates + 1) * measuresPerRequest * (bytesPerPageText + 64)
                <= bytesPerServerFrame)
        precondition(rowsPerWindow * (bytesPerTitle + 64) <= bytesPerServerFrame)
        precondition(
            columnsPerStatement * 2 * (2 * bytesPerName + 4) <= bytesPerStatement,
            "a statement has room for every column's name, twice, with all its quotes doubled")
        precondition(columnsPerList < columnsPerStatement, "a row is its id and its columns")
        precondition(rowsPerLeaf <= columnsPerStatement, "a row id is a parameter each")
        precondition(ticksOfInferencePerTable <= ticksOfInference)
        precondition(secondsOfInference < secondsToOpen)
        precondition(
            secondsPerLookup < secondsOfSilence && secondsPerRow < secondsOfSilence
                && secondsPerSearch < secondsOfSilence,
            "a client that waits for one of these is not taken for gone, even if it sends no ping")
        precondition(bytesPerValue <= bytesPerCopy)
        precondition(rowsSampled <= rowsCopied && rowsCopied <= rowsPerList)
        precondition(columnsPerCSV <= columnsPerList && bytesPerCSVField <= bytesPerValue)
    }
}
