import Collections
import ValetModel

/// The numbers of a list's projections, in page names.
///
/// A number is never given again, since clients may still hold pages that it names. Only the
/// columns that were asked for last are remembered; columns that were forgotten get another number.
struct Projections {
    /// Most recently asked for last.
    private var numbers: OrderedDictionary<[Int], UInt16> = [:]
    private var last = Projection.wholeRowNumber

    /// nil when there is no number left.
    ///
    /// - Parameter left: how many new numbers whoever asks may still get, so that nobody takes them
    ///   all.
    mutating func number(of columns: [Int], left: inout Int) -> UInt16? {
        if let known = numbers.removeValue(forKey: columns) {
            numbers[columns] = known
            return known
        }
        guard left > 0, last < .max else { return nil }
        left -= 1
        last += 1
        numbers[columns] = last
        if numbers.count > Limits.projectionsPerList { numbers.removeFirst() }
        return last
    }
}
