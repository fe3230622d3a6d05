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

    /// The chunk with the value at `index` replaced or, past the end, appended; nil if the chunk's
    /// form can't hold that value.
    func setting(_ index: Int, to value: ChunkValue) -> ColumnChunk? {
        var copy = self
        switch (storage, value) {
        case (.bytes(var values), _):
            guard let offset = offset(of: value).flatMap(UInt8.init(exactly:)) else { return nil }
            values.put(offset, at: index)
            copy.storage = .bytes(values)
        case (.shorts(var values), _):
            guard let offset = offset(of: value).flatMap(UInt16.init(exactly:)) else { return nil }
            values.put(offset, at: index)
            copy.storage = .shorts(values)
        case (.words(var values), _):
            guard let offset = offset(of: value).flatMap(UInt32.init(exactly:)) else { return nil }
            values.put(offset, at: index)
            copy.storage = .words(values)
        case (.longs(var values), .integer(let number)) where number != base:
            values.put(number, at: index)
            copy.storage = .longs(values)
        case (.longs(var values), .missing):
            values.put(base, at: index)
            copy.storage = .longs(values)
        case (.reals(var values), .real(let real)):
            values.put(real, at: index)
            copy.storage = .reals(values)
        case (.reals(var values), .missing):
            values.put(.nan, at: index)
            copy.storage = .reals(values)
        case (.longs, _), (.reals, _):
            return nil
        }
        return copy
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

extension Array {
    fileprivate mutating func put(_ element: Element, at index: Int) {
        if index == count { append(element) } else { self[index] = element }
    }
}
