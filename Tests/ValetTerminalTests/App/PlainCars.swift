import ValetClient
import ValetModel
import ValetReference

@testable import ValetTerminal

/// A server of a thousand cars in memory: what its queries find is what the reference says, and
/// when and whether it answers is what a test says.
struct PlainCars {
    static let cars = ListDescription(
        name: "cars", title: "Cars",
        columns: [
            ColumnDescription(name: "make", label: "Make", type: .text),
            ColumnDescription(name: "model", label: "Model", type: .text),
            ColumnDescription(name: "year", label: "Year", type: .integer),
            ColumnDescription(name: "fuel", label: "Fuel", type: .real, unit: "l"),
            ColumnDescription(name: "owner", label: "Owner", type: .text, defaultText: "Nobody"),
        ],
        titleColumn: 1,
        groupings: [
            grouping("Make", by: 0, index: .firstLetter),
            grouping("Year", by: 2, index: .wholeValue),
            grouping("None", .none),
        ],
        scopes: [
            Scope(name: "Make", columns: .columns([0])),
            Scope(name: "Owner", columns: .columns([4])),
        ],
        cell: CellLayout(style: .value1, title: "{year} {make} {model}", detail: "{owner}"),
        isEditable: true)

    private static func grouping(
        _ name: String, by column: Int? = nil, _ expression: SectionExpression = .wholeValue,
        order: Int = 1, index: IndexTitles = .none
    ) -> Grouping {
        Grouping(
            name: name, column: column, expression: expression,
            rowOrder: [SortKey(column: order)], indexTitles: index)
    }

    /// The same with a check mark.
    static let fleet = cars.with {
        $0.columns.append(ColumnDescription(name: "washed", label: "Washed", type: .boolean))
    }

    /// The same with rows of one to nine lines, as the last column says.
    static let tall = fleet.with {
        $0.cell.style = .custom
        $0.cell.lines = [.field(column: 1), .template("{owner}")]
        $0.cell.height = .column(5)
    }

    /// The same with sections that stand apart, and something below each.
    static let grouped = cars.with {
        $0.groupings[0].isGrouped = true
        $0.groupings[0].indexTitles = .none
        $0.groupings[0].footerTemplate = "{count} of {}"
    }

    static let readOnly = cars.with { $0.isEditable = false }

    /// The same in the order of the fuel, which is made by hand.
    static let byHand = cars.with {
        $0.positionColumn = 3
        $0.groupings = [
            grouping("Hand", .none, order: 3),
            grouping("Make", by: 0, order: 3, index: .firstLetter),
            grouping("Year", by: 2, .ranges(bounds: [1_992]), order: 3),
            Grouping(name: "None", column: nil, expression: .none, indexTitles: .none),
        ]
    }

    static let table = cars.with { ($0.name, $0.title, $0.cell) = ("table", "Table", .columns) }

    /// A table with so many columns more.
    static func wideTable(_ count: Int, label: String = "Column ") -> ListDescription {
        table.with {
            $0.columns += (0..<count).map {
                ColumnDescription(name: "c\($0)", label: "\(label)\($0)", type: .text)
            }
        }
    }

    static let makes = ["Audi", "BMW", "Buick", "Citroën", "Fiat", "Škoda", "Volvo"]
    static let owners = ["Ana", "Bo", "", "Chloé", "漢字"]

    var cars: [Int64: [Cell]] = [:]
    var epoch: UInt64 = 1
    var revision: UInt64 = 1
    /// The view, as it was arranged last.
    private var arrangement: ReferenceArrangement?
    private(set) var generation: UInt32 = 0
    private var query = Query()
    /// Rows whose pages haven't been read yet come as nil, once.
    var hasSlowPages = false
    var lists: [ListDescription]
    var queries: [SavedQuery] = []
    /// What was exported.
    var files: [String: WantedExport] = [:]
    var history = History(changes: [], hasMore: false)
    /// The newest request for a window.
    private var standing: (token: CallToken, call: ServerCall)?
    private var pinToken: CallToken?
    private var standingPlace = 0
    /// What the next change that is submitted comes to, in place of what would become of it.
    var nextVerdict: Verdict?
    /// As they were when the view was pinned; none while it isn't.
    private var pinned: [PlainCars] = []
    /// Why the next query for a pinned view, or for rows of it, fails.
    var nextPinFailure: ValetError?
    /// The cars before each change, with the rows that it changed.
    var undoable: [(cars: [Int64: [Cell]], rowIDs: [Int64])] = []
    /// The same before each undo, until something else is changed.
    var redoable: [(cars: [Int64: [Cell]], rowIDs: [Int64])] = []

    init(count: Int = 1_000, lists: [ListDescription] = [PlainCars.cars]) {
        self.lists = lists
        cars = count == 1_000 ? Self.thousand : Self.made(count)
    }

