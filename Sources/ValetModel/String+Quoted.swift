extension String {
    /// In double quotes, with inner quotes doubled, as in SQL names and CSV fields.
    package var inDoubleQuotes: String { quoted(with: UInt8(ascii: "\"")) }

    /// In single quotes, with inner quotes doubled, as in SQL texts.
    package var inSingleQuotes: String { quoted(with: UInt8(ascii: "'")) }

    /// `unknown-list` for `unknownList`.
    var hyphenated: String {
        reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// Quotes are found as bytes: with a combining mark after it, a quote is another `Character`.
    private func quoted(with quote: UInt8) -> String {
        var bytes = [quote]
        for byte in utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }
}
