/// What a server offers: its lists, and how each is shown, grouped and searched.
public struct Catalog: Hashable, Sendable {
    public var lists: [ListDescription]
    /// Tables and views that can't be lists: the first of them.
    public var leftOut: [LeftOut]
    /// How many there are in all.
    public var leftOutCount: Int

    public init(lists: [ListDescription], leftOut: [LeftOut] = [], leftOutCount: Int? = nil) {
        self.lists = lists
        self.leftOut = leftOut
        self.leftOutCount = leftOutCount ?? leftOut.count
    }

    /// What a person is told when there is no list.
    public var reasonForNoLists: String {
        guard let first = leftOut.first else { return "the database has no tables" }
        return "no table of the database can be a list: “\(first.name)”: \(first.reason)"
    }

    /// The list called `name`: an exact match wins, else a match of the folded names.
    public func list(named name: String) throws(ValetError) -> ListDescription {
        guard let index = NameLookup.index(of: name, in: lists, by: \.name) else {
            throw unknownList(name, leftOut: leftOut.named(name))
        }
        return lists[index]
    }

    /// What is said of a name that no list has, but perhaps a table that can't be one.
    package func unknownList(_ name: String, leftOut: LeftOut?) -> ValetError {
        if let leftOut { return ValetError(.unknownList, leftOut.text) }
        return ValetError(
            .unknownList, "no list is called “\(name)”",
            alternatives: lists.prefix(Limits.alternativesPerError).map(\.name))
    }
}

/// A table or SQL view of the database that is not a list.
public struct LeftOut: Hashable, Sendable {
    public var name: String
    /// For a person.
    public var reason: String

    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    package var text: String { "“\(name)” is no list: \(reason)" }
}

extension [LeftOut] {
    package func named(_ name: String) -> LeftOut? {
        NameLookup.index(of: name, in: self, by: \.name).map { self[$0] }
    }
}

/// One table or SQL view of the database, as a list that people read.
public struct ListDescription: Hashable, Sendable {
    /// The table's name, which requests use.
    public var name: String
    /// The title shown to people: the name, unless a catalog overrides it.
    public var title: String
    /// All columns in table order, then those of titles. Column numbers are positions here.
    public var columns: [ColumnDescription]
    /// The column that names a row to a person; nil when only the row id does.
    public var titleColumn: Int?
    /// At least one. The first is the default.
    public var groupings: [Grouping]
    /// The first is the default. May be empty when there is no text to search.
    public var scopes: [Scope]
    /// What every row of the list meets: others of the table are never shown.
    public var conditions: [Condition]
    public var cell: CellLayout
    /// What a row's drawer offers beside what every list has.
    public var actions: [RowAction]
    /// What a whole row shows, and a form asks; empty for all columns in table order.
    public var detail: [DetailSection]
    /// Whether the server takes commands for the list.
    public var isEditable: Bool
    /// The epoch of the catalog that the list was read in; 0 where that is not known.
    public var epoch: UInt64 = 0
    /// Those in which its columns and row ids meant the same, as far as the server says so.
    package var earlierEpochs: Set<UInt64> = []
    /// The column of the manual order; nil if rows can't be moved by hand.
    public var positionColumn: Int?
    public var rowRules: RowRules
    /// Why the list is not editable now; nil if it is, or never can be.
    public var readOnlyReason: String?
    /// Whether the list is loaded from elsewhere, and can be loaded again.
    public var isRefreshable: Bool
    /// The IANA name of the zone in which the moments of date columns are shown, grouped and
    /// edited; nil for UTC. A name that is not known here counts as none.
    public var timeZone: String? { didSet { columns.setZone(timeZone) } }
    /// For how long a row id means the same row.
    public var rowIDs: RowIDLifetime
    /// What stands above it, and those after it, among the lists; nil for nothing of its own.
    public var heading: String?

    public init(
        name: String, title: String, columns: [ColumnDescription], titleColumn: Int?,
        groupings: [Grouping], scopes: [Scope], conditions: [Condition] = [], cell: CellLayout,
        actions: [RowAction] = [],
        detail: [DetailSection] = [], isEditable: Bool = false, positionColumn: Int? = nil,
        rowRules: RowRules = .none, readOnlyReason: String? = nil, isRefreshable: Bool = false,
        timeZone: String? = nil, rowIDs: RowIDLifetime = .row, heading: String? = nil
    ) {
        self.name = name
        self.title = title
        self.columns = columns
        self.titleColumn = titleColumn
        self.groupings = groupings
        self.scopes = scopes
        self.conditions = conditions
        self.cell = cell
        self.actions = actions
        self.detail = detail
        self.isEditable = isEditable
        self.positionColumn = positionColumn
        self.rowRules = rowRules
        self.readOnlyReason = readOnlyReason
        self.isRefreshable = isRefreshable
        self.timeZone = timeZone
        self.rowIDs = rowIDs
        self.heading = heading
        self.columns.setZone(timeZone)
    }

