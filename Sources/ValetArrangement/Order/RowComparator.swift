import ValetModel

/// The total order of a list's rows under a specification.
struct RowComparator {
    let cache: ColumnCache
    private let specification: ArrangementSpecification
    private let sectionColumn: Column?
    private let orderColumns: [(column: Column, isDescending: Bool)]

    init(cache: ColumnCache, specification: ArrangementSpecification) {
        self.cache = cache
        self.specification = specification
        sectionColumn = specification.sectionColumn.map(cache.column)
        orderColumns = specification.rowOrder.map { (cache.column($0.column), $0.isDescending) }
    }

    /// The sort keys of one row, read once to be compared with many rows.
    struct Place {
        fileprivate let section: Section
        fileprivate let values: [KeyValue]
        fileprivate let rowID: Int64
    }

    fileprivate enum Section {
        case none
        case value(KeyValue)
        case key(SectionKey)
    }

    func place(of slot: UInt32) -> Place {
        Place(
            section: section(of: slot), values: orderColumns.map { $0.column[slot] },
            rowID: cache.rowID(of: slot))
    }

    /// −1, 0 or 1 as `slot` sorts before, at or after `place`. 0 only for the row of `place`.
    func compare(_ slot: UInt32, _ place: Place) -> Int {
        let sections = compare(section(of: slot), place.section)
        if sections != 0 { return sections }
        for index in orderColumns.indices {
            let (column, isDescending) = orderColumns[index]
            let order = column.compare(
                column[slot], place.values[index], isDescending: isDescending)
            if order != 0 { return order }
        }
        return NumberOrder.compare(cache.rowID(of: slot), place.rowID)
    }

    func isSameSection(_ left: UInt32, _ right: UInt32) -> Bool {
        specification.isFlat || compare(section(of: left), section(of: right)) == 0
    }

    private func section(of slot: UInt32) -> Section {
        guard let column = sectionColumn else { return .none }
        let value = column[slot]
        if specification.expression == .wholeValue { return .value(value) }
        return .key(
            SectionKey(
                value, specification.expression, zone: specification.zone, in: column.dictionary))
    }

    private func compare(_ left: Section, _ right: Section) -> Int {
        switch (left, right) {
        case (.value(let a), .value(let b)):
            sectionColumn!.compare(a, b, isDescending: specification.isDescending)
        case (.key(let a), .key(let b)):
            SectionKey.compare(a, b, isDescending: specification.isDescending)
        case (.none, _), (.value, _), (.key, _): 0
        }
    }
}
