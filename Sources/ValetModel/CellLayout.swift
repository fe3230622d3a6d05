/// How a row is drawn. Templates name columns in braces: `{year} {make} {model}`.
public struct CellLayout: Hashable, Sendable {
    public var style: CellStyle
    /// Empty with `.columns`.
    public var title: String
    public var detail: String?
    /// The lines of a `.custom` cell below the one with title and detail.
    public var lines: [CellLine]
    public var image: CellImage
    /// A column of colours as `#rrggbb`, in which the title is drawn.
    public var tintColumn: Int?
    /// A column of whole numbers: steps by which a row is indented.
    public var indentColumn: Int?
    public var emphasis: CellEmphasis
    public var height: CellHeight
    public var accessory: CellAccessory
    /// A row with 0 in this column can't be selected.
    public var selectableColumn: Int?
    /// What stands in place of the list's title while the row is the newest one selected.
    public var selectedTitle: String?
    /// What is said when the row is selected.
    public var selectedMessage: String?

    public init(
        style: CellStyle, title: String = "", detail: String? = nil, lines: [CellLine] = [],
        image: CellImage = .none, tintColumn: Int? = nil, indentColumn: Int? = nil,
        emphasis: CellEmphasis = .none, height: CellHeight = .lines(1),
        accessory: CellAccessory = .none, selectableColumn: Int? = nil,
        selectedTitle: String? = nil, selectedMessage: String? = nil
    ) {
        self.style = style
        self.title = title
        self.detail = detail
        self.lines = lines
        self.image = image
        self.tintColumn = tintColumn
        self.indentColumn = indentColumn
        self.emphasis = emphasis
        self.height = height
        self.accessory = accessory
        self.selectableColumn = selectableColumn
        self.selectedTitle = selectedTitle
        self.selectedMessage = selectedMessage
    }

    /// Every column side by side, the title column first: lists that no catalog describes.
    public static let columns = CellLayout(style: .columns)

    /// The columns that it names, apart from those in templates.
    package var namedColumns: [Int] {
        let fields = lines.compactMap { if case .field(let column) = $0 { column } else { nil } }
        let others = [
            tintColumn, indentColumn, selectableColumn, image.column, emphasis.column,
            height.column, accessory.column,
        ]
        return fields + others.compactMap(\.self)
    }

    /// The columns whose values stand in a row as text, each once; nil for all of the list.
    package func textColumns(of columns: [ColumnDescription]) -> [Int]? {
        if style == .columns { return nil }
        var named = [title, detail ?? ""].flatMap { RowTemplate($0, columns: columns).columns }
        switch image {
        case .box(let text): named += RowTemplate(text, columns: columns).columns
        case .symbol(let text, let selected):
            for text in [text, selected ?? ""] {
                named += RowTemplate(text, columns: columns).columns
            }
        case .none, .swatch: break
        }
        for line in lines {
            switch line {
            case .template(let text): named += RowTemplate(text, columns: columns).columns
            case .field(let column): named.append(column)
            }
        }
        var seen = Set<Int>()
        return named.filter { seen.insert($0).inserted }
    }
}

public enum CellStyle: UInt8, Sendable, CaseIterable {
    case columns = 0
    /// The title alone.
    case `default` = 1
    /// The title, and the detail at the right edge.
    case value1 = 2
    /// The detail first, right-aligned in a narrow column, then the title.
    case value2 = 3
    /// The title, and the detail dimmed behind it.
    case subtitle = 4
    /// The title with the detail at the right edge, and more lines below.
    case custom = 5

    public var name: String { "\(self)" }
}

public enum CellLine: Hashable, Sendable {
    /// A text with columns in braces.
    case template(String)
    /// A column's label and value.
    case field(column: Int)
}

/// What stands before the title. Templates name columns in braces.
public enum CellImage: Hashable, Sendable {
    case none
    /// A sign or a short word; another one, if there is one, in the row under the cursor.
    case symbol(String, selected: String?)
    /// A text in a box.
    case box(String)
    /// A patch of the colour in a column, as `#rrggbb`.
    case swatch(column: Int)

    var column: Int? { if case .swatch(let column) = self { column } else { nil } }
}

public enum CellEmphasis: Hashable, Sendable {
    case none
    case bold
    /// Bold where the column is neither missing nor 0.
    case column(Int)

    var column: Int? { if case .column(let column) = self { column } else { nil } }
}

/// Lines of the screen that a row takes, at least one.
public enum CellHeight: Hashable, Sendable {
    case lines(Int)
    /// As many as a column of whole numbers says.
    case column(Int)

    var column: Int? { if case .column(let column) = self { column } else { nil } }
}

/// What stands at the right end of a row.
public enum CellAccessory: Hashable, Sendable {
    case none
    /// The row opens another screen.
    case disclosure
    /// A button for the row's detail.
    case detailButton
    /// A mark that is stored in a boolean column.
    case check(column: Int)

    var column: Int? { if case .check(let column) = self { column } else { nil } }
}
