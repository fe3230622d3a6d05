import ValetArrangement
import ValetModel
import ValetStore

/// A catalog, as somebody may see it, whose names are found in one step, however many there are:
/// requests name lists and columns on the event loop.
///
/// This is where names become lists and columns: what a station may not see has no name here.
struct ServedCatalog: Sendable {
    /// As clients are told.
    let description: Catalog
    /// In the order of `description`.
    let handles: [ListHandle]
    private let names: NameIndex
    private let namesLeftOut: NameIndex
    /// Makes other epochs of the server's, where columns have other numbers than for everyone; 0
    /// where they have the same ones.
    let epochMark: UInt64
    /// Whether what concerns the whole server may be seen.
    let isForAdministrators: Bool
    /// Whether everything of the file may be seen.
    let isWhole: Bool

    /// For those who are not known yet.
    static let nothing = ServedCatalog(Catalog(lists: []))

    /// For those who may see everything.
    init(_ catalog: Catalog) {
        self.init(
            catalog.lists.enumerated().map { ListHandle(number: $0, $1) }, leftOut: catalog)
    }

    /// - Parameters:
    ///   - whole: the same catalog, for everyone.
    ///   - failed: called with lists whose access can't be enforced, which are left out.
    init(
        _ catalog: Catalog, whole: ServedCatalog, for access: PrincipalAccess,
        failed: (String, ValetError) -> Void
    ) {
        var seen: [(whole: ListHandle, allowed: AllowedList?)] = []
        for handle in whole.handles {
            let name = handle.description.name
            guard let rules = access[name], rules.rights.contains(.see) else { continue }
            do throws(ValetError) {
                let seesEverything = access.seesEverything
                let allowed =
                    seesEverything && rules == ListAccess(rights: .all)
                    ? nil
                    : try rules.allowing(
                        handle.description,
                        unseen: whole.titlesUnseen(in: handle.description, by: access),
                        seesEverything: seesEverything)
                seen.append((handle, allowed))
            } catch {
                failed(name, error)
            }
        }
        let names = NameIndex(seen.map(\.whole.description.name))
        let has = { (list: String, column: String?) -> Bool in
            guard let found = names[list].map({ seen[$0] }) else { return false }
            guard let column else { return true }
            guard let number = try? found.whole.column(named: column) else { return false }
            return !(found.allowed?.hidden.contains(number) ?? false)
        }
        let handles = seen.map { handle, allowed in
            let isAllSeen = handle.description.leading(onlyTo: has) == handle.description
            return isAllSeen && allowed == nil
                ? handle
                : ListHandle(handle, allowed, onlyTo: has)
        }
        self.init(
            handles, leftOut: access.isAdministrator ? catalog : nil,
            isForAdministrators: access.isAdministrator, isWhole: access.seesEverything)
    }

    private init(
        _ handles: [ListHandle], leftOut: Catalog?, isForAdministrators: Bool = true,
        isWhole: Bool = true
    ) {
        self.isWhole = isWhole
        self.handles = handles
        self.isForAdministrators = isForAdministrators
        description = Catalog(
            lists: handles.map(\.description), leftOut: leftOut?.leftOut ?? [],
            leftOutCount: leftOut?.leftOutCount ?? 0)
        names = NameIndex(handles.map(\.description.name))
        namesLeftOut = NameIndex(description.leftOut.map(\.name))
        var words: [UInt8] = []
        for handle in handles where handle.shown != nil {
            let columns = handle.description.columns.map(\.name)
            for name in [handle.description.name] + columns { words += Array(name.utf8) + [0] }
        }
        // The same after a restart.
        epochMark = words.isEmpty ? 0 : ValueDigest(of: words).hash
    }

    /// The columns of titles of rows that may not be seen, or not with these.
    private func titlesUnseen(in list: ListDescription, by access: PrincipalAccess) -> Set<Int> {
        Set(
            list.columns.indices.filter { column in
                guard let key = list.columns[column].keyColumn,
                    let reference = list.columns[key].reference
                else { return false }
                guard let other = self[name: reference.list]?.description,
                    let rules = access[other.name], rules.rights.contains(.see),
                    rules.conditions.isEmpty
                else { return true }
                let names = other.columns.naming(
                    titleColumn: other.titleColumn, beside: reference.column)
                let told = names.map { other.columns[$0].name } + [reference.column]
                let hidden = NameIndex(rules.hidden)
                return told.contains { $0.map { hidden[$0] != nil } ?? false }
            })
    }

