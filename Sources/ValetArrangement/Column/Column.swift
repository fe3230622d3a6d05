import ValetModel

/// One column of a list, by slot: chunks of values, and a dictionary of the values that are not
/// numbers.
///
/// An immutable class, so that passing a column on retains one object and not all of its parts.
package final class Column: Sendable {
    package let isText: Bool
    package let dictionary: ValueDictionary
    let chunks: ChunkVector<ColumnChunk>
    /// Codes that edits have replaced by others.
    let replacedCodes: Int
    /// The slots of the missing values that are empty texts and not NULL.
    let emptyTexts: SlotSet

    private static var emptyText: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nil, count: 0)
    }

    init(
        isText: Bool, dictionary: ValueDictionary, chunks: ChunkVector<ColumnChunk>,
        replacedCodes: Int = 0, emptyTexts: SlotSet
    ) {
        self.isText = isText
        self.dictionary = dictionary
        self.chunks = chunks
        self.replacedCodes = replacedCodes
        self.emptyTexts = emptyTexts
    }

    /// The most dictionary entries that no row uses any more, not counting those of deleted rows.
    var unusedCodes: Int { min(replacedCodes, dictionary.count) }

    /// Approximate memory use; visits every chunk.
    package var byteCount: Int {
        (0..<chunks.count).reduce(dictionary.byteCount + emptyTexts.byteCount) {
            $0 + chunks[$1].byteCount
        }
    }

    /// The value that sorting, sections and search use.
    package subscript(slot: UInt32) -> KeyValue {
        resolve(stored(slot))
    }

    /// The value as its chunk holds it.
    @inline(__always)
    func stored(_ slot: UInt32) -> ChunkValue {
        let place = Int(slot)
        return chunks[place / ColumnChunk.slots][place % ColumnChunk.slots]
    }

    /// True if both columns have equal numbers in the same slots.
    func hasSameNumbers(as other: Column) -> Bool {
        chunks.count == other.chunks.count
            && (0..<chunks.count).allSatisfy {
                chunks[$0].base == other.chunks[$0].base
                    && chunks[$0].storage == other.chunks[$0].storage
            }
    }

    /// Calls `body` with the stored value at `slot`, a long text cut to `Limits.bytesPerKeyText`.
    @inline(__always)
    func withStored(_ slot: UInt32, _ body: (BorrowedValue) -> Void) {
        withValue(stored(slot), of: slot, body)
    }

    @inline(__always)
    private func withValue(_ value: ChunkValue, of slot: UInt32, _ body: (BorrowedValue) -> Void) {
        switch value {
        case .missing: body(emptyTexts.contains(slot) ? .text(Self.emptyText) : .null)
        case .integer(let number): body(.integer(number))
        case .real(let real): body(.real(real))
        case .code(let code):
            dictionary.withEntry(code) { entry in
                switch entry {
                case .text(let raw, _): body(.text(raw))
                case .integer(let number): body(.integer(number))
                case .real(let real): body(.real(real))
                case .blob(let byteCount): body(.blob(byteCount: byteCount))
                }
            }
        }
    }

    /// Calls `body` with the stored value of each slot and its place among `slots`, or `again` with
    /// an earlier place whose value is the same.
    ///
    /// - Returns: false, before all calls were made, if a text may have been cut.
    package func forEachWhole(
        _ slots: [UInt32], _ body: (_ place: Int, BorrowedValue) -> Void,
        again: (_ place: Int, _ earlier: Int) -> Void
    ) -> Bool {
        let values = stored(slots)
        var areWhole = true
        for (place, value) in values.enumerated() {
            if case .code = value, let earlier = values[..<place].lastIndex(of: value) {
                again(place, earlier)
                continue
            }
            withValue(value, of: slots[place]) { value in
                if case .text(let text) = value, text.mayBeCutKey {
                    areWhole = false
                } else {
                    body(place, value)
                }
            }
            guard areWhole else { return false }
        }
        return true
    }

    /// The stored values at `slots`. Slots of a page are far apart, so most of the time is spent
    /// waiting for memory: a loop that does nothing else waits for many of them at once.
    func stored(_ slots: [UInt32]) -> [ChunkValue] {
        slots.map { stored($0) }
    }

    private func resolve(_ value: ChunkValue) -> KeyValue {
        switch value {
        case .missing: return .missing
        case .integer(let number): return .integer(number)
        case .real(let real): return .real(real)
        case .code(let code): return dictionary.isAllText ? .text(code: code) : self.value(of: code)
        }
    }

    /// The value that a code stands for.
    func value(of code: UInt32) -> KeyValue {
        dictionary.withEntry(code) { entry in
            switch entry {
            case .text: .text(code: code)
            case .integer(let number): .integer(number)
            case .real(let real): .real(real)
            case .blob(let byteCount): .blob(byteCount: byteCount)
            }
        }
    }
}

/// The kinds of value that a chunk contains, not counting missing values.
struct ChunkKinds {
    private var hasIntegers = false
    private var hasReals = false
    private var hasCodes = false

    init(of values: [ChunkValue]) {
        for value in values {
            switch value {
            case .missing: break
            case .integer: hasIntegers = true
            case .real: hasReals = true
            case .code: hasCodes = true
            }
        }
    }

    var isMixed: Bool { hasIntegers && hasReals || hasIntegers && hasCodes || hasReals && hasCodes }
}
