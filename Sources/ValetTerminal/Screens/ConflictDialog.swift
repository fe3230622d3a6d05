import ValetClient
import ValetModel

/// Somebody else has changed what this person has edited: what each of them wrote, side by side,
/// and which of the two is to be kept.
struct ConflictDialog: Layer, Hashable {
    enum Pick: Hashable, Sendable, CaseIterable {
        case mine
        case theirs
    }

    /// The edit that was not made.
    private(set) var form: FormScreen
    let conflicts: [Conflict]
    /// Of the time of the others' change; nil for UTC.
    let zone: ZoneClock?
    /// What both have changed, in the order of the form, as it is stored by now.
    private(set) var cells: [ColumnValue]
    /// Columns whose value became another one while the dialog was open, which nobody has noted.
    private(set) var renewed: Set<Int> = []
    /// Whether what is stored is no longer what the conflicts say.
    private(set) var isNewer = false
    /// Of the row as it was last read.
    private var revision: UInt64 = 0
    private var rereading = Rereading()
    /// By column.
    private(set) var picks: [Int: Pick] = [:]
    /// Among `cells`.
    private(set) var selected = 0
    /// The whole row as it is stored by now; nil until it is read.
    private var stored: [Cell]?

    init(form: FormScreen, conflicts: [Conflict], zone: ZoneClock? = nil) {
        self.form = form
        self.conflicts = conflicts
        self.zone = zone
        // Where both agree there is nothing to decide.
        let theirs = conflicts.compactMap {
            if case .cell(let cell) = $0.theirs { cell } else { nil }
        }
        cells = form.fields.compactMap { field in theirs.first { $0.column == field.column } }
    }

    // MARK: A layer

    /// Its edit is opened again when it was left.
    var unsavedCount: Int { 1 }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        KeyTable.conflict[key].map { [.run(.conflict($0))] } ?? []
    }

    /// A click on a value picks it, one on a word does what its key does.
    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        if let motion = mouse.motion { move(motion) }
        guard mouse.kind == .press(.left) else { return [] }
        switch target(at: mouse.position, context.size) {
        case .command(let command): return [.run(.conflict(command))]
        case .field(let place, let pick):
            select(place)
            return pick.map { [.run(.conflict(.pick($0)))] } ?? []
        case nil: return []
        }
    }

    /// The server's revisions may be others after it.
    mutating func disconnected() { (revision, rereading) = (0, Rereading()) }

    func draw(on screen: inout Screen, in context: DrawContext) {
        draw(on: &screen, context.linked)
    }

    /// Somebody deleted the row.
    var isOfDeletedRow: Bool { conflicts.contains { $0.theirs == .rowDeleted } }

    // MARK: What is stored

    var isReading: Bool { stored == nil && !isOfDeletedRow }

    /// Whether to read the row again, since the list shows this revision.
    mutating func reads(for revision: UInt64) -> Bool {
        !isOfDeletedRow && rereading.begins(for: revision, above: self.revision)
    }

    /// The row can't be read again.
    mutating func failedAgain() { rereading.ended() }

    /// A newer value takes the place of the one that was shown, whose pick no longer counts.
    mutating func take(_ detail: RowDetail) {
        guard detail.id == form.rowID else { return }
        rereading.ended()
        // Of two answers the older one may come last.
        guard detail.revision >= revision else { return }
        (stored, revision) = (detail.cells, detail.revision)
        if form.isRowInDoubt, !isOfDeletedRow { form.take(detail) }
        for place in cells.indices {
            let column = cells[place].column
            guard let cell = detail.cells[checked: column], !cell.mayBe(cells[place].value) else {
                continue
            }
            (cells[place].value, picks[column], isNewer) = (cell, nil, true)
            renewed.insert(column)
        }
    }

    /// What was not shown when the person chose: it is shown now, and chosen again.
    /// - Returns: its label; nil if there is nothing of the kind.
    mutating func noteRenewed(by command: ConflictCommand) -> String? {
        let chosen: [Int]
        switch command {
        case .pick: chosen = [cells[checked: selected]?.column].compactMap(\.self)
        case .pickAll: chosen = cells.map(\.column)
        case .move, .save, .edit, .addAgain, .cancel: return nil
        }
        let column = chosen.first(where: renewed.contains)
        renewed.subtract(chosen)
        return column.flatMap { form.list.columns[checked: $0]?.label }
    }

    /// Whether both have changed a field to the same value.
    func isSame(_ field: FormField) -> Bool {
        guard field.isChanged, let stored = stored?[checked: field.column],
            !cells.contains(where: { $0.column == field.column })
        else { return false }
        return stored == (try? field.cell()) && stored != field.seen
    }

    /// What others have changed and this person has not, by its label.
    var mergedLabels: [String] {
        form.list.shownColumns.filter { column in
            let field = form.fields.first { $0.column == column }
            guard field?.isChanged != true else { return false }
            if field?.newer != nil { return true }
            guard let stored = stored?[checked: column], let seen = form.seen(column)
            else { return false }
            return stored != seen
        }.map { form.list.columns[$0].label }
    }

    var linkedRows: Set<LinkedRow> {
        let theirs = cells.compactMap { cell in
            form.list.columns[cell.column].linkedRow(of: cell.value)
        }
        let mine = form.fields.compactMap { field in
            (try? field.cell()).flatMap(field.description.linkedRow)
        }
        return Set(theirs + mine)
    }

    // MARK: Picks

    /// The first field that nothing was picked for.
    var undecided: FormField? {
        cells.first { picks[$0.column] == nil }.flatMap { cell in
            form.fields.first { $0.column == cell.column }
        }
    }

    mutating func select(_ place: Int) { selected = max(min(place, cells.count - 1), 0) }

    mutating func move(_ motion: Motion) {
        select(motion.place(from: selected, of: cells.count, page: cells.count))
    }

    mutating func pick(_ pick: Pick) {
        if let cell = cells[checked: selected] { picks[cell.column] = pick }
    }

    mutating func pick(_ pick: Pick, column: Int) { picks[column] = pick }

    mutating func pickAll(_ pick: Pick) {
        for cell in cells { picks[cell.column] = pick }
    }

    mutating func selectUndecided() {
        if let place = cells.firstIndex(where: { picks[$0.column] == nil }) { select(place) }
    }

    /// Theirs is to be overwritten, and is too long to be seen here.
    var overwritesUnseen: Bool { cells.contains { picks[$0.column] == .mine && $0.value.isCut } }

    /// The edit again, over what is stored by now; a field whose pick is theirs has their value.
    var edited: FormScreen {
        var form = form.without(alreadySo: conflicts)
        // What was not noted is a conflict still, which the form shows.
        for cell in cells where !renewed.contains(cell.column) {
            form.see(cell)
            if picks[cell.column] == .theirs { form.drop(column: cell.column) }
        }
        return form
    }
}