    /// A list of which only the name is known, for those who know its columns.
    package init(named name: String, epoch: UInt64) {
        self.init(
            name: name, title: name, columns: [], titleColumn: nil, groupings: [], scopes: [],
            cell: .columns)
        self.epoch = epoch
    }

    /// The number of the column called `name`: an exact match wins, else a match of the folded
    /// names.
    package func column(named name: String) throws(ValetError) -> Int {
        guard let column = NameLookup.index(of: name, in: columns, by: \.name) else {
            throw unknownColumn(name)
        }
        return column
    }

    package func unknownColumn(_ name: String) -> ValetError {
        ValetError(
            .unknownColumn, "“\(self.name)” has no column “\(name)”",
            alternatives: columns.map(\.name))
    }

    /// Whether rows can be moved by hand under the grouping.
    public func isManual(_ grouping: Grouping) -> Bool {
        positionColumn.map { grouping.rowOrder == [SortKey(column: $0)] } ?? false
    }
}

public struct ColumnDescription: Hashable, Sendable {
    /// The name in the table, which requests use.
    public var name: String
    public var label: String
    public var type: ColumnType
    public var unit: String?
    /// What a missing text means, for whole rows and forms; empty for nothing.
    public var defaultText: String
    /// False for columns that commands can't set: computed ones, and the row id.
    public var isEditable: Bool
    /// True if the column refuses NULL.
    public var isRequired: Bool
    public var rules: ColumnRules
    public var editor: ColumnEditor
    /// What an empty field shows, as a hint.
    public var placeholder: String?
    public var format: ColumnFormat
    /// The row of another list, or of the same, that a value names; nil if it names none.
    public var reference: RowReference?
    /// In a column of titles, the column whose values name the rows that have them; nil in columns
    /// of the table, which does not store titles.
    public var keyColumn: Int?
    /// The list's zone, in a column of dates; nil for UTC.
    public internal(set) var zone: ZoneClock?

    public init(
        name: String, label: String? = nil, type: ColumnType, unit: String? = nil,
        defaultText: String = "", isEditable: Bool = true,
        isRequired: Bool = false, rules: ColumnRules = .none, editor: ColumnEditor = .automatic,
        placeholder: String? = nil, format: ColumnFormat = .plain,
        reference: RowReference? = nil, keyColumn: Int? = nil
    ) {
        self.name = name
        self.label = label ?? name
        self.type = type
        self.unit = unit
        self.defaultText = defaultText
        self.isEditable = isEditable
        self.isRequired = isRequired
        self.rules = rules
        self.editor = editor
        self.placeholder = placeholder
        self.format = format
        self.reference = reference
        self.keyColumn = keyColumn
    }

    /// The title of the section of rows without a value, in the index too.
    public static let missing = "–"

    /// What the column keeps, if that is a time.
    package var moment: Moment? {
        if case .moment(let moment) = editor { return moment }
        return type == .date ? .dateAndTime : nil
    }

    /// The rule that a value breaks, as what it must be; nil if it breaks none.
    package func rule(brokenBy cell: Cell) -> String? {
        rules.broken(by: cell, of: moment, in: zone)
    }

    /// True for columns that are searched, and whose sections are indexed by letter.
    package var isText: Bool {
        switch type {
        case .text: true
        case .integer, .real, .date, .boolean, .blob: false
        }
    }

    /// True for columns whose values stand at the right.
    package var isNumber: Bool {
        switch type {
        case .integer, .real: true
        case .text, .date, .boolean, .blob: false
        }
    }

    /// True for columns whose values a person may type to find a row.
    package var isSearched: Bool {
        switch type {
        case .text, .integer, .real, .date: true
        case .boolean, .blob: false
        }
    }
}

