/// What a document's markup would cost libxml2, found out before it is parsed.
struct XMLMarkup {
    /// Whether the DOCTYPE has declarations in it, which is where entities come from.
    private(set) var hasDeclarations = false
    /// Of the element that has the most: libxml2 compares each with all others.
    private(set) var mostAttributes = 0

    init(of document: XMLText) {
        var rest = document.bytes.makeIterator()
        while !hasDeclarations, let byte = rest.next() {
            guard byte == UInt8(ascii: "<"), let kind = rest.next() else { continue }
            switch kind {
            case UInt8(ascii: "?"): Self.skip(&rest, behind: UInt8(ascii: "?"), times: 1)
            case UInt8(ascii: "!"): declaration(&rest)
            default: mostAttributes = max(mostAttributes, Self.quotes(&rest, to: ">").count)
            }
        }
    }

    private mutating func declaration(_ rest: inout some IteratorProtocol<UInt8>) {
        switch rest.next() {
        case UInt8(ascii: "-"):
            _ = rest.next()
            Self.skip(&rest, behind: UInt8(ascii: "-"), times: 2)
        case UInt8(ascii: "["): Self.skip(&rest, behind: UInt8(ascii: "]"), times: 2)
        default: hasDeclarations = Self.quotes(&rest, to: "[>").end == UInt8(ascii: "[")
        }
    }

    /// Skips to the first of the ends that stands outside of quotes.
    private static func quotes(
        _ rest: inout some IteratorProtocol<UInt8>, to ends: String
    ) -> (count: Int, end: UInt8?) {
        var count = 0
        while let byte = rest.next() {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                count += 1
                while let inner = rest.next(), inner != byte {}
            } else if ends.utf8.contains(byte) {
                return (count, byte)
            }
        }
        return (count, nil)
    }

    /// Skips to a `>` that has so many marks before it.
    private static func skip(
        _ rest: inout some IteratorProtocol<UInt8>, behind mark: UInt8, times: Int
    ) {
        var marks = 0
        while let byte = rest.next() {
            if byte == UInt8(ascii: ">"), marks >= times { return }
            marks = byte == mark ? marks + 1 : 0
        }
    }
}
