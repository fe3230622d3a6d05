extension UnsafeRawBufferPointer {
    /// The longest prefix of at most `limit` bytes that does not end inside a scalar.
    ///
    /// A scalar has at most three continuation bytes. A longer run of them is not UTF-8, and then
    /// the last three are left out.
    package func cut(toBytes limit: Int) -> UnsafeRawBufferPointer {
        guard count > limit else { return self }
        var end = limit
        while end > 0, limit - end < 3, self[end] & 0xC0 == 0x80 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }
}

extension String {
    /// The longest prefix of whole scalars that takes at most `limit` bytes of UTF-8.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var text = self
        return text.withUTF8 {
            String(decoding: UnsafeRawBufferPointer($0).cut(toBytes: limit), as: UTF8.self)
        }
    }
}
