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
    public static let projectionsPerList = 1_024

    // MARK: Store

    public static let lists = 1_000
    public static let columnsPerList = 2_000
    public static let groupingsPerList = 200
    public static let scopesPerList = 2_100
    public static let boundsPerGrouping = 1_000
    /// Rows of a table without rowid, or of a view, that are copied to give them row ids.
    public static let rowsCopied = 1_000_000
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

    // MARK: Import

    public static let bytesPerCSVField = 64 << 20
    public static let columnsPerCSV = 2_000

    // MARK: Server memory

    public static let bytesOfCachedPages = 64 << 20
    /// Arrangements of a list kept beyond those that a view shows, least recently used first out.
    public static let idleArrangementsPerList = 16
    /// Bytes that those may take: four or five groupings of ten million rows, or many searches.
    public static let bytesOfIdleArrangementsPerList = 256 << 20
    /// Bytes of all arrangements of a list, those that views show counted.
    public static let bytesOfArrangementsPerList = 1_536 << 20
    /// Pages of a view that are sent ahead of scrolling.
    public static let aheadPages = 16
    /// Columns read in at once for what may be asked next.
    public static let columnsReadAhead = 16

    /// Traps when one limit makes another impossible to keep. Called at start.
    public static func checkRelations() {
        precondition(bytesPerFrameBeforeWelcome <= bytesPerClientFrame)
        precondition(bytesPerPiece + 1_024 <= bytesPerServerFrame)
        precondition(bytesPerSearch + 8 * bytesPerName <= bytesPerClientFrame)
        precondition(bytesOfIdleArrangementsPerList <= bytesOfArrangementsPerList)
        precondition(rowsPerLeaf == 64, "a leaf's section bits are one 64-bit word")
        precondition(secondsPerFrame < secondsOfSilence)
        precondition(bytesPerPageText * rowsPerLeaf * 16 <= textBytesPerPage)
        precondition(textBytesPerPage * 2 <= rawBytesPerPage)
        precondition(sectionsPerAnswer * (bytesPerTitle + 64) <= bytesPerServerFrame)
        precondition(rowsPerWindow * (bytesPerTitle + 64) <= bytesPerServerFrame)
    }
}
