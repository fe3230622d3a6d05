/// A number as a text writes it in decimal digits, for comparison with what SQLite makes of it:
/// `1.50`, `+1.5` and `15e-1` are equal. A double holds few of these numbers exactly.
struct WrittenNumber: Equatable {
    private var isNegative = false
    /// The digits after an implied decimal point, without zeros at either end; empty for zero.
    private var digits: ArraySlice<UInt8> = []
    private var exponent = 0

    init(isNegative: Bool, whole: some Sequence<UInt8>, fraction: [UInt8], exponent: Int) {
        let whole = Array(whole)
        let all = whole + fraction
        func isSignificant(_ digit: UInt8) -> Bool { digit != UInt8(ascii: "0") }
        guard let first = all.firstIndex(where: isSignificant),
            let last = all.lastIndex(where: isSignificant)
        else { return }
        (self.isNegative, digits) = (isNegative, all[first...last])
        self.exponent = exponent + whole.count - first
    }

    /// nil for a text that SQLite does not read as a number.
    ///
    /// Source: sqlite.org/datatype3.html, “well-formed integer or real literal”; white space around
    /// one is ignored.
    init?(_ text: String) {
        var text = text
        let number = text.withUTF8 { CSVNumber(UnsafeRawBufferPointer($0))?.written }
        guard let number else { return nil }
        self = number
    }
}
