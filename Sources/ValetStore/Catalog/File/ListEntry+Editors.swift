import ValetModel

/// How columns are changed in a form.
extension ListEntry {
    /// Words for editors that need nothing else.
    static let editors: [(String, ColumnEditor)] =
        [("text", .text), ("number", .number), ("switch", .toggle)]
        + Moment.allCases.map { ($0.name, .moment($0)) }

    static let years: [(String, NumberRange.Bound)] = [
        ("thisYear", .thisYear), ("nextYear", .nextYear),
    ]

    /// The columns with their editors, which may name others.
    func editedColumns() throws(ValetError) -> [ColumnDescription] {
        var edited = columns
        var turnedBy: [Int: Int] = [:]
        for entry in described {
            guard let value = entry.fields["editor"] else { continue }
            let editor = try editor(value, of: columns[entry.column])
            edited[entry.column].editor = editor
            guard case .wheels(let turned) = editor else { continue }
            for column in turned {
                guard let other = turnedBy.updateValue(entry.column, forKey: column) else {
                    continue
                }
                throw value.error(
                    "“\(columns[column].name)” is among the wheels of “\(columns[other].name)” "
                        + "already")
            }
        }
        return edited
    }

    /// The lists and columns that editors pick from must be there.
    ///
    /// - Parameter columns: with their editors.
    func checkPickedLists(
        of columns: [ColumnDescription], among lists: [ListDescription]
    ) throws(ValetError) {
        for entry in described {
            guard let value = entry.fields["editor"] else { continue }
            var editors = [columns[entry.column].editor]
            if case .perRow(_, let kinds) = editors[0] { editors = kinds.map(\.editor) }
            for editor in editors {
                guard case .list(let name, let valueColumn) = editor else { continue }
                guard let list = NameLookup.index(of: name, in: lists, by: \.name) else {
                    throw value.error("there is no list “\(name)”", alternatives: lists.map(\.name))
                }
                guard let valueColumn else { continue }
                _ = try value.column(of: lists[list].columns, called: valueColumn)
            }
        }
    }

    /// - Parameter isKind: whether it is one of several in a column, which is chosen by row.
    private func editor(
        _ value: YAMLValue, of column: ColumnDescription, isKind: Bool = false
    ) throws(ValetError) -> ColumnEditor {
        guard case .mapping = value.kind else { return try plainEditor(value, of: column) }
        let fields = try value.fields(
            ["choices", "range", "descending", "list", "value", "wheels"]
                + (isKind ? [] : ["column", "kinds"]))
        guard let kindColumn = fields["column"] else {
            return try pickedEditor(value, fields, of: column)
        }
        guard fields.count == 2, let kinds = fields["kinds"] else {
            throw value.error("needs “kinds”, and nothing else, beside “column”")
        }
        return .perRow(
            column: try self.kindColumn(kindColumn, of: column),
            kinds: try self.kinds(kinds, column))
    }

    /// The kind must not depend on what it decides.
    private func kindColumn(
        _ value: YAMLValue, of column: ColumnDescription
    ) throws(ValetError) -> Int {
        let number = try value.column(of: columns)
        let kind = columns[number]
        guard kind.name != column.name else {
            throw value.error("“\(kind.name)” can't name its own kind")
        }
        guard kind.type == .text else {
            throw value.error("needs a column of texts, and “\(kind.name)” is \(kind.type.name)")
        }
        let other = described.first { $0.column == number }?.fields["editor"]
        if case .mapping(let pairs) = other?.kind, pairs.contains(where: { $0.key == "column" }) {
            throw value.error("“\(kind.name)” has an editor by kind itself: this would be circular")
        }
        return number
    }

    private func kinds(
        _ value: YAMLValue, _ column: ColumnDescription
    ) throws(ValetError) -> [ColumnEditor.Kind] {
        let pairs = try value.pairs()
        guard pairs.count <= Limits.kindsPerEditor else {
            throw value.error(
                "has \(pairs.count) entries, and is limited to \(Limits.kindsPerEditor) "
                    + "(kindsPerEditor)", code: .limitExceeded)
        }
        return try pairs.map { name, value throws(ValetError) in
            guard name.utf8.count <= Limits.bytesPerName else {
                throw value.error(
                    "has a name that is longer than \(Limits.bytesPerName) bytes",
                    code: .limitExceeded)
            }
            return .init(name: name, editor: try editor(value, of: column, isKind: true))
        }
    }

