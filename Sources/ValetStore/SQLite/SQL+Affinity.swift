/// What columns make of values that are stored in them.
extension SQL {
    static let asText = "SELECT CAST(? AS TEXT)"
    /// As a column does it whose type means numbers, if all of a text is a number.
    static let asNumber = "SELECT CAST(? AS NUMERIC)"
}
