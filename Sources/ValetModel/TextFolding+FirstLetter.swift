extension TextFolding {
    /// The first scalar of a folded form, upper case, if it is a letter (general category L); nil
    /// otherwise, which shows as `#`.
    ///
    /// The upper case is the simple mapping of UnicodeData.txt, always one scalar.
    package static func firstLetter(ofFolded folded: UnsafeRawBufferPointer) -> UInt32? {
        guard let byte = folded.first else { return nil }
        if byte < 0x80 {
            return (byte | 0x20) &- 0x61 < 26 ? UInt32(byte & ~0x20) : nil
        }
        return TextFoldingTable.upperCaseLetter(UTF8Scalar.decode(folded, at: 0).scalar)
    }

    package static func firstLetter(ofFolded folded: [UInt8]) -> UInt32? {
        folded.withUnsafeBytes { firstLetter(ofFolded: $0) }
    }
}