    /// The same storage for all tests: copies of it are known to be equal at once.
    private static let thousand = made(1_000)

    private static func made(_ count: Int) -> [Int64: [Cell]] {
        var cars: [Int64: [Cell]] = [:]
        for number in 0..<count {
            let owner = owners[number % 5]
            cars[Int64(number + 1)] = [
                .text(makes[number * 3 % 7]), .text("M\(number % 97)"),
                .integer(Int64(1990 + number % 30)), .real(Double(number % 50) + 0.5),
                owner.isEmpty ? .null : .text(owner), .null,
            ]
        }
        return cars
    }

    func catalog(countingRows: Bool) -> Reply {
        .catalog(
            Catalog(lists: lists), rowCounts: lists.map { _ in countingRows ? cars.count : nil })
    }

    /// What it kept for the connection goes.
    mutating func connectionIsLost() { pinned = [] }

    /// What is asked is on its way: of the view that is shown then.
    mutating func sent(_ action: AppAction) {
        switch action {
        case .server(let token, .pinView): (pinned, pinToken) = ([], token)
        case .server(_, .openView): pinned = []
        case .cancel(let token): if token == pinToken { pinned = [] }
        case .server(let token, let call):
            if case .window = call, pinned.isEmpty { standing = (token, call) }
        case .file, .terminal, .reconnect, .end: break
        }
    }

    mutating func answer(_ action: AppAction) -> [AppEvent] {
        switch action {
        case .server(let token, .submit(_, _, let change)):
            let outcome = carryOut(change)
            // The window that stands comes before the outcome.
            return standingAnswer() + [.answer(token, .success(.outcome(outcome)))]
        case .server(let token, let call):
            do throws(ValetError) {
                return try replies(to: call).map { .answer(token, .success($0)) }
            } catch {
                return [.answer(token, .failure(error))]
            }
        case .cancel, .terminal, .reconnect, .end: return []
        case .file(.read(let purpose)):
            return [.fileAnswer(.read(purpose), .success(.queries(queries)))]
        case .file(.save(let query)):
            let place = queries.firstIndex { $0.name == query.name }
            if let place { queries[place] = query } else { queries.append(query) }
            return [.fileAnswer(.save(query), .success(.saved(isReplaced: place != nil)))]
        }
    }

    private mutating func replies(to call: ServerCall) throws(ValetError) -> [Reply] {
        guard !pinned.isEmpty else { return try repliesOfNewest(to: call) }
        switch call {
        case .window, .detail(_, _, isNewest: false), .wholeRow, .wholeRows:
            if let error = nextPinFailure.take() { throw error }
            return try pinned[0].repliesOfNewest(to: call)
        case .index, .section, .matching, .aggregates:
            return try pinned[0].repliesOfNewest(to: call)
        case .openView, .pinView, .detail, .linked, .referring, .history, .sections, .submit,
            .export, .refresh, .catalog:
            return try repliesOfNewest(to: call)
        }
    }

    private mutating func repliesOfNewest(to call: ServerCall) throws(ValetError) -> [Reply] {
        switch call {
        case .pinView:
            if let error = nextPinFailure.take() { throw error }
            pinned = []
            pinned = [self]
            return [.pinned(revision: revision)]
        case .refresh, .submit: return []
        case .catalog(let countingRows): return [catalog(countingRows: countingRows)]
        case .openView(_, let asked, let generation, let columns):
            query = asked
            self.generation = generation
            arrange()
            let reference = ReferenceQuery(asked, in: lists[0])
            let summary = ViewSummary(
                generation: generation, epoch: epoch, revision: revision, totalRows: order.count,
                totalSections: sections.count, grouping: reference.grouping.name,
                groupingColumn: reference.grouping.column, isSectioned: reference.isSectioned,
                hasIndex: reference.isSectioned && reference.grouping.indexTitles != .none,
                columns: columns)
            projection = columns
            return [.view(summary)]
        case .window(let generation, let anchor, let before, let count, _, _):
            guard generation == self.generation else { return [] }
            guard let place = place(of: anchor) else { throw ValetError(.unknownRow, "gone") }
            standingPlace = place
            let whole = window(anchor: place, before: before, count: count)
            guard hasSlowPages else { return [.window(whole)] }
            var skeleton = whole
            skeleton.rows = whole.rows.map { _ in nil }
            return [.window(skeleton), .window(whole)]
        case .index: return [.index(arrangement?.index ?? [])]
        case .section(_, let title):
            let wanted = title.lowercased()
            let found =
                sections.first { $0.title.lowercased().hasPrefix(wanted) }
                ?? sections.first { $0.title.lowercased().contains(wanted) }
            return [.section(found)]
        case .detail(_, let rowID, _):
            let cells = try cells(of: rowID).map(cutting)
            return [.detail(RowDetail(id: rowID, revision: revision, cells: cells))]
        case .linked(_, let rowID), .wholeRow(_, let rowID, _, _):
            return [.cells(try cells(of: rowID))]
        case .referring(let list, let query, _):
            let found = ReferenceArrangement(ReferenceQuery(query, in: list), of: cars)
            return [.count(found.rows.count)]
        case .matching(_, _, _, let columns):
            let rows = order.map { id in Row(id: id, cells: columns.map { cell($0, of: id) }) }
            return [.rows(rows)]
        case .history: return [.history(history)]
        case .wholeRows(_, let rowIDs, _): return [.wholeRows(rowIDs.map { cars[$0] })]
        case .sections(let request, _): return [.sections(sections(request))]
        case .export(let wanted):
            guard wanted.replaces || files[wanted.path] == nil else { return [.export(.isThere)] }
            let count = ReferenceArrangement(ReferenceQuery(wanted.query, in: lists[0]), of: cars)
                .rows.count
            files[wanted.path] = wanted
            return [
                .export(.running(done: count / 2, total: count)),
                .export(.done(rows: count, bytes: 10 * count)),
            ]
        case .aggregates(let generation, let request):
            guard generation == self.generation else { return [] }
            return [.aggregates(aggregates(request))]
        }
    }

