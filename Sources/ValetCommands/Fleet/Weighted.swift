import ValetModel

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

    func pick(with numbers: inout SeededNumbers) -> Value {
        let number = numbers.below(sums[sums.count - 1])
        return values[(0..<sums.count - 1).firstNotBefore { sums[$0] <= number }]
    }
}
