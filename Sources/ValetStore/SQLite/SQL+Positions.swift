/// Statements that follow a manual order, along the index of its column.
extension SQL {
    enum Direction {
        case forward
        case backward

        fileprivate var order: String { self == .forward ? "ASC" : "DESC" }
        fileprivate var sign: String { self == .forward ? ">" : "<" }
    }

    /// Nonzero if an index begins with a column. Bound: a table's and a column's name. A partial
    /// index lacks rows, and in a unique one renumbered rows could not pass each other.
    static let indexesOfColumn = """
        SELECT count(*) FROM pragma_index_list(?, 'main') AS l,
        pragma_index_xinfo(l.name, 'main') AS x
        WHERE l.partial = 0 AND l."unique" = 0 AND x.seqno = 0 AND x.name = ?
        """

    static func makeIndex(of table: StoredTable, on column: String) -> String {
        "CREATE INDEX \(quoted("\(table.name) by \(column)")) ON \(quoted(table.name)) "
            + "(\(quoted(column)))"
    }

    /// Row ids and positions of rows with one position. Bound: the position, and the first row id.
    static func rows(
        of table: StoredTable, rowID: String, at position: Int, _ direction: Direction
    ) -> String {
        positioned(table, rowID: rowID, position)
            + " WHERE \(column(table.columns[position].name)) IS ?"
            + " AND \(rowID) \(direction.sign)= ? ORDER BY \(rowID) \(direction.order)"
    }

    /// Row ids and positions of rows beyond a bound position, without those that have none.
    static func rows(
        of table: StoredTable, rowID: String, beyond position: Int, _ direction: Direction
    ) -> String {
        let column = column(table.columns[position].name)
        return positioned(table, rowID: rowID, position)
            + " WHERE \(column) \(direction.sign) ? ORDER BY \(column) \(direction.order), "
            + "\(rowID) \(direction.order)"
    }

    private static func positioned(
        _ table: StoredTable, rowID: String, _ position: Int
    ) -> String {
        "SELECT \(rowID), \(column(table.columns[position].name))"
            + " FROM main.\(quoted(table.name)) AS s"
    }
}
