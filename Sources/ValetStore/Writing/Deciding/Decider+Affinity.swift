import ValetModel

/// What the affinity of a column makes of values: texts become numbers, and numbers texts.
extension Decider {
    /// What would be stored instead of a value, for a person; nil if it is the value or an equal
    /// one.
    func other(than cell: Cell, column: Int, of table: EditedTable) throws(ValetError) -> String? {
        let affinity = table.affinities[column]
        switch cell {
        case .real(let real):
            if real.isNaN { return "NULL" }
            guard affinity == .text else { return nil }
            // SQLite writes 15 digits, too few for some reals.
            guard case .text(let text) = try converted(cell, by: SQL.asText) else { return nil }
            return Double(text) == real ? nil : text
        case .integer(let number):
            let real = Double(number)
            return affinity != .real || Int64(exactly: real) == number ? nil : String(real)
        case .text(let text):
            if !storesUTF8, let other = Self.otherInUTF16(than: text) { return other }
            switch affinity {
            case .text, .none: return nil
            case .integer, .real, .numeric:
                return try other(thanText: text, storesReals: affinity == .real)
            }
        case .malformedText(let bytes, _):
            return storesUTF8 ? nil : String(decoding: bytes, as: UTF8.self)
        case .null, .cutText, .blob: return nil
        }
    }

    /// SQLite takes the two scalars for errors when it converts a text.
    private static func otherInUTF16(than text: String) -> String? {
        func isLost(_ scalar: Unicode.Scalar) -> Bool { scalar.value | 1 == 0xFFFF }
        guard text.unicodeScalars.contains(where: isLost) else { return nil }
        var other = String.UnicodeScalarView()
        other.append(contentsOf: text.unicodeScalars.map { isLost($0) ? "\u{FFFD}" : $0 })
        return String(other)
    }

    /// What SQLite stores of a text that writes a number with more digits than it keeps.
    private func other(thanText text: String, storesReals: Bool) throws(ValetError) -> String? {
        guard let written = WrittenNumber(text) else { return nil }
        switch try converted(.text(text), by: SQL.asNumber) {
        case .integer(let number):
            let real = Double(number)
            if storesReals, Int64(exactly: real) != number { return String(real) }
            return WrittenNumber(String(number)) == written ? nil : String(number)
        case .real(let real):
            // Unlike the cast, a column then makes an integer of it.
            if !storesReals, let whole = Int64(exactly: real), whole > .min {
                return WrittenNumber(String(whole)) == written ? nil : String(whole)
            }
            return WrittenNumber(String(real)) == written ? nil : String(real)
        case .null, .text, .malformedText, .cutText, .blob, nil: return nil
        }
    }

    private func converted(_ cell: Cell, by sql: String) throws(ValetError) -> Cell? {
        try prepared.run(sql, [cell]) { row throws(ValetError) in
            row.cell(0, limit: Limits.bytesPerKeyText)
        }
    }
}

extension EditedTable {
    /// By column. ANY keeps anything in a STRICT table; in others it is an unknown word, which
    /// means numbers.
    static func affinities(
        of table: StoredTable, on connection: Connection
    ) throws(ValetError) -> [Affinity] {
        let types = table.columns.map { SQL.caseFolded($0.declaredType) }
        var isStrict = false
        if types.contains("any") {
            let kind = try connection.prepare(SQL.tableKind, [.text(table.name)])
            isStrict = try kind.step() && kind.integer(1) == 1
        }
        return types.map { isStrict && $0 == "any" ? .none : Affinity(declaredType: $0) }
    }
}
