/// What stands before a document's first element.
enum XMLProlog {
    /// Whether the DOCTYPE has declarations in it, which is where entities come from.
    ///
    /// Zero bytes are skipped, so that this holds for UTF-16 and UTF-32, too.
    static func hasDeclarations(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let markup = next(&rest) {
            switch markup {
            case UInt8(ascii: "?"): skip(&rest, behind: "?>")
            case UInt8(ascii: "!"):
                if takes(&rest, UInt8(ascii: "-")) {
                    skip(&rest, behind: "-->")
                } else if skip(&rest, toOneOf: "[>") == UInt8(ascii: "[") {
                    return true
                }
            default: return false
            }
        }
        return false
    }

    /// The byte behind the next `<`.
    private static func next(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        guard skip(&rest, toOneOf: "<") != nil else { return nil }
        rest = rest.drop { $0 == 0 }
        return rest.popFirst()
    }

    private static func takes(_ rest: inout ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
        rest = rest.drop { $0 == 0 }
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    @discardableResult
    private static func skip(_ rest: inout ArraySlice<UInt8>, toOneOf ends: String) -> UInt8? {
        while let byte = rest.popFirst() {
            if ends.utf8.contains(byte) { return byte }
        }
        return nil
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>, behind end: String) {
        let end = Array(end.utf8)
        var last: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == 0 { continue }
            last.append(byte)
            if last.count > end.count { last.removeFirst() }
            if last == end { return }
        }
    }
}
