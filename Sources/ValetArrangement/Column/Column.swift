import ValetModel

/// One column of a list, by slot: chunks of values, and the dictionary of what is not a number.
package struct Column: Sendable {
    /// Text columns show, sort and find what is missing as their default text.
    package let isText: Bool
    /// The default's code, in text columns.
    let defaultCode: UInt32?
    package private(set) var dictionary: ValueDictionary
    private(set) var chunks: ChunkVector<ColumnChunk>

    init(
        isText: Bool, defaultCode: UInt32?, dictionary: ValueDictionary,
        chunks: ChunkVector<ColumnChunk>
    ) {
        self.isText = isText
        self.defaultCode = defaultCode
        self.dictionary = dictionary
        self.chunks = chunks
    }

    /// The value that order, sections and search see: a missing text is the default's.
    package subscript(slot: UInt32) -> KeyValue {
        let place = Int(slot)
        return resolve(chunks[place / ColumnChunk.slots][place % ColumnChunk.slots])
    }

    private func resolve(_ value: ChunkValue) -> KeyValue {
        switch value {
        case .missing: return defaultCode.map { .text(code: $0) } ?? .missing
        case .integer(let number): return .integer(number)
        case .real(let real): return .real(real)
        case .code(let code): return dictionary.isAllText ? .text(code: code) : self.value(of: code)
        }
    }

    /// What a code stands for.
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

    /// Changes the value of `slot`, or adds one for the slot behind the last.
    mutating func set(_ slot: UInt32, to cell: Cell) {
        let place = Int(slot)
        let (number, index) = place.quotientAndRemainder(dividingBy: ColumnChunk.slots)
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

    /// Values that one chunk can hold: if they are of several kinds, all get codes.
    private mutating func homogeneous(_ values: [ChunkValue]) -> [ChunkValue] {
        guard ChunkKinds(of: values).isMixed else { return values }
        return values.map { coded($0) }
    }
}

/// Which kinds of value a chunk has, missing left out.
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

    var isMixed: Bool {
        hasIntegers && hasReals || hasIntegers && hasCodes || hasReals && hasCodes
    }
}
