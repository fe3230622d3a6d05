/// The affinity that SQLite derives from a column's declared type
/// (https://www.sqlite.org/datatype3.html, section 3.1).
///
/// The raw values are declared types that have it.
enum Affinity: String {
    case integer = "INTEGER"
    case text = "TEXT"
    case real = "REAL"
    case numeric = "NUMERIC"
    /// No type, or one with BLOB in it.
    case none = "BLOB"

    /// The rules are tried in this order: `CHARINT` is an integer, and so is `POINT`.
    init(declaredType: String) {
        let type = SQL.caseFolded(declaredType).utf8
        func contains(_ word: String) -> Bool { type.firstRange(of: word.utf8) != nil }
        self =
            if contains("int") {
                .integer
            } else if contains("char") || contains("clob") || contains("text") {
                .text
            } else if type.isEmpty || contains("blob") {
                .none
            } else if contains("real") || contains("floa") || contains("doub") {
                .real
            } else {
                .numeric
            }
    }
}
