import ValetModel

/// The column names of a CSV file: its first line.
enum CSVHeader {
    /// Checks the reader's current row, in which each column must have its own name.
    static func names(of reader: CSVReader) throws(ValetError) -> [String] {
        var repairs: CSVRepairs?
        return try names(of: reader, &repairs)
    }

    /// Checks the reader's current row.
    ///
    /// - Parameter repairs: gets the columns that are given names; nil if each must have its own.
    static func names(
        of reader: CSVReader, _ repairs: inout CSVRepairs?
    ) throws(ValetError) -> [String] {
        var names: [String] = []
        var seen: [String: Int] = [:]
        var newNames: NewNames?
        for field in 0..<reader.fieldCount {
            var name = reader.text(field)
            if repairs != nil, name.isEmpty || seen[SQL.caseFolded(name)] != nil {
                var names =
                    newNames.take()
                    ?? NewNames(
                        besides: (0..<reader.fieldCount).map { reader.text($0) })
                name = names.next(for: field, like: name)
                newNames = names
                repairs?.named(name)
            }
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

    /// What columns without a name of their own are called.
    struct NewNames {
        private var taken: Set<String>
        /// By name: what number the next column like it may have.
        private var numbers: [String: Int] = [:]

        init(besides names: [String]) { taken = Set(names.map(SQL.caseFolded)) }

        mutating func next(for field: Int, like name: String = "") -> String {
            let base = name.isEmpty ? "column" : name
            let folded = SQL.caseFolded(base)
            var number = name.isEmpty ? field + 1 : numbers[folded] ?? 2
            while !taken.insert("\(folded) \(number)").inserted { number += 1 }
            numbers[folded] = number + 1
            return "\(base) \(number)"
        }
    }
}
