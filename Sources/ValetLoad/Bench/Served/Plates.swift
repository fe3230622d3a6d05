import ValetModel
import ValetStore

/// Number plates, `KXR 4711`: text of which no two are the same.
struct Plates {
    static let table = "plates"
    static let column = "plate"

    let seed: UInt64

    /// Three letters and four digits.
    private static let different = 26 * 26 * 26 * 10_000
    /// It has no factor in common with `different`, so its multiples visit all plates.
    private static let step = 104_729_003

    func plate(at index: Int) -> String {
        let first = Int(truncatingIfNeeded: seed % UInt64(Self.different))
        let number = (first + index % Self.different * Self.step) % Self.different
        var letters = number / 10_000
        var bytes: [UInt8] = Array(repeating: 0x41, count: 3)
        for place in bytes.indices {
            bytes[place] += UInt8(letters % 26)
            letters /= 26
        }
        let digits = String(number % 10_000 + 10_000).dropFirst()
        // After all plates are used, further digits keep the texts different.
        let more = index < Self.different ? "" : String(index / Self.different)
        return String(decoding: bytes, as: UTF8.self) + " " + digits + more
    }

    func write(_ rows: Int, to path: String) throws(ValetError) {
        let connection = try Connection(path: path, access: .create)
        let writer = try TableWriter(
            on: connection, table: Self.table, columns: [NewColumn(Self.column, .text)])
        for index in 0..<rows {
            writer.row.bind(plate(at: index), at: 0)
            try writer.insertRow()
        }
        try writer.commit()
    }
}
