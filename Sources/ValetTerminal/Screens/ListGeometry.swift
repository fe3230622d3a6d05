/// Where the parts of the list screen are, by the size of the terminal.
struct ListGeometry: Hashable, Sendable {
    let size: Size
    /// The list alone: no tools or status.
    let isBare: Bool
    /// The title and the count, also above a list that is narrow.
    let hasTitle: Bool
    /// The row of the conditions, while there are any.
    let chipsRow: Int?
    /// The row of the columns' labels, for lists that are tables.
    let labelRow: Int?
    /// The rows of the list, the sticky section header on the first of them.
    let body: Range<Int>
    /// Columns of the section index at the right edge; empty without one.
    let strip: Range<Int>

    /// Below this width there is no section index.
    static let fewestColumnsForStrip = 60
    static let fewestColumns = 40
    static let fewestRows = 8

    init(size: Size, hasLabels: Bool, hasChips: Bool, stripWidth: Int) {
        self.size = size
        isBare = size.columns < ListGeometry.fewestColumns || size.rows < ListGeometry.fewestRows
        hasTitle = size.rows >= ListGeometry.fewestRows
        chipsRow = hasChips && !isBare ? 2 : nil
        let top = isBare ? (hasTitle ? 1 : 0) : chipsRow == nil ? 2 : 3
        labelRow = hasLabels && !isBare ? top : nil
        body = (labelRow == nil ? top : top + 1)..<(isBare ? size.rows : size.rows - 1)
        let hasStrip = !isBare && size.columns >= ListGeometry.fewestColumnsForStrip
        strip = (hasStrip ? size.columns - stripWidth : size.columns)..<size.columns
    }

    /// The rows of a screen of fields: below `head` lines, above the status; all where it is small.
    static func body(_ size: Size, below head: Int = 2) -> Range<Int> {
        size.rows < fewestRows ? 0..<size.rows : head..<max(size.rows - 1, head)
    }

    /// Columns for labels at the left of a screen of fields.
    static func labelWidth(_ labels: [String], _ size: Size, _ glyphs: Glyphs) -> Int {
        let widest = labels.map { glyphs.sanitizer.width(of: $0, limit: 24) }.max() ?? 0
        return max(min(widest, 24, size.columns / 3), 1)
    }

    /// Columns that rows and section headers may use.
    var width: Int { strip.isEmpty ? size.columns : strip.lowerBound - 1 }
}
