import ValetModel

/// How rows are drawn.
extension ListEntry {
    private static let cellKeys = [
        "style", "title", "detail", "lines", "image", "tint", "indent", "emphasis", "height",
        "accessory", "selectable", "selected",
    ]

    func cell(_ value: YAMLValue) throws(ValetError) -> CellLayout {
        let fields = try value.fields(Self.cellKeys)
        let styles = CellStyle.allCases.map { ($0.name, $0) }
        let style =
            try fields["style"]?.choice(styles) ?? (fields["lines"] == nil ? .default : .custom)
        let title =
            if let title = fields["title"] {
                try template(title)
            } else {
                style == .columns ? "" : titleColumn.map { "{\(columns[$0].name)}" }
            }
        guard let title else { throw value.error("needs a title, since no column names a row") }
        var cell = CellLayout(style: style, title: title)
        if let detail = fields["detail"] { cell.detail = try template(detail) }
        if let lines = fields["lines"] {
            guard style == .custom else { throw lines.error("needs the style custom") }
            cell.lines = try lines.elements(limit: Limits.linesPerRow - 1, of: "linesPerRow")
                .map(line)
        }
        cell.height = .lines(1 + cell.lines.count)
        if let image = fields["image"] { cell.image = try self.image(image) }
        if let tint = fields["tint"] { cell.tintColumn = try tint.column(of: columns) }
        if let indent = fields["indent"] { cell.indentColumn = try indent.column(of: columns) }
        if let emphasis = fields["emphasis"] { cell.emphasis = try self.emphasis(emphasis) }
        if let height = fields["height"] { cell.height = try self.height(height) }
        if let accessory = fields["accessory"] { cell.accessory = try self.accessory(accessory) }
        if let selectable = fields["selectable"] {
            cell.selectableColumn = try selectable.column(of: columns)
        }
        if let selected = try fields["selected"]?.fields(["title", "say"]) {
            cell.selectedTitle = try selected["title"].map(template)
            cell.selectedMessage = try selected["say"].map(template)
        }
        return cell
    }

    private func line(_ value: YAMLValue) throws(ValetError) -> CellLine {
        guard case .mapping = value.kind else { return .template(try template(value)) }
        guard let field = try value.fields(["field"])["field"] else {
            throw value.error("must be a text, or “field: column”")
        }
        return .field(column: try field.column(of: columns))
    }

    private func image(_ value: YAMLValue) throws(ValetError) -> CellImage {
        let fields = try value.fields(["symbol", "selected", "box", "swatch"])
        if let symbol = fields["symbol"], fields.count == (fields["selected"] == nil ? 1 : 2) {
            return .symbol(try template(symbol), selected: try fields["selected"].map(template))
        }
        if fields.count == 1, let box = fields["box"] { return .box(try template(box)) }
        if fields.count == 1, let swatch = fields["swatch"] {
            return .swatch(column: try swatch.column(of: columns))
        }
        throw value.error("must be one of symbol (and selected), box, and swatch")
    }

    private func emphasis(_ value: YAMLValue) throws(ValetError) -> CellEmphasis {
        if let column = try value.columnField(of: columns) { return .column(column) }
        return try value.choice([("none", .none), ("bold", .bold)])
    }

    private func height(_ value: YAMLValue) throws(ValetError) -> CellHeight {
        if let column = try value.columnField(of: columns) { return .column(column) }
        let lines = try value.count()
        guard 1...Limits.linesPerRow ~= lines else {
            throw value.error("must be from 1 to \(Limits.linesPerRow) (linesPerRow)")
        }
        return .lines(lines)
    }

    private func accessory(_ value: YAMLValue) throws(ValetError) -> CellAccessory {
        guard case .mapping = value.kind else {
            return try value.choice([
                ("none", .none), ("disclosure", .disclosure), ("detailButton", .detailButton),
            ])
        }
        guard let check = try value.fields(["check"])["check"] else {
            throw value.error("must be a word, or “check: column”")
        }
        let column = try check.column(of: columns)
        guard columns[column].type == .boolean else {
            throw check.error("needs a column of type boolean")
        }
        return .check(column: column)
    }

    /// A text with columns in braces, rewritten to the table's spelling of their names.
    func template(_ value: YAMLValue) throws(ValetError) -> String {
        let text = try value.text()
        var result = ""
        var rest = text.unicodeScalars[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw value.error("has a “{” without its “}”")
            }
            let name = String(rest[rest.index(after: open)..<close])
            let column = try value.column(of: columns, called: name)
            result += String(rest[..<open]) + "{" + columns[column].name + "}"
            rest = rest[rest.index(after: close)...]
        }
        return result + String(rest)
    }
}

extension YAMLValue {
    /// The column that `column:` names; nil if this is one word.
    fileprivate func columnField(of columns: [ColumnDescription]) throws(ValetError) -> Int? {
        guard case .mapping = kind else { return nil }
        guard let column = try fields(["column"])["column"] else {
            throw error("must be a word, or “column: name”")
        }
        return try column.column(of: columns)
    }
}