    private func plainEditor(
        _ value: YAMLValue, of column: ColumnDescription
    ) throws(ValetError) -> ColumnEditor {
        let editor = try value.choice(Self.editors)
        guard column.type.takes(editor) else {
            throw value.error("does not fit “\(column.name)”, which is \(column.type.name)")
        }
        return editor
    }

    private func pickedEditor(
        _ value: YAMLValue, _ fields: [String: YAMLValue], of column: ColumnDescription
    ) throws(ValetError) -> ColumnEditor {
        func alone(with others: [String]) throws(ValetError) {
            let strange = fields.keys.sorted().first { !others.contains($0) }
            guard let strange, let field = fields[strange] else { return }
            throw field.error("does not belong to this editor")
        }
        if let choices = fields["choices"] {
            try alone(with: ["choices"])
            return .choices(try self.choices(choices, of: column))
        }
        if let range = fields["range"] {
            try alone(with: ["range", "descending"])
            guard column.type.takes(.range(NumberRange(first: .thisYear, last: .thisYear))) else {
                throw range.error("does not fit “\(column.name)”, which is \(column.type.name)")
            }
            return .range(try self.range(range, fields["descending"]))
        }
        if let list = fields["list"] {
            try alone(with: ["list", "value"])
            return .list(name: try list.text(), valueColumn: try fields["value"]?.text())
        }
        if let wheels = fields["wheels"] {
            try alone(with: ["wheels"])
            return .wheels(columns: try self.wheels(wheels))
        }
        throw value.error("must be one of choices, range, list, wheels and column")
    }

    private func choices(
        _ value: YAMLValue, of column: ColumnDescription
    ) throws(ValetError) -> [Cell] {
        let elements = try value.elements(limit: Limits.choicesPerColumn, of: "choicesPerColumn")
        guard !elements.isEmpty else { throw value.error("needs at least one choice") }
        return try elements.map { choice throws(ValetError) in try choice.cell(of: column) }
    }

    private func range(
        _ value: YAMLValue, _ descending: YAMLValue?
    ) throws(ValetError) -> NumberRange {
        let bounds = try value.elements(limit: 2, of: "least and greatest")
        guard bounds.count == 2 else {
            throw value.error("must be the least and the greatest, such as [1908, nextYear]")
        }
        let range = NumberRange(
            first: try bounds[0].rangeBound(), last: try bounds[1].rangeBound(),
            isDescending: try descending?.boolean() ?? false)
        if case .number(let first) = range.first, case .number(let last) = range.last {
            guard first <= last else { throw value.error("the greatest is below the least") }
            let (distance, overflow) = last.subtractingReportingOverflow(first)
            guard !overflow, distance < Limits.numbersPerRange else {
                throw value.error(
                    "is limited to \(Limits.numbersPerRange) numbers (numbersPerRange)",
                    code: .limitExceeded)
            }
        }
        return range
    }

    private func wheels(_ value: YAMLValue) throws(ValetError) -> [Int] {
        var numbers: [Int] = []
        for element in try value.elements(limit: Limits.wheelsPerEditor, of: "wheelsPerEditor") {
            let number = try element.column(of: columns)
            guard !columns[number].rules.choices.isEmpty else {
                throw element.error("needs a column with choices")
            }
            guard !numbers.contains(number) else {
                throw element.error("“\(columns[number].name)” is named twice")
            }
            numbers.append(number)
        }
        guard !numbers.isEmpty else { throw value.error("needs at least one column") }
        return numbers
    }
}

extension YAMLValue {
    /// The moment that an editor is of.
    var moment: Moment? {
        guard case .scalar(let word) = kind else { return nil }
        return Moment.allCases.first { $0.name == word }
    }

    fileprivate func rangeBound() throws(ValetError) -> NumberRange.Bound {
        let word = try text()
        if let number = Int64(word) { return .number(number) }
        guard let bound = ListEntry.years.first(where: { $0.0 == word })?.1 else {
            throw error(
                "must be a whole number, thisYear or nextYear, not “\(word)”",
                alternatives: ListEntry.years.map(\.0))
        }
        return bound
    }
}

extension ColumnType {
    fileprivate func takes(_ editor: ColumnEditor) -> Bool {
        switch editor {
        case .automatic, .choices, .list, .wheels, .perRow: true
        case .text: self == .text || self == .blob
        case .number, .range: self != .date && self != .boolean
        case .toggle: self != .date && self != .real
        case .moment(.date), .moment(.dateAndTime): self == .date || self == .text || self == .blob
        case .moment(.time), .moment(.duration): self != .date && self != .boolean
        }
    }
}