    private func cells(of rowID: Int64) throws(ValetError) -> [Cell] {
        guard let cells = cars[rowID] else { throw ValetError(.unknownRow, "no such row") }
        return cells
    }

    /// The window that stands, again; a row that has gone leaves it its place.
    mutating func standingAnswer() -> [AppEvent] {
        guard
            let (token, call) = standing,
            case .window(let asked, let anchor, let before, let count, _, _) = call,
            asked == generation
        else { return [] }
        standingPlace = place(of: anchor) ?? min(standingPlace, order.count)
        let window = window(anchor: standingPlace, before: before, count: count)
        return [.answer(token, .success(.window(window)))]
    }

    private var projection: [Int] = []
    /// Of a text, in windows and details.
    var mostBytes = Int.max

    func cell(_ column: Int, of id: Int64) -> Cell {
        guard let cells = cars[id], cells.indices.contains(column) else { return .null }
        return cells[column]
    }

    private func cutting(_ cell: Cell) -> Cell {
        guard case .text(let text) = cell, text.utf8.count > mostBytes else { return cell }
        return .cutText(String(text.prefix(mostBytes)), byteCount: text.utf8.count)
    }

    /// All rows, as they are moved by hand.
    var orderByHand: [Int64] {
        arrangement(of: Query(grouping: "None", sort: [.init(column: "fuel")])).rows
    }

    func arrangement(of query: Query) -> ReferenceArrangement {
        ArrangedCars.arrangement(of: query, in: lists[0], cars)
    }

    /// Brings the view up to date after a change to `cars`.
    mutating func arrange() {
        arrangement = arrangement(of: query)
    }

    /// Row ids in the order of the view, and its sections.
    var order: [Int64] { arrangement?.rows ?? [] }

    var runs: [SectionRun] {
        sections.map {
            SectionRun(section: $0.section, title: $0.title, first: $0.first, count: $0.count)
        }
    }

    private var sections: [SectionSummary] { arrangement?.sections ?? [] }

    func window(anchor: Int, before: Int, count: Int) -> Window {
        let first = max(anchor - before, 0)
        let end = min(max(anchor - before + count, first), order.count)
        let rows = order[min(first, end)..<end].map { id in
            Row(id: id, cells: projection.map { cutting(cell($0, of: id)) })
        }
        return Window(
            generation: generation, revision: revision, totalRows: order.count,
            totalSections: sections.count, listRows: cars.count, anchor: anchor, first: first,
            rows: rows,
            runs: runs.filter { $0.first < end && $0.first + $0.count > first })
    }

    private func place(of anchor: Anchor) -> Int? {
        switch anchor {
        case .ordinal(let ordinal): min(ordinal, max(order.count - 1, 0))
        case .path(let path):
            runs.indices.contains(path.section) ? runs[path.section].first + path.row : nil
        case .rowID(let rowID): order.firstIndex(of: rowID)
        case .fraction(let part): Int((UInt64(part) * UInt64(order.count)) >> 32)
        case .end: order.count
        case .rows(let rows, let otherwise):
            rows.lazy.compactMap { row in
                order.firstIndex(of: row.id).map { max(0, min($0 - row.line, order.count)) }
            }.first ?? place(of: otherwise)
        }
    }
}

extension ListDescription {
    /// The same with something changed.
    func with(_ change: (inout ListDescription) -> Void) -> ListDescription {
        var list = self
        change(&list)
        return list
    }
}