    subscript(name name: String) -> ListHandle? { names[name].map { handles[$0] } }

    func list(named name: String) throws(ValetError) -> ListHandle {
        if let list = self[name: name] { return list }
        let leftOut = namesLeftOut[name].map { description.leftOut[$0] }
        throw description.unknownList(name, leftOut: leftOut)
    }

    /// Whether there is a list that may be changed.
    var mayChange: Bool {
        handles.contains { !($0.allowed?.rights.isDisjoint(with: .change) ?? false) }
    }
}

/// A list of a catalog, as somebody may see it, with what requests look up in it.
final class ListHandle: Sendable {
    let number: Int
    /// As clients are told; its columns have the numbers that clients know.
    let description: ListDescription
    /// The same with the columns of the table. What is asked is resolved with these.
    let table: ListDescription
    /// nil for everything.
    let allowed: AllowedList?
    /// The columns of the table that there are for the client, in order; nil for all.
    let shown: [Int]?
    private let columns: NameIndex
    /// Groupings, then columns: so a column's exact name comes before a grouping's folded one.
    private let groupings: NameIndex
    private let filter: Result<Filter?, ValetError>
    /// nil if all rows of the table are seen, or if the catalog's conditions can't be tested.
    let listedRows: ListedRows?

    /// For those who may see everything.
    init(number: Int, _ description: ListDescription) {
        self.number = number
        (self.description, table) = (description, description)
        (allowed, shown) = (nil, nil)
        let names = description.columns.map(\.name)
        columns = NameIndex(names)
        groupings = NameIndex(description.groupings.map(\.name) + names)
        let rows = Result { () throws(ValetError) in try ListedRows(of: description) }
        filter = rows.map { $0?.filter }
        listedRows = (try? rows.get()) ?? nil
    }

    /// For others.
    ///
    /// - Parameters:
    ///   - whole: the same list, for everyone.
    ///   - has: whether there is a list of that name, with a column if one is named: what leads to
    ///     others goes.
    init(_ whole: ListHandle, _ allowed: AllowedList?, onlyTo has: (String, String?) -> Bool) {
        number = whole.number
        table = allowed?.list ?? whole.table
        self.allowed = allowed
        let hidden = allowed?.hidden ?? []
        let shown =
            hidden.isEmpty ? nil : table.columns.indices.filter { !hidden.contains($0) }
        self.shown = shown
        description = (shown.map(table.keeping) ?? table).leading(onlyTo: has)
        let names = description.columns.map(\.name)
        columns = NameIndex(names)
        groupings = NameIndex(description.groupings.map(\.name) + names)
        filter = allowed.map { .success($0.rows?.filter) } ?? whole.filter
        listedRows = allowed.map(\.rows) ?? whole.listedRows
    }

    /// What all rows of the list pass; nil if its catalog names no conditions.
    func listFilter() throws(ValetError) -> Filter? { try filter.get() }

    /// The table's number of a column.
    func column(named name: String) throws(ValetError) -> Int {
        guard let column = columns[name] else { throw description.unknownColumn(name) }
        return shown?[column] ?? column
    }

    /// Columns of the table by name, without duplicates; all columns if none is named.
    func columns(named names: [String]) throws(ValetError) -> [Int] {
        guard !names.isEmpty else { return shown ?? Array(table.columns.indices) }
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

    /// A grouping of the catalog, or a column; with the table's columns.
    func grouping(named name: String) throws(ValetError) -> NamedGrouping {
        let own = table.groupings
        guard let index = groupings[name] else {
            var seen: Set<String> = []
            let names = own.map(\.name) + description.columns.map(\.name)
            throw ValetError(
                .unknownGrouping, "“\(description.name)” has no grouping or column “\(name)”",
                alternatives: names.filter { seen.insert($0).inserted })
        }
        if index < own.count { return .grouping(own[index]) }
        let column = index - own.count
        return .column(shown?[column] ?? column)
    }
}

/// Within one opening of the file.
extension ListHandle: Equatable {
    static func == (one: ListHandle, other: ListHandle) -> Bool {
        one.number == other.number && one.allowed == other.allowed
    }
}
