import TestSupport
import ValetModel

/// What stations do at random, on a list of cars: make, model and year.
struct RandomEdits {
    private var numbers: SeededNumbers
    private static let usualRows = 120

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed, index: -1)
    }

    /// A table of cars.
    mutating func database() -> String {
        let rows = (0..<Self.usualRows).map { _ in
            let model = word().replacing("'", with: "''")
            return "('\(letter())', '\(model)', \(numbers.below(9) == 0 ? "NULL" : "\(year())"))"
        }
        return "CREATE TABLE cars (make TEXT, model TEXT, year INTEGER); INSERT INTO cars VALUES "
            + rows.joined(separator: ", ")
    }

    mutating func change(_ model: EditModel) -> Change {
        let rowIDs = model.rows.keys.sorted()
        switch numbers.below(20) {
        case 0..<2: return .redo
        case 2..<5: return .undo
        case 5..<9 where rowIDs.count < 2 * Self.usualRows:
            return .insert((0...numbers.below(3)).map { _ in newRow() })
        case 9..<12 where rowIDs.count > Self.usualRows / 2:
            return .delete(some(rowIDs, most: 2).map { RowDeletion(rowID: $0, seen: seen(model)) })
        default:
            return .update(some(rowIDs, most: 4).map { edit(of: $0, model) })
        }
    }

    /// Different rows, at times one that is not there any more.
    private mutating func some(_ rowIDs: [Int64], most: Int) -> [Int64] {
        var chosen: [Int64] = []
        for _ in 0...numbers.below(most) {
            let rowID =
                numbers.happens(perThousand: 20)
                ? Int64(1 + numbers.below(Self.usualRows)) : rowIDs[numbers.below(rowIDs.count)]
            if !chosen.contains(rowID) { chosen.append(rowID) }
        }
        return chosen
    }

    private mutating func newRow() -> [ColumnValue] {
        let columns = numbers.below(5) == 0 ? 2 : 3
        return (0..<columns).map { ColumnValue(column: $0, value: cell(of: $0)) }
    }

    private mutating func edit(of rowID: Int64, _ model: EditModel) -> RowEdit {
        let first = numbers.below(3)
        let columns = numbers.below(3) == 0 ? Array(first..<3) : [first]
        return RowEdit(
            rowID: rowID,
            cells: columns.map { column in
                let now = model.rows[rowID]?[column] ?? .null
                let seen: SeenValue =
                    switch numbers.below(8) {
                    case 0: .anything
                    case 1: .cell(cell(of: column))
                    default: .cell(now)
                    }
                return CellEdit(column: column, value: cell(of: column), seen: seen)
            })
    }

    private mutating func seen(_ model: EditModel) -> UInt64? {
        switch numbers.below(4) {
        case 0: nil
        case 1: model.revision - min(model.revision, UInt64(numbers.below(40)))
        default: model.revision
        }
    }

    private mutating func cell(of column: Int) -> Cell {
        switch column {
        case 0: .text(letter())
        case 1: .text(word())
        default: numbers.below(9) == 0 ? .null : .integer(Int64(year()))
        }
    }

    private mutating func letter() -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(numbers.below(8))))
    }

    private mutating func word() -> String {
        if numbers.below(8) == 0 { return HostileText.sql[numbers.below(HostileText.sql.count)] }
        return "m\(numbers.below(30))"
    }

    private mutating func year() -> Int { 1_990 + numbers.below(12) }
}
