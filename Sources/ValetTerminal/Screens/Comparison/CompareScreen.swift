import ValetModel

/// Compared rows side by side: a column for each row, a line for each field, and a sign at the
/// fields in which the rows differ.
struct CompareScreen: Layer {
    /// What is known about a field of all rows.
    enum Likeness: Hashable, Sendable {
        case same
        case different
        /// Not all of them are here yet.
        case unknown
    }

    let glyphs: Glyphs
    private(set) var rows: [ReadRow]
    /// The column of the list, and the row among `rows`, that the cursor is on.
    private(set) var selected: Int
    private(set) var current = 0
    private(set) var hidesSame = false
    /// The first field and the first row on the screen.
    private var top = 0
    private var sideways = 0

    init(_ rows: [ReadRow], glyphs: Glyphs) {
        self.rows = rows
        self.glyphs = glyphs
        selected = rows.first?.list.shownColumns.first ?? 0
    }

    var rowIDs: [Int64] { rows.map(\.id) }

    var linkedRows: Set<LinkedRow> { rows.reduce(into: []) { $0.formUnion($1.linkedRows) } }

    // MARK: A layer

    var isOpaque: Bool { true }
    var takesText: Bool { false }
    var wantsTicks: Bool { rows.contains(where: \.hasRecentChanges) }
    var isAnswered: Bool { rows.allSatisfy(\.isAnswered) }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        KeyTable.comparison[key].map { perform($0, size: context.size) }
            ?? [.say("? lists the keys")]
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        if let motion = mouse.motion { return perform(.move(motion), size: context.size) }
        if mouse.kind == .press(.left) { click(mouse.position, size: context.size) }
        return []
    }

    mutating func tick(in context: LayerContext) -> [ScreenOutcome] {
        changeRows { $0.forgetChanges(at: context.milliseconds) }
        return []
    }

    mutating func disconnected() { changeRows { $0.disconnected() } }

    func help(in context: LayerContext) -> Palette? {
        Help.palette(of: .comparison, context.keymap, glyphs: context.glyphs) { .comparison($0) }
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        var shown = self
        shown.changeRows { ($0.pending, $0.linked) = (context.pending[$0.id], context.linked) }
        shown.drawWhole(on: &screen, connection: context.connection, message: context.message)
    }

    mutating func changeRows(_ change: (inout ReadRow) -> Void) {
        for place in rows.indices { change(&rows[place]) }
    }

    /// The rows to read again, since the list shows this revision.
    mutating func reads(for revision: UInt64) -> [ReadRow] {
        rows.indices.filter { rows[$0].reads(for: revision) }.map { rows[$0] }
    }

    // MARK: What differs

    /// All fields that are shown, as columns of the list.
    private var allFields: [Int] { rows.first?.list.shownColumns ?? [] }

    var fields: [Int] { hidesSame ? allFields.filter { likeness(of: $0) != .same } : allFields }

    /// Where the cursor is among the fields; next to its own if that has been hidden since.
    var place: Int {
        let before = Set(allFields.prefix { $0 != selected })
        let fields = fields
        return min(fields.prefix { before.contains($0) }.count, max(fields.count - 1, 0))
    }

    var differenceCount: Int { allFields.count { likeness(of: $0) == .different } }

    /// Rows that can't be read don't count. What is cut is told apart by nobody, so it may differ.
    func likeness(of column: Int) -> Likeness {
        let cells = rows.filter { !$0.hasFailed }.map { $0.cell(column) }
        let known = cells.compactMap(\.self)
        if known.contains(where: { $0 != known.first || $0.isCut }) { return .different }
        return known.count == cells.count ? .same : .unknown
    }

    /// The value that more rows have than any other; those that stand alone are the others. nil if
    /// there is none.
    func usualCell(_ column: Int) -> Cell? {
        let counts = rows.compactMap { $0.cell(column) }.reduce(into: [:]) {
            $0[$1, default: 0] += 1
        }
        guard let most = counts.values.max(), most > 1 else { return nil }
        let usual = counts.filter { $0.value == most }
        return usual.count == 1 ? usual.first?.key : nil
    }

    // MARK: Keys

    mutating func perform(_ command: CompareCommand, size: Size) -> [ScreenOutcome] {
        switch command {
        case .move(let motion):
            let height = body(size).count
            let place = motion.place(from: place, of: fields.count, page: max(height - 1, 1))
            select(field: place, size: size)
        case .nextRow: select(row: current + 1, size: size)
        case .previousRow: select(row: current - 1, size: size)
        case .differences: hidesSame.toggle()
        case .remove:
            guard rows.indices.contains(current) else { return [.close] }
            let rowID = rows.remove(at: current).id
            select(row: current, size: size)
            return [.takeOut(rowID: rowID)]
        case .showWhole:
            guard let row = rows[checked: current], let column = selectedField,
                let text = row.text(column, glyphs)?.text
            else { return [] }
            return [.say("\(row.list.columns[column].label): \(text)")]
        case .refresh: return [.readRows]
        case .help: return [.showHelp]
        case .back: return [.close]
        }
        return []
    }

    /// The column of the list that the cursor is on; nil if no field is shown.
    var selectedField: Int? { fields[checked: place] }

    mutating func select(field place: Int, size: Size) {
        guard let field = fields[checked: place] else { return }
        selected = field
        top = firstField(size)
    }

    mutating func select(row place: Int, size: Size) {
        current = min(max(place, 0), max(rows.count - 1, 0))
        sideways = firstRow(size)
    }

    mutating func click(_ position: Position, size: Size) {
        let body = body(size)
        let columns = CompareColumns(self, size)
        let shown = firstRow(size)..<min(firstRow(size) + columns.fitting, rows.count)
        if let row = shown.last(where: { columns.start($0 - shown.lowerBound) <= position.column })
        {
            select(row: row, size: size)
        }
        guard body.contains(position.row) else { return }
        select(field: firstField(size) + position.row - body.lowerBound, size: size)
    }

    // MARK: What is on the screen

    func body(_ size: Size) -> Range<Int> {
        size.rows < ListGeometry.fewestRows ? 1..<max(size.rows, 1) : 3..<max(size.rows - 1, 3)
    }

    /// The first field that is shown, so that the cursor's is in sight.
    func firstField(_ size: Size) -> Int {
        let height = max(body(size).count, 1)
        let last = max(fields.count - height, 0)
        return min(max(min(top, last), place - height + 1), place)
    }

    /// The same of the rows.
    func firstRow(_ size: Size) -> Int {
        let fitting = CompareColumns(self, size).fitting
        let last = max(rows.count - fitting, 0)
        return min(max(min(sideways, last), current - fitting + 1), current)
    }
}

/// Where the labels and the rows stand, all rows equally wide.
struct CompareColumns {
    private static let narrowest = 16
    private static let widest = 40
    private static let gap = 2

    let label: Range<Int>
    /// How many rows have room.
    let fitting: Int
    let width: Int

    init(_ comparison: CompareScreen, _ size: Size) {
        let list = comparison.rows.first?.list
        let labels = list?.shownColumns.map { list?.columns[$0].label ?? "" } ?? []
        let labelWidth = ListGeometry.labelWidth(labels, size, comparison.glyphs)
        label = RowLayout.indent..<RowLayout.indent + labelWidth
        let room = max(size.columns - label.upperBound - Self.gap, 1)
        let most = max(room / (Self.narrowest + Self.gap), 1)
        fitting = min(most, max(comparison.rows.count, 1))
        width = min(max(room / fitting - Self.gap, 1), Self.widest)
    }

    /// - Parameter place: among those that fit, from 0.
    func start(_ place: Int) -> Int { label.upperBound + Self.gap + place * (width + Self.gap) }
}
