import ValetModel

extension Cell {
    /// Text from bytes that may not be UTF-8, cut before the first scalar that would exceed `limit`
    /// bytes.
    init(text bytes: UnsafeRawBufferPointer, cutTo limit: Int) {
        guard bytes.count > limit else {
            self.init(textBytes: bytes)
            return
        }
        if let text = String(validating: bytes.cut(toBytes: limit), as: UTF8.self) {
            self = .cutText(text, byteCount: bytes.count)
        } else {
            self = .malformedText(bytes: Array(bytes[..<limit]), byteCount: bytes.count)
        }
    }
}
