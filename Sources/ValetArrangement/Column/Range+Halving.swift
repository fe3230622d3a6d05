extension Range<Int> {
    /// The first number that is not before what is looked for, by halving; else the end. Numbers
    /// that are before stand in front of all others.
    @inline(__always)
    func firstNotBefore(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
