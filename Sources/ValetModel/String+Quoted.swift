extension String {
    /// In double quotes, those inside doubled, as SQL names and CSV fields are. Quotes are found by
    /// bytes: one with a combining mark behind it is another `Character`.
    package var inDoubleQuotes: String {
        let quote = UInt8(ascii: "\"")
        var bytes = [quote]
        for byte in utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }
}
