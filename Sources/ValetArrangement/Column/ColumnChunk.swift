import ValetModel

/// The values of 4,096 consecutive slots, in the narrowest exact form.
///
/// Codes, integers and decimals are stored as offsets: 0 is missing, n is base + n − 1. A year
/// takes one byte, a time of parking four, a tank's 42.5 litres two. Values that do not fit an
/// offset of 32 bits are stored plain.
package struct ColumnChunk: Sendable {
    package static let slots = 4_096

    enum Kind: Equatable, Sendable {
        case code
        case integer
        /// The value is the number ÷ 10^scale.
        case decimal(scale: Int)
        case real
    }

    enum Storage: Equatable, Sendable {
        case bytes([UInt8])
        case shorts([UInt16])
        case words([UInt32])
        /// Plain integers; `base` marks a missing value and equals none of them.
        case longs([Int64])
        /// Missing is NaN, which SQLite never stores.
        case reals([Double])
    }

    let kind: Kind
    let base: Int64
    var storage: Storage

    package var count: Int {
        switch storage {
        case .bytes(let values): values.count
        case .shorts(let values): values.count
        case .words(let values): values.count
        case .longs(let values): values.count
        case .reals(let values): values.count
        }
    }

    /// Approximate memory use.
    var byteCount: Int {
        let width =
            switch storage {
            case .bytes: 1
            case .shorts: 2
            case .words: 4
            case .longs, .reals: 8
            }
        return count * width + 64
    }

    @inline(__always)
    subscript(index: Int) -> ChunkValue {
        switch storage {
        case .bytes(let values): value(ofOffset: UInt32(values[index]))
        case .shorts(let values): value(ofOffset: UInt32(values[index]))
        case .words(let values): value(ofOffset: values[index])
        case .longs(let values): values[index] == base ? .missing : .integer(values[index])
        case .reals(let values): values[index].isNaN ? .missing : .real(values[index])
        }
    }

    @inline(__always)
    private func value(ofOffset offset: UInt32) -> ChunkValue {
        if offset == 0 { return .missing }
        let number = base + (Int64(offset) - 1)
        switch kind {
        case .code: return .code(UInt32(truncatingIfNeeded: number))
        case .integer: return .integer(number)
        case .decimal(let scale): return .real(Double(number) / Decimals.powers[scale])
        case .real: preconditionFailure("reals are stored plain")
        }
    }

    /// Replaces the value at `index` or, at the end, appends it.
    ///
    /// - Returns: false if the chunk's form can't hold the value.
    mutating func set(_ index: Int, to value: ChunkValue) -> Bool {
        switch storage {
        case .bytes(let values):
            put(
                offset(of: value).flatMap(UInt8.init(exactly:)), at: index, in: values,
                Storage.bytes)
        case .shorts(let values):
            put(
                offset(of: value).flatMap(UInt16.init(exactly:)), at: index, in: values,
                Storage.shorts)
        case .words(let values):
            put(
                offset(of: value).flatMap(UInt32.init(exactly:)), at: index, in: values,
                Storage.words)
        case .longs(let values): put(long(of: value), at: index, in: values, Storage.longs)
        case .reals(let values): put(plainReal(of: value), at: index, in: values, Storage.reals)
        }
    }

    private mutating func put<Element>(
        _ element: Element?, at index: Int, in values: consuming [Element],
        _ form: ([Element]) -> Storage
    ) -> Bool {
        guard let element else { return false }
        // Lets go of the array, which is then changed in place if nobody else has it.
        storage = .bytes([])
        if index == values.count { values.append(element) } else { values[index] = element }
        storage = form(values)
        return true
    }

    private func long(of value: ChunkValue) -> Int64? {
        switch value {
        case .missing: base
        case .integer(let number): number == base ? nil : number
        case .real, .code: nil
        }
    }

    private func plainReal(of value: ChunkValue) -> Double? {
        switch value {
        case .missing: .nan
        case .real(let real): real
        case .integer, .code: nil
        }
    }

    private func offset(of value: ChunkValue) -> Int64? {
        switch (value, kind) {
        case (.missing, .code), (.missing, .integer), (.missing, .decimal): return 0
        case (.code(let code), .code):
            // A code below the base would read as missing.
            return Int64(code) < base ? nil : Int64(code) - base + 1
        case (.integer(let number), .integer):
            let (difference, overflow) = number.subtractingReportingOverflow(base)
            return overflow || difference < 0 || difference == .max ? nil : difference + 1
        case (.real(let real), .decimal(let scale)):
            guard let number = Decimals.number(of: real, scale: scale), number >= base else {
                return nil
            }
            return number - base + 1
        case (.missing, .real), (.code, _), (.integer, _), (.real, _): return nil
        }
    }
}
