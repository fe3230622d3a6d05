import ValetModel
import ValetStore

/// What people type into a search: parts of what stands in the list.
///
/// No needle of a column comes twice, because a server caches results.
struct Needles {
    private let connection: Connection
    private let table: String
    private let seed: UInt64
    private let rows: Int
    private var given: Set<[UInt8]> = []

    init(file: String, table: String, seed: UInt64, rows: Int) throws(ValetError) {
        connection = try Connection(path: file)
        self.table = table
        self.seed = seed
        self.rows = rows
    }

    /// `count` new needles of `length` letters from a column; fewer when it has no more.
    mutating func take(
        _ count: Int, ofLength length: Int, from column: String
    ) throws(ValetError) -> [String] {
        let cell = try connection.prepare("SELECT \(column) FROM \(table) WHERE rowid = ?")
        var numbers = SeededNumbers(seed: seed, index: -100 - length)
        var needles: [String] = []
        var attempts = 0
        while needles.count < count, attempts < count * 100 {
            attempts += 1
            cell.bind(Int64(1 + numbers.below(rows)), at: 0)
            defer { cell.reset() }
            guard try cell.step(), let text = cell.text(0), text.count >= length else { continue }
            let start = numbers.below(text.count - length + 1)
            let needle = String(text.dropFirst(start).prefix(length))
            // A blank at an end is not what people type first or last.
            guard needle.first != " ", needle.last != " ",
                given.insert(TextFolding.fold(needle)).inserted
            else { continue }
            needles.append(needle)
        }
        return needles
    }

    /// Allows all needles again, for a scope that has no cached results yet.
    mutating func forget() {
        given = []
    }
}
