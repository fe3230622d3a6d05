import NIOCore
import ValetModel

/// Opens a view on the frame's stream, which no open view of the connection may use.
///
/// ```
/// varint     request
/// varint     generation
/// text       list
/// list text  columns that pages shall carry; none for all
/// question   see `Question.write`
/// ```
package struct OpenView: Message {
    package static let kind = FrameKind.openView

    package var request: UInt32
    package var generation: UInt32
    package var list: String
    package var columns: [String]
    package var question: Question

    package init(
        request: UInt32, generation: UInt32, list: String, columns: [String] = [],
        question: Question
    ) {
        self.request = request
        self.generation = generation
        self.list = list
        self.columns = columns
        self.question = question
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeText(list)
        payload.writeList(columns) { $0.writeText($1) }
        question.write(into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        list = try payload.name("list name")
        columns = try payload.list(of: "columns", limit: Limits.columnsPerList) {
            payload throws(ValetError) in try payload.name("column name")
        }
        question = try Question(reading: &payload)
    }
}

/// ```
/// optional text            grouping: a grouping's or a column's name
/// optional (text, bool)    sort: column, descending
/// optional (text, optional text)   search: text, scope
/// ```
extension Question {
    func write(into payload: inout ByteBuffer) {
        payload.writeOptional(grouping) { $0.writeText($1) }
        payload.writeOptional(sort) { payload, sort in
            payload.writeText(sort.column)
            payload.writeBool(sort.isDescending)
        }
        payload.writeOptional(search) { payload, search in
            payload.writeText(search.text)
            payload.writeOptional(search.scope) { $0.writeText($1) }
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init()
        grouping = try payload.optional { payload throws(ValetError) in
            try payload.name("grouping name")
        }
        sort = try payload.optional { payload throws(ValetError) in
            Sort(column: try payload.name("column name"), isDescending: try payload.bool())
        }
        search = try payload.optional { payload throws(ValetError) in
            Search(
                text: try payload.text("search text", limit: Limits.bytesPerSearch),
                scope: try payload.optional { payload throws(ValetError) in
                    try payload.name("scope name")
                })
        }
    }
}
