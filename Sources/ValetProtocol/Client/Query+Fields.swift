import NIOCore
import ValetModel

/// ```
/// optional text            grouping: a grouping's or a column's name
/// optional expression      how the column is divided: see `SectionExpression.write`
/// list (text, bool)        sort: column, descending
/// optional (text, optional text)   search: text, scope
/// list condition           text column, u8 comparison, list of cells
/// ```
extension Query {
    func write(into payload: inout ByteBuffer) {
        payload.writeOptionalText(grouping)
        payload.writeOptional(expression)
        payload.writeList(sort) { payload, sort in
            payload.writeText(sort.column)
            payload.writeBool(sort.isDescending)
        }
        payload.writeOptional(search) { payload, search in
            payload.writeText(search.text)
            payload.writeOptionalText(search.scope)
        }
        payload.writeList(conditions)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init()
        grouping = try payload.optionalName("grouping name")
        expression = try payload.optional()
        sort = try payload.list(of: "sorts", limit: Limits.sortsPerQuery) {
            payload throws(ValetError) in
            Sort(column: try payload.name("column name"), isDescending: try payload.bool())
        }
        search = try payload.optional { payload throws(ValetError) in
            Search(
                text: try payload.text("search text", limit: Limits.bytesPerSearch),
                scope: try payload.optionalName("scope name"))
        }
        conditions = try payload.list(of: "conditions", limit: Limits.conditionsPerQuery)
        guard let expression else { return }
        if grouping == nil {
            throw PayloadReader.malformed("a section expression without a column")
        }
        if case .ranges(let bounds) = expression,
            !bounds.allSatisfy(\.isFinite) || zip(bounds, bounds.dropFirst()).contains(where: >=)
        {
            throw PayloadReader.malformed("bounds that do not ascend")
        }
    }
}

extension Condition: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(column)
        payload.writeByte(comparison.rawValue)
        payload.writeList(values)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            column: try payload.name("column name"), try payload.choice("comparison"),
            try payload.list(of: "values", limit: Limits.valuesPerCondition) {
                payload throws(ValetError) in
                try Cell(reading: &payload, limit: Limits.bytesPerSearch)
            })
        guard comparison.valueCounts.contains(values.count) else {
            throw PayloadReader.malformed("\(values.count) values of a condition")
        }
        for value in values {
            switch value {
            case .integer, .real, .text: break
            case .null, .malformedText, .cutText, .blob:
                throw PayloadReader.malformed("a condition compares with numbers and texts")
            }
        }
    }
}
