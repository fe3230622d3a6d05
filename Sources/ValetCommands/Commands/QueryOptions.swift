import ArgumentParser
import ValetModel

struct QueryOptions: ParsableArguments {
    @Option(help: "Group by this grouping or column.", completion: NameCompletion.groupings)
    var group: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Sort by this column inside sections, downwards with a - before it; repeat it to "
                + "break ties.",
            valueName: "column"),
        completion: NameCompletion.columns)
    var sort: [String] = []

    @Flag(help: "Reverse the sort order.")
    var descending = false

    @OptionGroup var search: SearchOptions

    func validate() throws {
        if descending, sort.isEmpty { throw ValidationError("--descending needs --sort.") }
    }

    /// The query to a list, whose columns the conditions name.
    func query(of list: ListDescription) throws(ConditionFailure) -> Query {
        var query = query
        // A column may be called so.
        for (place, name) in sort.enumerated()
        where list.columns.contains(where: { $0.name == name }) {
            query.sort[place] = .init(column: name, isDescending: descending)
        }
        query.conditions = try search.conditions(on: list)
        return query
    }

    /// The query but for its conditions.
    var query: Query {
        Query(
            grouping: group,
            sort: sort.map { column in
                let isDown = column.utf8.first == UInt8(ascii: "-")
                return .init(
                    column: isDown ? String(column.dropFirst()) : column,
                    isDescending: isDown != descending)
            },
            search: search.query)
    }
}

struct SearchOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "Search for these words, ignoring case and accents; quote a phrase.")
    var search: String?

    @Option(
        help: "Search in this scope; `valet lists` shows the scopes.",
        completion: NameCompletion.scopes)
    var scope: String?

    @Option(
        name: .customLong("where"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Only rows that meet a condition, such as 'year >= 2015', make=bmw,audi, "
                + "'owner missing' or 'parked = last week'; repeat it for more.",
            valueName: "condition"),
        completion: NameCompletion.columns)
    var conditions: [String] = []

    func validate() throws {
        if scope != nil, search == nil { throw ValidationError("--scope needs --search.") }
        if let search, search.utf8.count > Limits.bytesPerSearch {
            throw ValidationError("--search takes at most \(Limits.bytesPerSearch) bytes.")
        }
        guard conditions.count <= Limits.conditionsPerQuery else {
            throw ValidationError(
                "--where may be given \(Limits.conditionsPerQuery) times at most.")
        }
    }

    var query: Query.Search? { search.map { .init(text: $0, scope: scope) } }

    /// The conditions on a list, whose columns they name.
    func conditions(on list: ListDescription) throws(ConditionFailure) -> [Condition] {
        let reader = ConditionReader(
            columns: list.columns, now: PersonsClock.second, zone: PersonsClock.zone)
        var read: [Condition] = []
        for text in conditions {
            do throws(ConditionError) {
                read.append(try reader.condition(text))
            } catch {
                throw ConditionFailure(text: text, error: error)
            }
        }
        return read
    }
}
