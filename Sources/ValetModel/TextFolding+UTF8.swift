/// Decodes scalars from bytes that may not be UTF-8.
enum UTF8Scalar {
    /// The scalar that a maximal subpart of an ill-formed sequence counts as.
    static let replacement: UInt32 = 0xFFFD

    /// The scalar at `position`, which must be in bounds, and its length in bytes.
    ///
    /// For bytes that are not UTF-8, U+FFFD and the length of the maximal subpart (Unicode 15,
    /// 3.9), at least 1.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, at position: Int
    ) -> (scalar: UInt32, length: Int) {
        let lead = bytes[position]
        let length: Int
        // The bounds of the second byte exclude overlong forms, surrogates, and values above
        // U+10FFFF.
        var bounds: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0..<0x80: return (UInt32(lead), 1)
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { bounds = 0xA0...0xBF }
            if lead == 0xED { bounds = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { bounds = 0x90...0xBF }
            if lead == 0xF4 { bounds = 0x80...0x8F }
        default: return (replacement, 1)
        }
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            guard position + offset < bytes.count, bounds.contains(bytes[position + offset]) else {
                return (replacement, offset)
            }
            scalar = scalar << 6 | UInt32(bytes[position + offset] & 0x3F)
            bounds = 0x80...0xBF
        }
        return (scalar, length)
    }
}
