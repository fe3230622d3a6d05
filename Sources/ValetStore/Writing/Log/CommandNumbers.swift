import ValetModel

/// A set of numbers that forgets those far below the highest.
struct CommandNumbers: Equatable {
    private(set) var highest: Int64
    /// Bit `n` of the bytes is the number `highest - n`.
    private(set) var bits: [UInt8]

    private static let byteCount = Limits.commandsRemembered / 8

    /// - Parameter bits: may be short, or from a damaged file.
    init(highest: Int64 = 0, bits: [UInt8] = []) {
        self.highest = max(highest, 0)
        self.bits = Array(bits.prefix(Self.byteCount))
        self.bits += repeatElement(0, count: Self.byteCount - self.bits.count)
    }

    /// True for numbers that are too low to know, too.
    func contains(_ number: Int64) -> Bool {
        guard number <= highest else { return false }
        let age = highest - number
        guard age < Limits.commandsRemembered else { return true }
        return bits[Int(age) / 8] & 1 << UInt8(age % 8) != 0
    }

    /// - Parameter number: at least 1; a damaged file may hold others, which nobody asks for.
    mutating func insert(_ number: Int64) {
        guard number > 0 else { return }
        if number > highest {
            shift(by: number - highest)
            highest = number
        }
        let age = highest - number
        guard age < Limits.commandsRemembered else { return }
        bits[Int(age) / 8] |= 1 << UInt8(age % 8)
    }

    private mutating func shift(by distance: Int64) {
        guard distance < Limits.commandsRemembered else {
            bits = Array(repeating: 0, count: Self.byteCount)
            return
        }
        let (bytes, rest) = Int(distance).quotientAndRemainder(dividingBy: 8)
        var shifted = [UInt8](repeating: 0, count: Self.byteCount)
        for place in bytes..<Self.byteCount {
            let low = bits[place - bytes] << UInt8(rest)
            let carried = rest > 0 && place > bytes ? bits[place - bytes - 1] >> UInt8(8 - rest) : 0
            shifted[place] = low | carried
        }
        bits = shifted
    }
}
