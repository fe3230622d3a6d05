/// The types that can hold a CSV cell, or all cells of a column, without loss. Text is not listed,
/// since it can hold everything.
struct CSVTypes: OptionSet {
    let rawValue: UInt8

    static let integer = CSVTypes(rawValue: 1)
    static let real = CSVTypes(rawValue: 2)
    /// Empty cells become NULL, whatever the type.
    static let empty = CSVTypes(rawValue: 4)
    static let all: CSVTypes = [.integer, .real, .empty]

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(of cell: UnsafeRawBufferPointer) {
        if cell.isEmpty {
            self = .all
            return
        }
        self = []
        guard let number = CSVNumber(cell) else { return }
        if number.integer != nil { insert(.integer) }
        if number.hasReal { insert(.real) }
    }

    /// The column type to declare for these types.
    var declared: NewColumn.DeclaredType {
        if contains(.empty) { return .text }
        return contains(.integer) ? .integer : contains(.real) ? .real : .text
    }
}
