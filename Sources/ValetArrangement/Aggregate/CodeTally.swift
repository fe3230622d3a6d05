/// How often each code of a column occurs in some rows, in order of first appearance.
struct CodeTally {
    struct Entry {
        let code: UInt32
        /// The first row that has it.
        let row: Int
        var count: UInt32
    }

    private(set) var entries: [Entry] = []
    /// Entry + 1 by code; empty if each row has its own entry.
    private var entryOfCode: [UInt32] = []

    /// Codes of the column per row, up to which a table of them all costs less than entries of its
    /// own for each row.
    private static let codesPerRow = 8

    init(rows: Int, codes: Int) {
        if codes / Self.codesPerRow <= rows {
            entryOfCode = Array(repeating: 0, count: codes)
        }
    }

    @inline(__always)
    mutating func add(_ code: UInt32, row: Int) {
        if !entryOfCode.isEmpty {
            let entry = entryOfCode[Int(code)]
            if entry != 0 {
                entries[Int(entry) - 1].count += 1
                return
            }
            entryOfCode[Int(code)] = UInt32(entries.count + 1)
        }
        entries.append(Entry(code: code, row: row, count: 1))
    }
}
