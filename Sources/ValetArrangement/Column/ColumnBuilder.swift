import ValetModel

/// Collects one column's values in slot order.
struct ColumnBuilder {
    private let isText: Bool
    private var dictionary: DictionaryBuilder
    private var chunks = ChunkVector<ColumnChunk>()
    private var chunkBytes = 0
    /// For text columns: code + 1, or 0 for a missing value.
    private var codes: [UInt32] = []
    /// For all other columns.
    private var values: [ChunkValue] = []
    private var emptyTexts = SlotSet()

    init(_ description: ColumnDescription, expectedRows: Int) {
        dictionary = DictionaryBuilder(expectedRows: expectedRows)
        isText = description.isText
        if isText {
            codes.reserveCapacity(ColumnChunk.slots)
        } else {
            values.reserveCapacity(ColumnChunk.slots)
        }
    }

    mutating func append(_ value: BorrowedValue) {
        if case .text(let text) = value, text.isEmpty { emptyTexts.set(next, to: true) }
        if isText {
            codes.append(code(of: value).map { $0 + 1 } ?? 0)
            if codes.count == ColumnChunk.slots { seal() }
        } else {
            values.append(plainValue(of: value))
            if values.count == ColumnChunk.slots { seal() }
        }
    }

    /// The slot of the next value.
    private var next: UInt32 {
        UInt32(chunks.count * ColumnChunk.slots + codes.count + values.count)
    }

    private mutating func code(of value: BorrowedValue) -> UInt32? {
        switch value {
        case .null: nil
        case .text(let text): text.isEmpty ? nil : dictionary.code(ofText: text.keyText)
        case .integer(let number): dictionary.code(of: .integer(number))
        case .real(let real): dictionary.code(of: .real(bits: real.bitPattern))
        case .blob(let byteCount): dictionary.code(of: .blob(byteCount: byteCount))
        }
    }

    private mutating func plainValue(of value: BorrowedValue) -> ChunkValue {
        switch value {
        case .integer(let number): .integer(number)
        case .real(let real): .real(real)
        case .null, .text, .blob: code(of: value).map { .code($0) } ?? .missing
        }
    }

    /// Approximate memory use as of the last complete chunks.
    var byteCount: Int { chunkBytes + dictionary.byteCount + emptyTexts.byteCount }

    private mutating func seal(_ chunk: ColumnChunk) {
        chunkBytes += chunk.byteCount
        chunks.append(chunk)
    }

    private mutating func seal() {
        if isText {
            seal(ColumnChunk(codes: codes))
            codes.removeAll(keepingCapacity: true)
            return
        }
        if ChunkKinds(of: values).isMixed {
            for index in values.indices {
                switch values[index] {
                case .missing, .code: break
                case .integer(let number):
                    values[index] = .code(dictionary.code(of: .integer(number)))
                case .real(let real):
                    values[index] = .code(dictionary.code(of: .real(bits: real.bitPattern)))
                }
            }
        }
        seal(ColumnChunk(values))
        values.removeAll(keepingCapacity: true)
    }

    consuming func finish() -> Column {
        if !codes.isEmpty || !values.isEmpty { seal() }
        return Column(
            isText: isText, dictionary: dictionary.finish(), chunks: chunks,
            emptyTexts: emptyTexts)
    }
}

extension UnsafeRawBufferPointer {
    /// The prefix of a long text that sorting and search use, cut between scalars.
    var keyText: UnsafeRawBufferPointer {
        count > Limits.bytesPerKeyText ? cut(toBytes: Limits.bytesPerKeyText) : self
    }

    /// True of every such prefix that was cut: `cut` leaves out three bytes of a scalar at most.
    var mayBeCutKey: Bool { count >= Limits.bytesPerKeyText - 3 }
}
