import ValetModel

/// The types that can hold a CSV cell, or all cells of a column, without loss. Text is not listed,
/// since it can hold everything.
struct CSVTypes: OptionSet {
    let rawValue: UInt8

    static let integer = CSVTypes(rawValue: 1)
    static let real = CSVTypes(rawValue: 2)
    /// Empty cells become NULL, whatever the type.
    static let empty = CSVTypes(rawValue: 4)
    /// `2026-03-09`, which may stand among times, too.
    static let date = CSVTypes(rawValue: 8)
    /// `2026-03-09 14:02:30`.
    static let datetime = CSVTypes(rawValue: 16)
    static let all: CSVTypes = [.integer, .real, .empty, .date, .datetime]
}

extension CSVTypes {
    init(of cell: UnsafeRawBufferPointer) {
        if cell.isEmpty {
            self = .all
            return
        }
        self = []
        guard let number = CSVNumber(cell) else {
            guard CivilTime(iso8601: cell) != nil else { return }
            insert(.datetime)
            if cell.count == Self.bytesPerDay { insert(.date) }
            return
        }
        if number.integer != nil { insert(.integer) }
        if number.hasReal { insert(.real) }
    }

    /// The column type to declare for these types.
    var declared: NewColumn.DeclaredType {
        if contains(.empty) { return .text }
        if contains(.integer) { return .integer }
        if contains(.real) { return .real }
        return contains(.date) ? .date : contains(.datetime) ? .datetime : .text
    }

    private static let bytesPerDay = 10
}
