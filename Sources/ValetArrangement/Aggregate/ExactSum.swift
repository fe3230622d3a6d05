import ValetModel

/// The exact sum and mean of integers and reals in any order, rounded at most once.
package struct ExactSum: Sendable {
    /// The numbers added.
    package private(set) var count: UInt64 = 0
    /// The sum of the integers: 2⁶⁴ of them fit.
    private var whole: Int128 = 0
    /// The sum of the reals; nil until there is one.
    private var reals: RealSum?

    package init() {}

    /// Adds `number` as often as `times` says.
    @inline(__always)
    package mutating func add(_ number: Int64, times: UInt32 = 1) {
        count += UInt64(times)
        whole += Int128(number) * Int128(times)
    }

    @inline(__always)
    package mutating func add(_ real: Double, times: UInt32 = 1) {
        count += UInt64(times)
        if reals == nil { reals = RealSum() }
        reals?.add(real, times: times)
    }

    /// An integer if all numbers are, else a real; infinite beyond the greatest one.
    package var sum: AggregateValue {
        guard count > 0 else { return .none }
        return reals == nil ? AggregateValue(whole) : rounded(dividedBy: 1)
    }

    /// A real.
    package var mean: AggregateValue { count > 0 ? rounded(dividedBy: count) : .none }

    private func rounded(dividedBy divisor: UInt64) -> AggregateValue {
        var total = reals ?? RealSum()
        total.add(whole)
        return total.quotient(by: divisor).map { .cell(.real($0)) } ?? .none
    }
}
