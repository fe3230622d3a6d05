extension Range where Bound: FixedWidthInteger {
    /// Binary search: the first number for which `isBefore` is false, or the end. The numbers for
    /// which it is true must come first.
    @inlinable
    package func firstNotBefore(_ isBefore: (Bound) -> Bool) -> Bound {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
