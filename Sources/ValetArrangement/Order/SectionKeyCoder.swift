import ValetModel

/// The twin of `SortKeyCoder` for sections by less than the whole value.
struct SectionKeyCoder {
    let bits: Int
    private let column: Column
    private let expression: SectionExpression
    private let isDescending: Bool
    /// Keys by dictionary code, so that a text is looked at once.
    private let table: [SectionKey]
    private let missing: SectionKey
    private let lowest: Int64
    private let highest: Int64

    init(_ column: Column, _ expression: SectionExpression, isDescending: Bool) {
        self.column = column
        self.expression = expression
        self.isDescending = isDescending
        let dictionary = column.dictionary
        table = (0..<UInt32(dictionary.count)).map {
            SectionKey(column.value(of: $0), expression, in: dictionary)
        }
        missing = column.defaultCode.map { [table] in table[Int($0)] } ?? .missing
        var lowest = Int64.max
        var highest = Int64.min
        func widen(_ key: SectionKey) {
            guard case .number(let number) = key else { return }
            lowest = min(lowest, number)
            highest = max(highest, number)
        }
        table.forEach(widen)
        Self.forEachNumber(of: column) { widen(SectionKey($0, expression, in: dictionary)) }
        (self.lowest, self.highest) = lowest <= highest ? (lowest, highest) : (0, 0)
        let keys = UInt64(self.highest - self.lowest) + 2
        bits = UInt64.bitWidth - keys.leadingZeroBitCount
    }

    private static func forEachNumber(of column: Column, _ body: (KeyValue) -> Void) {
        for index in 0..<column.chunks.count where column.chunks[index].kind != .code {
            let chunk = column.chunks[index]
            for place in 0..<chunk.count {
                switch chunk[place] {
                case .integer(let number): body(.integer(number))
                case .real(let real): body(.real(real))
                case .missing, .code: break
                }
            }
        }
    }

    func forEachKey(_ body: (_ slot: Int, _ key: UInt64) -> Void) {
        var slot = 0
        for index in 0..<column.chunks.count {
            let chunk = column.chunks[index]
            for place in 0..<chunk.count {
                body(slot, code(key(of: chunk[place])))
                slot += 1
            }
        }
    }

    private func key(of value: ChunkValue) -> SectionKey {
        switch value {
        case .missing: missing
        case .code(let code): table[Int(code)]
        case .integer(let number):
            SectionKey(.integer(number), expression, in: column.dictionary)
        case .real(let real): SectionKey(.real(real), expression, in: column.dictionary)
        }
    }

    private func code(_ key: SectionKey) -> UInt64 {
        switch key {
        case .number(let number): UInt64(isDescending ? highest - number : number - lowest)
        case .noLetter: UInt64(highest - lowest) + 1
        case .missing: UInt64(highest - lowest) + 2
        }
    }
}
