/// SplitMix64 (Steele, Lea and Flood 2014), and what the fleet draws from it.
///
/// Not the standard library's `random(in:using:)`: its way from bits to numbers may change with a
/// release, and the same seed must give the same fleet everywhere.
struct RandomNumbers {
    private var state: UInt64

    /// Numbers of their own for each `index` of each `seed`.
    init(seed: UInt64, index: Int) {
        state = Self.mixed(seed ^ Self.mixed(UInt64(bitPattern: Int64(index))))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// 0 ..< `bound`, by multiplication: the bias is below 2⁻³² for the bounds that the fleet has.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    mutating func happens(perThousand chance: Int) -> Bool {
        below(1_000) < chance
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// Values of which some come more often than others.
struct Weighted<Value: Sendable>: Sendable {
    let values: [Value]
    /// The weights of all values up to and with this one.
    private let sums: [Int]

    /// Each weight must be above 0, and there must be a value.
    init(_ weighted: [(value: Value, weight: Int)]) {
        precondition(!weighted.isEmpty && weighted.allSatisfy { $0.weight > 0 })
        values = weighted.map(\.value)
        var sum = 0
        sums = weighted.map {
            sum += $0.weight
            return sum
        }
    }

    /// By Zipf's law: each comes as often as one over its rank. Ranks begin at `first`; the higher,
    /// the more alike are the values.
    init(byRank values: [Value], from first: Int) {
        self.init(values.enumerated().map { ($0.element, max(1, 100_000 / ($0.offset + first))) })
    }

    func pick(with numbers: inout RandomNumbers) -> Value {
        let number = numbers.below(sums[sums.count - 1])
        var low = 0
        var high = sums.count - 1
        while low < high {
            let middle = (low + high) / 2
            if number < sums[middle] { high = middle } else { low = middle + 1 }
        }
        return values[low]
    }
}
