import ValetModel

/// The one total order of a list's rows under a specification.
struct RowComparator {
    private let cache: ColumnCache
    private let specification: ArrangementSpecification
    private let sectionColumn: Column?
    private let orderColumns: [Column]

    init(cache: ColumnCache, specification: ArrangementSpecification) {
        self.cache = cache
        self.specification = specification
        sectionColumn = specification.sectionColumn.map(cache.column)
        orderColumns = specification.rowOrder.map { cache.column($0.column) }
    }

    /// −1, 0 or 1: where `left` stands from `right`. 0 only for the same slot.
    func compare(_ left: UInt32, _ right: UInt32) -> Int {
        let sections = compareSections(left, right)
        if sections != 0 { return sections }
        for (column, key) in zip(orderColumns, specification.rowOrder) {
            let order = column.compare(
                column[left], column[right], isDescending: key.isDescending)
            if order != 0 { return order }
        }
        return NumberOrder.compare(cache.rowID(of: left), cache.rowID(of: right))
    }

    func isSameSection(_ left: UInt32, _ right: UInt32) -> Bool {
        specification.isFlat || compareSections(left, right) == 0
    }

    private func compareSections(_ left: UInt32, _ right: UInt32) -> Int {
        guard let column = sectionColumn else { return 0 }
        let isDescending = specification.isDescending
        if specification.expression == .wholeValue {
            return column.compare(column[left], column[right], isDescending: isDescending)
        }
        return SectionKey.compare(
            key(of: left, in: column), key(of: right, in: column), isDescending: isDescending)
    }

    private func key(of slot: UInt32, in column: Column) -> SectionKey {
        SectionKey(column[slot], specification.expression, in: column.dictionary)
    }
}
