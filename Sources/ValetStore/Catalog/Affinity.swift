/// What SQLite makes of a column's declared type (https://www.sqlite.org/datatype3.html, section
/// 3.1).
enum Affinity {
    case integer
    case text
    case real
    case numeric
    /// No type, or one with BLOB in it.
    case none

    /// The rules are tried in this order: `CHARINT` is an integer, and so is `POINT`.
    init(declaredType: String) {
        let type = declaredType.uppercased()
        self =
            if type.contains("INT") {
                .integer
            } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
                .text
            } else if type.isEmpty || type.contains("BLOB") {
                .none
            } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
                .real
            } else {
                .numeric
            }
    }
}
