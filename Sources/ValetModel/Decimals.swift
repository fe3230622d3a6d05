/// Converts reals with a few decimal digits to integers scaled by a power of ten, and back.
package enum Decimals {
    package static let largestScale = 9
    /// Above all numbers: a double holds each integer below it.
    package static let end: Int64 = 1 << 53
    /// Indexed by scale. All are exact doubles, so number ÷ power rounds once and restores the real
    /// bit by bit.
    package static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    /// The integer from which `real` can be restored bit by bit; nil if there is none.
    package static func number(of real: Double, scale: Int) -> Int64? {
        let product = (real * powers[scale]).rounded()
        // NaN fails this test too.
        guard abs(product) < Double(end) else { return nil }
        let number = Int64(product)
        return (Double(number) / powers[scale]).bitPattern == real.bitPattern ? number : nil
    }

    /// The reals as integers at the smallest scale that restores each of them. NaN becomes nil and
    /// does not affect the scale.
    package static func numbers(of reals: [Double]) -> (scale: Int, numbers: [Int64?])? {
        var scale = 0
        for real in reals where !real.isNaN {
            while number(of: real, scale: scale) == nil {
                scale += 1
                if scale > largestScale { return nil }
            }
        }
        var numbers: [Int64?] = []
        numbers.reserveCapacity(reals.count)
        for real in reals {
            // A larger scale can lose a real that a smaller one kept, because the product rounds.
            let number = number(of: real, scale: scale)
            guard real.isNaN || number != nil else { return nil }
            numbers.append(number)
        }
        return (scale, numbers)
    }
}
