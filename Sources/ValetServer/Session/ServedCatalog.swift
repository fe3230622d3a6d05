import ValetArrangement
import ValetModel

/// A catalog whose names are found in one step, however many there are: requests name lists and
/// columns on the event loop.
struct ServedCatalog: Sendable {
    let description: Catalog
    let lists: [ListHandle]
    private let names: NameIndex
    private let namesLeftOut: NameIndex

    init(_ catalog: Catalog) {
        description = catalog
        lists = catalog.lists.enumerated().map { ListHandle(number: $0, $1) }
        names = NameIndex(catalog.lists.map(\.name))
        namesLeftOut = NameIndex(catalog.leftOut.map(\.name))
    }

    subscript(name: String) -> ListHandle? { names[name].map { lists[$0] } }

    func list(named name: String) throws(ValetError) -> ListHandle {
        if let list = self[name] { return list }
        let leftOut = namesLeftOut[name].map { description.leftOut[$0] }
        throw description.unknownList(name, leftOut: leftOut)
    }
}

/// A list of a catalog, with what requests look up in it.
struct ListHandle: Sendable {
    let number: Int
    let description: ListDescription
    private let columns: NameIndex
    /// Groupings, then columns: so a column's exact name comes before a grouping's folded one.
    private let groupings: NameIndex
    private let filter: Result<Filter?, ValetError>
    /// nil if the catalog's conditions can't be tested.
    let listedRows: ListedRows?

    init(number: Int, _ description: ListDescription) {
        self.number = number
        self.description = description
        let names = description.columns.map(\.name)
        columns = NameIndex(names)
        groupings = NameIndex(description.groupings.map(\.name) + names)
        filter = Result { () throws(ValetError) in try description.filter() }
        listedRows = try? ListedRows(of: description)
    }

    /// What all rows of the list pass; nil if its catalog names no conditions.
    func listFilter() throws(ValetError) -> Filter? { try filter.get() }

    func column(named name: String) throws(ValetError) -> Int {
        guard let column = columns[name] else { throw description.unknownColumn(name) }
        return column
    }

    /// Columns by name, without duplicates; all columns if none is named.
    func columns(named names: [String]) throws(ValetError) -> [Int] {
        guard !names.isEmpty else { return Array(description.columns.indices) }
        var seen: Set<Int> = []
        var columns: [Int] = []
        for name in names {
            let column = try column(named: name)
            if seen.insert(column).inserted { columns.append(column) }
        }
        return columns
    }

    enum NamedGrouping {
        case grouping(Grouping)
        case column(Int)
    }

    /// A grouping of the catalog, or a column.
    func grouping(named name: String) throws(ValetError) -> NamedGrouping {
        let own = description.groupings
        guard let index = groupings[name] else {
            var seen: Set<String> = []
            let names = own.map(\.name) + description.columns.map(\.name)
            throw ValetError(
                .unknownGrouping, "“\(description.name)” has no grouping or column “\(name)”",
                alternatives: names.filter { seen.insert($0).inserted })
        }
        return index < own.count ? .grouping(own[index]) : .column(index - own.count)
    }
}
