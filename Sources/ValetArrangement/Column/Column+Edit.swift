import ValetModel

/// A column during a batch of changes: chunks that no other column has are changed in place.
struct ColumnEdit {
    private let isText: Bool
    private var dictionary: ValueDictionary
    private var chunks: ChunkVector<ColumnChunk>
    private var replacedCodes: Int
    private var emptyTexts: SlotSet

    init(of column: Column) {
        isText = column.isText
        dictionary = column.dictionary
        chunks = column.chunks
        replacedCodes = column.replacedCodes
        emptyTexts = column.emptyTexts
    }

    var column: Column {
        Column(
            isText: isText, dictionary: dictionary, chunks: chunks, replacedCodes: replacedCodes,
            emptyTexts: emptyTexts)
    }

    /// Replaces the value at `slot`, or appends one.
    mutating func set(_ slot: UInt32, to cell: Cell) {
        let (number, index) = Int(slot).quotientAndRemainder(dividingBy: ColumnChunk.slots)
        if number == chunks.count { chunks.append(ColumnChunk([])) }
        emptyTexts.set(slot, to: cell == .text(""))
        var value = plainValue(of: cell)
        if chunks[number].kind == .code { value = coded(value) }
        if index < chunks[number].count, case .code = chunks[number][index] { replacedCodes += 1 }
        if chunks[number].set(index, to: value) { return }
        var values = (0..<chunks[number].count).map { chunks[number][$0] }
        if index == values.count { values.append(value) } else { values[index] = value }
        chunks[number] = ColumnChunk(homogeneous(values))
    }

    private mutating func plainValue(of cell: Cell) -> ChunkValue {
        switch cell {
        case .null: return .missing
        case .integer(let number): return isText ? coded(.integer(number)) : .integer(number)
        // SQLite stores it as NULL.
        case .real(let real) where real.isNaN: return .missing
        case .real(let real): return isText ? coded(.real(real)) : .real(real)
        case .text(let text), .cutText(let text, _):
            return text.isEmpty ? .missing : .code(dictionary.code(ofText: Array(text.utf8)))
        case .malformedText(let bytes, _): return .code(dictionary.code(ofText: bytes))
        case .blob(_, let byteCount):
            return .code(dictionary.code(of: .blob(byteCount: byteCount)))
        }
    }

    private mutating func coded(_ value: ChunkValue) -> ChunkValue {
        switch value {
        case .missing, .code: return value
        case .integer(let number): return .code(dictionary.code(of: .integer(number)))
        case .real(let real): return .code(dictionary.code(of: .real(bits: real.bitPattern)))
        }
    }

    /// Makes the values fit one chunk: if their kinds differ, all get codes.
    private mutating func homogeneous(_ values: [ChunkValue]) -> [ChunkValue] {
        guard ChunkKinds(of: values).isMixed else { return values }
        return values.map { coded($0) }
    }
}
