/// One value of one row, as it is stored or as a page carries it.
///
/// SQLite's five storage classes, with two distinctions that a table of hostile bytes needs: text
/// that is not UTF-8 keeps its bytes, and a value too large for a page says how large it is. Text
/// compares as bytes (`Cell.==`), since Swift's `String` would call canonically equivalent
/// spellings equal.
public enum Cell: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Text whose bytes are not UTF-8. Whole, or cut when `byteCount` is larger than `bytes.count`.
    case malformedText(bytes: [UInt8], byteCount: Int)
    /// The beginning of a text of `byteCount` bytes, cut between two scalars.
    case cutText(String, byteCount: Int)
    /// A blob: whole when `bytes.count == byteCount`; a page carries only the size.
    case blob(bytes: [UInt8], byteCount: Int)
}

extension Cell: Hashable {
    public static func == (left: Cell, right: Cell) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.malformedText(let a, let m), .malformedText(let b, let n)): m == n && a == b
        case (.cutText(let a, let m), .cutText(let b, let n)):
            m == n && a.utf8.elementsEqual(b.utf8)
        case (.blob(let a, let m), .blob(let b, let n)): m == n && a == b
        case (.null, _), (.integer, _), (.real, _), (.text, _), (.malformedText, _),
            (.cutText, _), (.blob, _):
            false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .text(let text): hasher.combine(text)
        case .cutText(let text, let byteCount):
            hasher.combine(text)
            hasher.combine(byteCount)
        case .malformedText(let bytes, let byteCount), .blob(let bytes, let byteCount):
            hasher.combine(bytes)
            hasher.combine(byteCount)
        }
    }
}

extension Cell {
    /// Text from bytes that may not be UTF-8.
    public init(textBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            self = .malformedText(bytes: Array(bytes), byteCount: bytes.count)
        }
    }

    /// True when the stored value is larger than what this cell carries.
    public var isCut: Bool {
        switch self {
        case .null, .integer, .real, .text: false
        case .cutText: true
        case .malformedText(let bytes, let byteCount), .blob(let bytes, let byteCount):
            bytes.count < byteCount
        }
    }

    /// Whether both may carry the same stored value, of which each may be cut.
    package func mayBe(_ other: Cell) -> Bool {
        guard isCut || other.isCut else { return self == other }
        guard isBlob == other.isBlob, storedByteCount == other.storedByteCount else { return false }
        return zip(carriedBytes, other.carriedBytes).allSatisfy(==)
    }

    package var isBlob: Bool { if case .blob = self { true } else { false } }

    private var carriedBytes: [UInt8] {
        switch self {
        case .null, .integer, .real: []
        case .text(let text), .cutText(let text, _): Array(text.utf8)
        case .malformedText(let bytes, _), .blob(let bytes, _): bytes
        }
    }

    /// Bytes that this value has beside itself.
    package var heldByteCount: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let text), .cutText(let text, _): text.utf8.count
        case .malformedText(let bytes, _), .blob(let bytes, _): bytes.count
        }
    }

    /// Bytes of the stored text or blob; 0 for other values.
    package var storedByteCount: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let text): text.utf8.count
        case .malformedText(_, let byteCount), .cutText(_, let byteCount),
            .blob(_, let byteCount):
            byteCount
        }
    }

    /// The cell with at most `limit` bytes of its text or blob; text is cut between two scalars.
    package func cut(toBytes limit: Int) -> Cell {
        switch self {
        case .null, .integer, .real: self
        case .text(let text):
            text.utf8.count > limit
                ? .cutText(text.cut(toBytes: limit), byteCount: text.utf8.count) : self
        case .cutText(let text, let byteCount):
            .cutText(text.cut(toBytes: limit), byteCount: byteCount)
        case .malformedText(let bytes, let byteCount):
            // What is left may be UTF-8.
            if bytes.count > limit,
                let text = String(validating: bytes.prefix(limit), as: UTF8.self)
            {
                .cutText(text, byteCount: byteCount)
            } else {
                .malformedText(bytes: Array(bytes.prefix(limit)), byteCount: byteCount)
            }
        case .blob(let bytes, let byteCount):
            .blob(bytes: Array(bytes.prefix(limit)), byteCount: byteCount)
        }
    }

    /// Neither missing nor 0.
    package var isSet: Bool { !isMissing && self != .integer(0) && self != .real(0) }

    /// NULL or empty text.
    public var isMissing: Bool {
        switch self {
        case .null: true
        case .text(let text): text.isEmpty
        case .integer, .real, .malformedText, .cutText, .blob: false
        }
    }
}
