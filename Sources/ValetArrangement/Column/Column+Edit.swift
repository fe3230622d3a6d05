import ValetModel

extension Column {
    /// The column with the value at `slot` replaced, or with one value appended.
    func setting(_ slot: UInt32, to cell: Cell) -> Column {
        var edit = ColumnEdit(of: self)
        edit.set(Int(slot), to: cell)
        return Column(
            isText: isText, defaultCode: defaultCode, dictionary: edit.dictionary,
            chunks: edit.chunks)
    }
}

/// The parts of a column that an edit replaces.
private struct ColumnEdit {
    private let isText: Bool
    private(set) var dictionary: ValueDictionary
    private(set) var chunks: ChunkVector<ColumnChunk>

    init(of column: Column) {
        isText = column.isText
        dictionary = column.dictionary
        chunks = column.chunks
    }

    mutating func set(_ slot: Int, to cell: Cell) {
        let (number, index) = slot.quotientAndRemainder(dividingBy: ColumnChunk.slots)
        if number == chunks.count { chunks.append(ColumnChunk([])) }
        let chunk = chunks[number]
        var value = plainValue(of: cell)
        if chunk.kind == .code { value = coded(value) }
        if let changed = chunk.setting(index, to: value) {
            chunks[number] = changed
            return
        }
        var values = (0..<chunk.count).map { chunk[$0] }
        if index == values.count { values.append(value) } else { values[index] = value }
        chunks[number] = ColumnChunk(homogeneous(values))
    }

    private mutating func plainValue(of cell: Cell) -> ChunkValue {
        switch cell {
        case .null: return .missing
        case .integer(let number): return isText ? coded(.integer(number)) : .integer(number)
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
