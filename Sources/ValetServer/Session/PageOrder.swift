import OrderedCollections
import ValetArrangement
import ValetModel
import ValetProtocol

/// The columns in a view's pages, and the number that stands for them in page names.
struct Projection: Hashable, Sendable {
    static let numberBits = 16
    /// Stands for all columns when a list has run out of numbers.
    static let wholeRowNumber: UInt16 = 0

    var number: UInt16
    var columns: [Int]
}

/// A page to send: its name, and what to read for it.
struct PageOrder: Equatable, Sendable {
    let name: PageName
    let list: Int
    let columns: [Int]
    let rowIDs: [Int64]
    /// Where the columns in memory have the rows, until they are compacted.
    let slots: [UInt32]
    /// The revision that the page must be read at, since its name stands for that.
    let revision: UInt64
    /// What it is read from; nil for the newest rows.
    let pin: Pin?

    init(_ leaf: OrderTree.LeafPlace, from shown: ShownRows) {
        name = Self.name(leaf, shown.projection)
        list = shown.list
        columns = shown.projection.columns
        slots = leaf.slots
        rowIDs = shown.rows.cache.rowIDs(of: slots)
        revision = shown.revision
        pin = shown.pin
    }

    /// A leaf's number is never reused for other rows or cells, so the name isn't, either.
    static func name(_ leaf: OrderTree.LeafPlace, _ projection: Projection) -> PageName {
        PageName(rawValue: leaf.number << UInt64(Projection.numberBits) | UInt64(projection.number))
    }
}

/// The numbers of a list's projections, in page names.
///
/// A number is never given again, since clients may still hold pages that it names. Only the
/// columns that were asked for last are remembered; columns that were forgotten get another number.
struct Projections {
    /// Most recently asked for last.
    private var numbers: OrderedDictionary<[Int], UInt16> = [:]
    private var last = Projection.wholeRowNumber
    /// Those that are never forgotten: all columns of those who may not see others.
    private var kept: [[Int]: UInt16] = [:]

    /// What there is even when no number is left.
    mutating func keep(_ columns: [Int]) {
        guard kept[columns] == nil, last < .max else { return }
        last += 1
        kept[columns] = last
    }

    /// nil when there is no number left.
    ///
    /// - Parameter left: how many new numbers whoever asks may still get, so that nobody takes them
    ///   all.
    mutating func number(of columns: [Int], left: inout Int) -> UInt16? {
        if let known = kept[columns] { return known }
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
