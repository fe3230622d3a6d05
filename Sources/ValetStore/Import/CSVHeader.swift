import ValetModel

/// The column names of a CSV file: its first line.
enum CSVHeader {
    /// Checks the reader's current row.
    static func names(of reader: CSVReader) throws(ValetError) -> [String] {
        var names: [String] = []
        var seen: [String: Int] = [:]
        for field in 0..<reader.fieldCount {
            let name = reader.text(field)
            let place = "column \(field + 1) of the header"
            guard !name.isEmpty else { throw reader.error("\(place) has no name") }
            guard name.utf8.count <= Limits.bytesPerName else {
                throw reader.error(
                    "\(place) has a name of more than \(Limits.bytesPerName) bytes (bytesPerName)",
                    code: .limitExceeded)
            }
            // A NUL would end the SQL text.
            guard !name.utf8.contains(0) else {
                throw reader.error("\(place) has a zero in its name")
            }
            if let other = seen.updateValue(field + 1, forKey: SQL.caseFolded(name)) {
                throw reader.error("columns \(other) and \(field + 1) have the same name")
            }
            names.append(name)
        }
        return names
    }
}
