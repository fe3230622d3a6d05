import ValetModel

/// Collects one column's values in slot order.
struct ColumnBuilder {
    private let isText: Bool
    private let defaultCode: UInt32?
    private var dictionary = DictionaryBuilder()
    private var chunks = ChunkVector<ColumnChunk>()
    private var pending: [ChunkValue] = []

    init(_ description: ColumnDescription, isText: Bool) {
        self.isText = isText
        pending.reserveCapacity(ColumnChunk.slots)
        guard isText else {
            defaultCode = nil
            return
        }
        defaultCode = dictionary.code(of: .text(Array(description.defaultText.utf8)))
    }

    mutating func append(_ value: BorrowedValue) {
        switch value {
        case .null: pending.append(.missing)
        case .integer(let number): pending.append(.integer(number))
        case .real(let real): pending.append(.real(real))
        case .text(let text) where text.isEmpty: pending.append(.missing)
        case .text(let text): pending.append(.code(dictionary.code(ofText: text.keyText)))
        case .blob(let byteCount):
            pending.append(.code(dictionary.code(of: .blob(byteCount: byteCount))))
        }
        if pending.count == ColumnChunk.slots { seal() }
    }

    private mutating func seal() {
        if isText || ChunkKinds(of: pending).isMixed {
            for index in pending.indices {
                switch pending[index] {
                case .missing, .code: break
                case .integer(let number):
                    pending[index] = .code(dictionary.code(of: .integer(number)))
                case .real(let real):
                    pending[index] = .code(dictionary.code(of: .real(bits: real.bitPattern)))
                }
            }
        }
        chunks.append(ColumnChunk(pending))
        pending.removeAll(keepingCapacity: true)
    }

    consuming func finish() -> Column {
        if !pending.isEmpty { seal() }
        return Column(
            isText: isText, defaultCode: defaultCode, dictionary: dictionary.finish(),
            chunks: chunks)
    }
}

extension UnsafeRawBufferPointer {
    /// The beginning of a long text that order and search look at, cut between scalars.
    var keyText: UnsafeRawBufferPointer {
        guard count > Limits.bytesPerKeyText else { return self }
        var end = Limits.bytesPerKeyText
        while end > Limits.bytesPerKeyText - 4, self[end] & 0xC0 == 0x80 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }
}
