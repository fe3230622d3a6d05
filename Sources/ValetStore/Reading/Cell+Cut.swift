import ValetModel

extension Cell {
    /// Text of bytes that may not be UTF-8, cut before a scalar that would not fit in `limit`
    /// bytes.
    init(text bytes: UnsafeRawBufferPointer, cutTo limit: Int) {
        guard bytes.count > limit else {
            self.init(textBytes: bytes)
            return
        }
        var end = limit
        // A byte 10xxxxxx goes on with a scalar; no scalar has more than three of them.
        while end > 0, limit - end < 3, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        let beginning = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        if let text = String(validating: beginning, as: UTF8.self) {
            self = .cutText(text, byteCount: bytes.count)
        } else {
            self = .malformedText(bytes: Array(bytes[..<limit]), byteCount: bytes.count)
        }
    }
}
