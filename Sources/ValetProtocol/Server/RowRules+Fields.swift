import NIOCore
import ValetModel

/// ```
/// bool             rows can be added
/// bool             deleted
/// bool             moved
/// optional varint  column that is neither missing nor 0 in rows that can only be read
/// ```
extension RowRules {
    func write(into payload: inout ByteBuffer) {
        payload.writeBool(allowsAdding)
        payload.writeBool(allowsDeleting)
        payload.writeBool(allowsMoving)
        payload.writeOptionalCount(readOnlyColumn)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            allowsAdding: try payload.bool(), allowsDeleting: try payload.bool(),
            allowsMoving: try payload.bool(), readOnlyColumn: try payload.optionalCount())
    }
}

/// ```
/// text         title
/// list varint  columns
/// ```
extension DetailSection {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(title)
        payload.writeList(columns) { $0.writeCount($1) }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            title: try payload.name("section title"),
            columns: try payload.list(of: "fields", limit: Limits.columnsPerList) {
                payload throws(ValetError) in try payload.count()
            })
    }
}
