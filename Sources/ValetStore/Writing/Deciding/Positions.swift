import ValetModel

/// A row of a manual order.
struct PositionedRow: Hashable {
    let rowID: Int64
    let position: Cell
}

/// The rows on one side of a gap in a manual order, nearest first.
struct NearbyRows: Equatable {
    var rows: [PositionedRow]
    /// True if there are no more. If false, there is at least one row.
    var isAll: Bool
}

/// New positions for the rows that move into a gap.
struct Placing: Equatable {
    var positions: [Cell]
    /// Rows around the gap with their new positions, in order.
    var renumbered: [PositionedRow]
}

/// The numbers of a manual order, and how to make room between them.
///
/// Rows that are added at an end are `step` apart, so that a gap can be halved sixteen times. When
/// a gap is used up, the rows around it are spread out: as few as give each enough room, and at
/// most `Limits.rowsRenumbered` on each side, so that no move costs more in a longer list.
struct Positions {
    /// False for whole numbers.
    let isReal: Bool

    static let step: Int64 = 1 << 16
    /// The smallest distance of renumbered rows, if there is room.
    private static let wantedGap = 16
    private static let fewestRenumbered = 4

    /// Positions for `count` rows; nil if there is no room.
    func place(_ count: Int, between before: NearbyRows, and behind: NearbyRows) -> Placing? {
        let behind = behind.untilOneWithoutNumber
        let most = max(before.mostRenumbered, behind.mostRenumbered)
        var size = 0
        while true {
            let gap = size > 0 && size < most ? Positions.wantedGap : 1
            let placing = place(count, between: before, and: behind, renumbering: size, gap: gap)
            if let placing { return placing }
            if size == most { return nil }
            size = min(max(size * 2, Positions.fewestRenumbered), most)
        }
    }

    /// - Parameter size: how many rows on each side get new positions, if there are so many.
    private func place(
        _ count: Int, between before: NearbyRows, and behind: NearbyRows, renumbering size: Int,
        gap: Int
    ) -> Placing? {
        let (left, right) = (min(size, before.mostRenumbered), min(size, behind.mostRenumbered))
        let lower = before.rows.dropFirst(left).first?.position
        let upper = behind.rows.dropFirst(right).first?.position
        guard let numbers = numbers(left + count + right, above: lower, below: upper, gap: gap)
        else { return nil }
        let rows = before.rows[..<left].reversed() + behind.rows[..<right]
        let others = numbers[..<left] + numbers[(left + count)...]
        return Placing(
            positions: Array(numbers[left..<left + count]),
            renumbered: zip(rows, others).map { PositionedRow(rowID: $0.rowID, position: $1) })
    }

    /// Ascending numbers, evenly spread between two others. nil if that leaves them closer to each
    /// other than `gap`, in units of the last place, or if a bound is no number of the column.
    ///
    /// - Parameters:
    ///   - lower, upper: nil at an end of the order.
    func numbers(_ count: Int, above lower: Cell?, below upper: Cell?, gap: Int = 1) -> [Cell]? {
        isReal
            ? reals(count, above: lower, below: upper, gap: gap)
            : integers(count, above: lower, below: upper, gap: gap)
    }

    private func integers(
        _ count: Int, above lower: Cell?, below upper: Cell?, gap: Int
    ) -> [Cell]? {
        let span = Int64(count + 1) * Positions.step
        let (low, high): (Int64, Int64)
        switch (lower, upper) {
        case (nil, nil): (low, high) = (0, span)
        case (.integer(let number), nil):
            let (sum, overflows) = number.addingReportingOverflow(span)
            (low, high) = (number, overflows ? .max : sum)
        case (nil, .integer(let number)):
            let (difference, overflows) = number.subtractingReportingOverflow(span)
            (low, high) = (overflows ? .min : difference, number)
        case (.integer(let one), .integer(let other)): (low, high) = (one, other)
        case _: return nil
        }
        guard low < high else { return nil }
        let distance = UInt64(bitPattern: high &- low) / UInt64(count + 1)
        guard distance >= gap else { return nil }
        return (0..<count).map {
            .integer(low &+ Int64(bitPattern: distance &* UInt64($0 + 1)))
        }
    }

    private func reals(_ count: Int, above lower: Cell?, below upper: Cell?, gap: Int) -> [Cell]? {
        let bounds = [lower, upper].compactMap(\.self)
        guard bounds.allSatisfy({ $0.real != nil }) else { return nil }
        let span = Double(count + 1) * Double(Positions.step)
        let (low, high): (Double, Double) =
            switch (lower?.real, upper?.real) {
            case (nil, nil): (0, span)
            case (let number?, nil): (number, number + span)
            case (nil, let number?): (number - span, number)
            case (let one?, let other?): (one, other)
            }
        let distance = (high - low) / Double(count + 1)
        guard distance.isFinite, distance >= Double(gap) * max(low.ulp, high.ulp) else {
            return nil
        }
        return (0..<count).map { .real(low + distance * Double($0 + 1)) }
    }
}

extension NearbyRows {
    /// The farthest row keeps its position, as a bound of the others, unless no more rows follow. A
    /// text or blob is a bound, too: it has an order of its own.
    fileprivate var mostRenumbered: Int {
        let usable = rows.prefix { $0.position.isNumber || $0.position == .null }.count
        return isAll || usable < rows.count ? usable : max(usable - 1, 0)
    }

    /// Rows without a number come last whatever the numbers of the others, so they are no bound.
    fileprivate var untilOneWithoutNumber: NearbyRows {
        guard let end = rows.firstIndex(where: { !$0.position.isNumber }) else { return self }
        return NearbyRows(rows: Array(rows[..<end]), isAll: true)
    }
}

extension Cell {
    var isNumber: Bool {
        switch self {
        case .integer, .real: true
        case .null, .text, .malformedText, .cutText, .blob: false
        }
    }

    /// nil if a real can't hold it exactly.
    fileprivate var real: Double? {
        switch self {
        case .integer(let number): Double(exactly: number)
        case .real(let number): number
        case .null, .text, .malformedText, .cutText, .blob: nil
        }
    }
}
