/// Which byte stands between the fields of a file.
enum CSVSeparator {
    private static let comma = UInt8(ascii: ",")
    private static let semicolon = UInt8(ascii: ";")
    private static let tab = UInt8(ascii: "\t")

    /// A tab in `.tsv` and `.tab` files. Else the header decides: a comma if it has one outside of
    /// quotes, or else a tab, or else a semicolon.
    ///
    /// - Parameter beginning: the file's first bytes.
    static func found(in beginning: some Sequence<UInt8>, ofFile name: String) -> UInt8 {
        let name = name.lowercased()
        if name.hasSuffix(".tsv") || name.hasSuffix(".tab") { return tab }
        var seen: Set<UInt8> = []
        var isQuoted = false
        for byte in beginning {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            seen.insert(byte)
        }
        return [comma, tab, semicolon].first(where: seen.contains) ?? comma
    }
}
