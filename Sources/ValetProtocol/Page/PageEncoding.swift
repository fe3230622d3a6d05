/// The encoding of one page column: a byte, followed by the layout that it names.
///
/// If bit 7 is set, a bitmap of the rows that have a value comes first, ⌈rows ÷ 8⌉ bytes, lowest
/// bit first, and only those rows are encoded.
///
/// ```
/// 0 constant     one cell, every row's
/// 1 dictionary   varint n; n text lengths; the texts' bytes; a u8 code a row
/// 2 integers     signed first value, then signed differences
/// 3 decimals     u8 scale s ≤ 9, then as 2: the value is n ÷ 10ˢ
/// 4 texts        a varint length a row, then the texts' bytes
/// 5 cells        a cell a row
/// ```
enum PageEncoding: UInt8 {
    case constant = 0
    case dictionary = 1
    case integers = 2
    case decimals = 3
    case texts = 4
    case cells = 5

    static let sparseFlag: UInt8 = 0x80
}