extension [ColumnDescription] {
    /// Gives columns of dates the zone of their list.
    package mutating func setZone(_ name: String?) {
        let zone = name.flatMap(ZoneClock.init(named:))
        for column in indices where self[column].type == .date || self[column].zone != nil {
            self[column].zone = self[column].type == .date ? zone : nil
        }
    }
}

/// How a column's values are read. The raw values are the protocol's.
public enum ColumnType: UInt8, Sendable, CaseIterable {
    case text = 0
    case integer = 1
    case real = 2
    /// ISO 8601 text, or seconds since 1970 in UTC: see `CivilTime`.
    case date = 3
    case boolean = 4
    /// Bytes, or a mix of types.
    case blob = 5

    public var name: String { "\(self)" }
}

/// A way to order a list and divide it into sections.
public struct Grouping: Hashable, Sendable {
    public var name: String
    /// The column that the section expression reads; nil only with `.none`.
    public var column: Int?
    public var expression: SectionExpression
    public var isDescending: Bool
    /// Order of the rows inside a section; ties break by row id, ascending.
    public var rowOrder: [SortKey]
    /// The section title with `{}` for the section's value; nil for the value alone.
    public var titleTemplate: String?
    public var indexTitles: IndexTitles
    /// True if sections stand apart and their headers scroll along; false if the header of the
    /// first section on the screen stays on top.
    public var isGrouped: Bool
    /// What stands at the end of a section's header: a `SectionTemplate`; nil for `{count}`.
    public var headerTemplate: String?
    /// What stands below a section's rows: a `SectionTemplate`.
    public var footerTemplate: String?
    /// True if sections by the hour of the day are titled `11 PM`, not `23:00`.
    public var usesTwelveHours: Bool

    public init(
        name: String, column: Int?, expression: SectionExpression, isDescending: Bool = false,
        rowOrder: [SortKey] = [], titleTemplate: String? = nil, indexTitles: IndexTitles,
        isGrouped: Bool = false, headerTemplate: String? = nil, footerTemplate: String? = nil,
        usesTwelveHours: Bool = false
    ) {
        self.name = name
        self.column = column
        self.expression = expression
        self.isDescending = isDescending
        self.rowOrder = rowOrder
        self.titleTemplate = titleTemplate
        self.indexTitles = indexTitles
        self.isGrouped = isGrouped
        self.headerTemplate = headerTemplate
        self.footerTemplate = footerTemplate
        self.usesTwelveHours = usesTwelveHours
    }
}

/// Maps a value to its section: rows with equal results share one.
public enum SectionExpression: Hashable, Sendable {
    /// No sections.
    case none
    case wholeValue
    /// The first scalar of the folded text, upper case, if it is a letter, else `#`.
    case firstLetter
    case year
    case month
    case day
    case hourOfDay
    /// Ranges that begin at each bound and end before the next: bounds 10, 20 make three sections.
    case ranges(bounds: [Double])

    package var isOfTime: Bool {
        switch self {
        case .year, .month, .day, .hourOfDay: true
        case .none, .wholeValue, .firstLetter, .ranges: false
        }
    }
}

public enum IndexTitles: UInt8, Sendable, CaseIterable {
    case none = 0
    case firstLetter = 1
    case wholeValue = 2
}

public struct SortKey: Hashable, Sendable {
    public var column: Int
    public var isDescending: Bool

    public init(column: Int, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

/// Which columns a search looks in, and how.
public struct Scope: Hashable, Sendable {
    public var name: String
    public var columns: ScopeColumns
    public var match: TextMatch
    /// Only values whose length in characters is in this range match; nil for any length.
    public var lengths: ClosedRange<Int>?
    /// Flat results have no sections.
    public var isFlat: Bool
    /// What a found row must meet, too.
    public var conditions: [Condition]

    public init(
        name: String, columns: ScopeColumns, match: TextMatch = .contains,
        lengths: ClosedRange<Int>? = nil, isFlat: Bool = false, conditions: [Condition] = []
    ) {
        self.name = name
        self.columns = columns
        self.match = match
        self.lengths = lengths
        self.isFlat = isFlat
        self.conditions = conditions
    }
}

public enum ScopeColumns: Hashable, Sendable {
    case columns([Int])
    /// The column of the grouping that the view shows now.
    case currentGrouping
}

public enum TextMatch: UInt8, Sendable, CaseIterable {
    /// One value contains the text as it stands.
    case contains = 0
    /// One value begins with the text as it stands.
    case beginsWith = 1
    /// Each word of the text is found in some value: see `SearchWords`.
    case words = 2
}
