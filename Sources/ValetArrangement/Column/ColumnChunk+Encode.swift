import ValetModel

extension ColumnChunk {
    /// Picks the form for values that are all codes, all integers, or all reals; each form allows
    /// missing values. `Column` converts the numbers of a mixed chunk to codes first, so that 2 and
    /// 2.0 keep their spelling and large integers stay exact.
    init(_ values: [ChunkValue]) {
        var kind: Kind?
        var numbers: [Int64?] = []
        numbers.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .missing:
                numbers.append(nil)
            case .code(let code):
                precondition(kind == nil || kind == .code)
                kind = .code
                numbers.append(Int64(code))
            case .integer(let number):
                precondition(kind == nil || kind == .integer)
                kind = .integer
                numbers.append(number)
            case .real:
                precondition(kind == nil || kind == .real)
                kind = .real
            }
        }
        if kind == .real {
            self.init(reals: values)
        } else {
            self.init(kind: kind ?? .integer, numbers: numbers)
        }
    }

    /// Code + 1, or 0 for a missing value.
    init(codes: [UInt32]) {
        var lowest = UInt32.max
        var highest: UInt32 = 1
        for code in codes {
            // A missing value wraps around to the highest number.
            lowest = min(lowest, code &- 1)
            highest = max(highest, code)
        }
        // All values are missing: any base will do.
        if lowest == .max { lowest = 0 }
        let base = lowest
        func offsets<Offset: FixedWidthInteger>(_ type: Offset.Type) -> [Offset] {
            codes.map { $0 == 0 ? 0 : Offset(truncatingIfNeeded: $0 - base) }
        }
        let storage: Storage =
            switch highest - base {
            case ...UInt32(UInt8.max): .bytes(offsets(UInt8.self))
            case ...UInt32(UInt16.max): .shorts(offsets(UInt16.self))
            default: .words(offsets(UInt32.self))
            }
        self.init(kind: .code, base: Int64(base), storage: storage)
    }

    private init(kind: Kind, numbers: [Int64?]) {
        var lowest = Int64.max
        var highest = Int64.min
        for case let number? in numbers {
            lowest = min(lowest, number)
            highest = max(highest, number)
        }
        if lowest > highest { (lowest, highest) = (0, 0) }
        let (range, overflow) = highest.subtractingReportingOverflow(lowest)
        guard !overflow, range < Int64(UInt32.max) else {
            let missing = Self.unused(in: numbers)
            self.init(kind: kind, base: missing, storage: .longs(numbers.map { $0 ?? missing }))
            return
        }
        func offsets<Offset: FixedWidthInteger>(_ type: Offset.Type) -> [Offset] {
            numbers.map { $0.map { Offset($0 - lowest + 1) } ?? 0 }
        }
        let storage: Storage =
            if range < UInt8.max {
                .bytes(offsets(UInt8.self))
            } else if range < UInt16.max {
                .shorts(offsets(UInt16.self))
            } else {
                .words(offsets(UInt32.self))
            }
        self.init(kind: kind, base: lowest, storage: storage)
    }

    private static func unused(in numbers: [Int64?]) -> Int64 {
        let used = Set(numbers)
        return (0...Int64(numbers.count)).first { !used.contains($0) }!
    }

    private init(reals values: [ChunkValue]) {
        let reals = values.map { value -> Double in
            if case .real(let real) = value { real } else { .nan }
        }
        if let (scale, numbers) = Decimals.numbers(of: reals) {
            self.init(kind: .decimal(scale: scale), numbers: numbers)
            if case .longs = storage {} else { return }
        }
        self.init(kind: .real, base: 0, storage: .reals(reals))
    }
}
