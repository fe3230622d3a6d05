extension String {
    /// In double quotes, with inner quotes doubled, as in SQL names and CSV fields. Quotes are
    /// found as bytes: with a combining mark after it, a quote is another `Character`.
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
