/// Every bound on what comes from outside, in one place.
///
/// A limit is checked before memory is taken for what it bounds, and an error names it by the name
/// that it has here. `checkRelations()` holds what must be true between limits.
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
    /// Pages of which a client has a part.
    public static let partialPages = 64
    /// Pages that a server begins and has not finished: what is left of each stays in memory.
    package static let pagesBegun = 4
    /// UTF-8 bytes of a list, column, grouping or scope name.
    public static let bytesPerName = 1 << 10
    /// UTF-8 bytes of a search text.
    public static let bytesPerSearch = 4 << 10
    /// UTF-8 bytes of an error message.
    public static let bytesPerMessage = 4 << 10
    /// Names listed by an error as alternatives.
    public static let alternativesPerError = 64

    // MARK: Connections

    public static let connections = 10_000
    public static let viewsPerConnection = 64
    /// Requests of one connection that wait for work outside the event loop.
    public static let waitingRequestsPerConnection = 64
    /// Bytes of answers outside credit that may wait for a client to read.
    public static let bytesOfUnreadAnswers = 1 << 20
    /// Bytes of page frames that a client may allow in flight.
    public static let creditBytes = 64 << 20
    public static let secondsUntilHello = 5
    public static let secondsPerFrame = 10
    /// Seconds of silence after which a client is taken for gone; clients ping three times in it.
    public static let secondsOfSilence = 90
    public static let secondsToDrain = 5

    /// Bytes that are read from a connection at once, and that a quiet one may keep.
    package static let bytesPerRead = 4 << 10
    /// Bytes of memory of frames that are not whole, of all clients. Over it, those are cut off
    /// that hold more than an even share.
    package static let bytesOfUnfinishedFrames = 64 << 20
    /// Work for one connection, in about microseconds of an event loop: what is done at once with
    /// the bytes that it sent, and what it may do in a turn of its own.
    package static let workAtOnce = 200
    package static let workPerTurn = 500
    /// Pages of one connection that are being read at once. A page that is not wanted any more
    /// counts until it has been read, so that windows asked in a row can't pile work up.
    package static let pagesReadAtOnce = 8
    /// Seconds that a peer has to read why it was cut off.
    package static let secondsToLinger = 1
    /// Connections that the system has accepted and the server has not.
    package static let connectionsPending = 1_024
    /// Bytes written but not sent at which a connection is given no more, and at which it is again:
    /// few, so that stale pages do not queue in memory for a client that stopped reading.
    package static let bytesUnsentAtMost = 64 << 10
    package static let bytesUnsentToGoOn = 32 << 10

    // MARK: Windows, index, sections, detail

    public static let rowsPerWindow = 1_024
    public static let heldPagesPerWindow = 64
    public static let rowsPerLeaf = 64
    public static let titlesPerIndex = 1_024
    public static let sectionsPerAnswer = 1_024
    /// Bytes of one text in a page of up to 16 columns; longer ones are cut and marked.
    public static let bytesPerPageText = 1 << 10
    /// Bytes of all texts in a page: with more columns, each text may take less.
    public static let textBytesPerPage = 1 << 20
    /// Bytes of one cell in a row's detail; the rest is asked for in pieces.
    public static let bytesPerDetailCell = 4 << 10
    /// Bytes of one piece of a cell.
    public static let bytesPerPiece = 48 << 10
    /// UTF-8 bytes of a section title; longer ones are cut.
    public static let bytesPerTitle = 256
    /// Entries of a statistics answer.
    public static let statistics = 256
    /// Bytes of all frames of a catalog answer.
    public static let bytesPerCatalog = 64 << 20
    public static let projectionsPerList = 1_024
    /// A round trip that is longer, somebody has made up.
    package static let microsecondsPerRoundTrip = 10_000_000
    /// Screens of scrolling that nobody reads: such a fling gets no pages ahead until it slows.
    package static let screensPerSecond = 20

    // MARK: Store

    public static let lists = 1_000
    /// One less than SQLite answers in a row, since a list's row also has its id.
    public static let columnsPerList = columnsPerStatement - 1
    public static let groupingsPerList = 200
    public static let scopesPerList = 2_100
    /// More than anybody reads; each is looked through for a row.
    public static let boundsPerGrouping = 1_000
    /// Rows of a table without rowid, or of a view, that are copied to give them row ids.
    public static let rowsCopied = 1_000_000
    /// Bytes of their values: the copy stands in the folder for temporary files.
    public static let bytesPerCopy = 4 << 30
    /// Rows of a list: a slot is four bytes.
    public static let rowsPerList = Int(UInt32.max) - 1
    /// Rows that inference looks at.
    public static let rowsSampled = 4_096
    /// Distinct values of a column up to which it is suggested as a grouping.
    public static let distinctValuesSuggested = 256
    /// Bytes of one value that SQLite may produce.
    public static let bytesPerValue = 256 << 20
    public static let bytesPerCatalogFile = 1 << 20
    /// Bytes of a text that grouping, sorting and search look at.
    public static let bytesPerKeyText = 4 << 10

    // MARK: SQLite

    /// Columns of a table or an answer, and parameters of a statement: what SQLite is built with.
    package static let columnsPerStatement = 2_000
    /// Bytes of a statement: the names of all columns, each written twice and quoted.
    package static let bytesPerStatement = 16 << 20
    package static let expressionDepth = 500
    package static let termsPerCompoundSelect = 200
    /// Operations that a statement is compiled to.
    package static let operationsPerStatement = 1 << 20
    package static let argumentsPerFunction = 127
    package static let bytesPerLikePattern = 4 << 10
    package static let triggerDepth = 100
    /// A lock that is held longer than this is reported rather than waited for.
    package static let millisecondsForLock = 500
    /// Operations after which a running statement asks whether it must stop: a tick. Some twenty
    /// rows, since a view's functions may take milliseconds for each.
    package static let operationsPerTick = 200
    /// Ticks that inference may take: about a second for all tables together.
    package static let ticksOfInference = 500_000
    package static let ticksOfInferencePerTable = 100_000
    /// Seconds that inference may take for all tables together, whatever its ticks take.
    package static let secondsOfInference = 2
    package static let secondsToOpen = 10
    /// For a page, a row's detail, or a piece of a cell.
    package static let secondsPerLookup = 5
    /// For one row of a table that is being read in.
    package static let secondsPerRow = 10
    /// For the copy of a view, or of a table without row ids: the first row of a view may come when
    /// all rows of its tables have been sorted.
    package static let secondsPerCopy = 60
    /// Seconds for which a copy that took too long is refused without another try.
    package static let secondsUntilCopyIsRetried = 60
    /// For the rows of all lists together, when a catalog is asked for.
    package static let secondsOfCounting = 2
    /// Transactions that a reader begins until none of another program's commits came between.
    package static let transactionsBegun = 100
    /// Statements that a reader keeps prepared.
    package static let statementsPerReader = 32
    /// Copies that a reader keeps open: each has file descriptors.
    package static let openCopiesPerReader = 8

    // MARK: Import

    public static let bytesPerCSVField = 64 << 20
    public static let columnsPerCSV = columnsPerList

    // MARK: Server memory

    public static let bytesOfCachedPages = 64 << 20
    /// Parts of those, each with a lock. The newest page of each stays, whatever it takes.
    package static let shelvesOfPages = 8
    /// Arrangements of a list kept beyond those that a view shows, least recently used first out.
    public static let idleArrangementsPerList = 16
    /// Bytes that those may take: four or five groupings of ten million rows, or many searches.
    public static let bytesOfIdleArrangementsPerList = 256 << 20
    /// Orders that nobody shows and that are kept, and changed along, when rows change.
    package static let idleOrdersEdited = 4
    /// Rows that changed while an arrangement was built up to which it is brought up to date in the
    /// turn of the list's keeper: some milliseconds. More are done outside of it first.
    package static let rowsCaughtUpInTurn = 1_000
    /// Bytes of all arrangements of a list, those that views show counted.
    public static let bytesOfArrangementsPerList = 1_536 << 20
    /// Pages of a view that are sent ahead of scrolling.
    public static let aheadPages = 16
    /// Bytes of all columns that are read in, of all lists: a hundred of ten million rows each.
    public static let bytesOfColumns = 8 << 30
    /// Columns read in at once for what may be asked next.
    public static let columnsReadAhead = 16

    // MARK: Client memory

    /// Pages that a client keeps in case they are shown again.
    package static let pagesKept = 256
    /// Bytes of memory of those pages: with hundreds of columns, one takes a megabyte.
    package static let bytesOfPagesKept = 32 << 20
    /// Requests that a client holds back while as many wait as the server allows.
    package static let requestsHeldBack = 4_096

    /// Traps when one limit makes another impossible to keep. Called at start.
    public static func checkRelations() {
        precondition(bytesPerFrameBeforeWelcome <= bytesPerClientFrame)
        precondition(bytesPerPiece + 1_024 <= bytesPerServerFrame)
        precondition(pagesBegun <= partialPages)
        precondition(bytesPerSearch + 8 * bytesPerName <= bytesPerClientFrame)
        precondition(bytesOfIdleArrangementsPerList <= bytesOfArrangementsPerList)
        precondition(rowsPerLeaf == 64, "a leaf's section bits are one 64-bit word")
        precondition(secondsUntilHello < secondsOfSilence && secondsPerFrame < secondsOfSilence)
        precondition(secondsToLinger <= secondsToDrain)
        precondition(workAtOnce <= workPerTurn)
        precondition(bytesPerRead < bytesOfUnfinishedFrames / connections)
        precondition(bytesUnsentToGoOn < bytesUnsentAtMost)
        precondition(bytesUnsentAtMost <= bytesOfUnreadAnswers)
        precondition(bytesPerPageText * rowsPerLeaf * 16 <= textBytesPerPage)
        precondition(textBytesPerPage * 2 <= rawBytesPerPage)
        precondition(rawBytesPerPage * 2 <= bytesOfCachedPages / shelvesOfPages)
        precondition(sectionsPerAnswer * (bytesPerTitle + 64) <= bytesPerServerFrame)
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
                && secondsPerCopy < secondsOfSilence,
            "a client that waits for the slowest statement is not taken for gone")
        precondition(bytesPerValue <= bytesPerCopy)
        precondition(rowsSampled <= rowsCopied && rowsCopied <= rowsPerList)
        precondition(columnsPerCSV <= columnsPerList && bytesPerCSVField <= bytesPerValue)
    }
}
