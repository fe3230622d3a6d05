import CSQLite

/// What columns make of values that are stored in them.
extension SQL {
    static let asText = "SELECT CAST(? AS TEXT)"
    /// As a column does it whose type means numbers, if all of a text is a number.
    static let asNumber = "SELECT CAST(? AS NUMERIC)"

    /// As `asText` does it.
    static func text(of real: Double) -> String {
        let text = withVaList([real]) { sqlite3_vmprintf("%!.15g", $0) }
        defer { sqlite3_free(text) }
        return text.map { String(cString: $0) } ?? String(real)
    }
}
