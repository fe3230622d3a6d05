import ValetModel
import ValetSecurity
import ValetStore

/// What principals may do: a YAML file of roles, and of principals beside their roles.
///
/// ```yaml
/// roles:
///   attendant:
///     cars:
///       may: [add, edit]
///       rows: ["garage = {principal}"]
///       hidden: [owner]
///       read-only: [plate]
///     "*": { may: [see] }
/// ```
///
/// What holds for a list is the first entry that names it: the principal's own, then those of its
/// roles in their order; else the first that names all others, `*`.
struct AccessRules: Sendable {
    struct Entry: Sendable {
        var access: ListAccess
        /// Where it stands; nil for one that is built in.
        var value: YAMLValue?
    }

    typealias Entries = [(list: String, entry: Entry)]

    private var roles: [String: Entries]
    private var principals: [String: Entries] = [:]

    static let others = "*"

    /// What roles mean where no file says so.
    static let builtIn = AccessRules(
        roles: ["reader": .see, "writer": [.see, .change], "administrator": .all]
            .mapValues { [(others, Entry(access: ListAccess(rights: $0)))] })

    private init(roles: [String: Entries]) { self.roles = roles }

    /// - Throws: `ValetError`, which says what is wrong in which line.
    init(file: String) throws(ValetError) {
        self = .builtIn
        if let opened = try? OpenFile(file), opened.isWritableByAll {
            throw .changedByAnybody(file)
        }
        let fields = try YAMLValue(file: file).fields(["roles", "principals"])
        for (name, value) in try fields["roles"]?.pairs() ?? [] {
            roles[try Self.name(name, value)] = try Self.entries(value)
        }
        for (name, value) in try fields["principals"]?.pairs() ?? [] {
            principals[try Self.name(name, value)] = try Self.entries(value)
        }
        guard roles.count + principals.count <= Limits.tokens else {
            throw .limit(
                "roles and principals", is: Limits.tokens, asked: roles.count + principals.count)
        }
    }

    private static func name(_ name: String, _ value: YAMLValue) throws(ValetError) -> String {
        guard Principal.isName(name) else {
            throw value.error(
                "names have at most 64 letters, digits, “.”, “_” and “-”", code: .notAllowed)
        }
        return name
    }

    private static func entries(_ value: YAMLValue) throws(ValetError) -> Entries {
        try value.pairs().map { (list, value) throws(ValetError) in
            let fields = try value.fields(["may", "rows", "hidden", "read-only"])
            guard let may = fields["may"] else {
                throw value.error("needs “may”, which may be []", code: .notAllowed)
            }
            var access = ListAccess(rights: [])
            for word in try may.elements(limit: Rights.words.count, of: "rights") {
                access.rights.formUnion(try word.choice(Rights.words))
            }
            if !access.rights.isEmpty { access.rights.insert(.see) }
            access.conditions = try texts(
                fields["rows"], limit: Limits.conditionsPerQuery, "conditionsPerQuery",
                bytes: Limits.bytesPerCatalogFile)
            access.hidden = try texts(fields["hidden"])
            access.fixed = try texts(fields["read-only"])
            if list == others, access != ListAccess(rights: access.rights) {
                throw value.error(
                    "rows and columns are those of one list: name it", code: .notAllowed)
            }
            return (list, Entry(access: access, value: value))
        }
    }

    private static func texts(
        _ value: YAMLValue?, limit: Int = Limits.columnsPerList, _ name: String = "columnsPerList",
        bytes: Int = Limits.bytesPerName
    ) throws(ValetError) -> [String] {
        try value?.oneOrSeveral(limit: limit, of: name)
            .map { element throws(ValetError) in try element.text(limit: bytes) } ?? []
    }

    /// The roles of a principal that are not defined, and so allow nothing.
    func undefinedRoles(of principal: Principal) -> [String] {
        principal.roles.filter { roles[$0] == nil }
    }

    func access(of principal: Principal) -> PrincipalAccess {
        var access = PrincipalAccess()
        let sources = [principals[principal.name]] + principal.roles.map { roles[$0] }
        for (list, entry) in sources.compactMap(\.self).joined() {
            let found = entry.access.of(principal.name)
            if list == Self.others {
                access.others = access.others ?? found
            } else if access.lists[list] == nil {
                access.lists[list] = found
            }
        }
        return access
    }

    /// All entries that a file has.
    var all: Entries { (Array(roles.values) + Array(principals.values)).flatMap(\.self) }
}

/// What somebody may do in one list. Columns and conditions are as they were written, since they
/// mean something only where there is such a list.
struct ListAccess: Hashable, Sendable {
    var rights: Rights
    var conditions: [String] = []
    var hidden: [String] = []
    var fixed: [String] = []

    private static let placeOfName = "{principal}"

    /// With the principal's name in its place. Names hold nothing that conditions are made of.
    fileprivate func of(_ principal: String) -> ListAccess {
        var access = self
        access.conditions = conditions.map { $0.replacing(Self.placeOfName, with: principal) }
        return access
    }

    /// - Throws: `ValetError`, for columns and conditions that the list can't have.
    ///
    /// - Parameters:
    ///   - unseen: more columns that do not exist.
    ///   - seesEverything: whether nothing of the file is hidden.
    func allowing(
        _ list: ListDescription, unseen: Set<Int> = [], seesEverything: Bool = false
    ) throws(ValetError) -> AllowedList {
        let reader = ConditionReader(columns: list.columns)
        let conditions = try conditions.map { text throws(ValetError) in
            do throws(ConditionError) {
                return try reader.condition(text)
            } catch {
                throw ValetError(
                    .invalidCondition, "“\(text)”: \(error.message)",
                    alternatives: error.alternatives)
            }
        }
        func numbers(_ names: [String]) throws(ValetError) -> Set<Int> {
            Set(try names.map { name throws(ValetError) in try list.column(named: name) })
        }
        // A title says what its key says.
        var hidden = try numbers(hidden).union(unseen)
        hidden.formUnion(hidden.compactMap { list.titles(ofKeys: $0) })
        return try AllowedList(
            list, rights, conditions: conditions, hidden: hidden,
            fixed: try numbers(fixed), seesEverything: seesEverything)
    }
}

/// What one principal may do, for as long as the rules stay.
struct PrincipalAccess: Hashable, Sendable {
    fileprivate(set) var lists: [String: ListAccess] = [:]
    /// In all others; nil for nothing.
    fileprivate(set) var others: ListAccess?

    subscript(list: String) -> ListAccess? { lists[list] ?? others }

    /// Whether nothing of the file is hidden.
    var seesEverything: Bool {
        let all = lists.values.map { Optional($0) } + [others]
        return all.allSatisfy { access in
            access.map {
                $0.rights.contains(.see) && $0.conditions.isEmpty && $0.hidden.isEmpty
            } ?? false
        }
    }

    /// Whether it may see what concerns the whole server.
    var isAdministrator: Bool { others?.rights.contains(.administer) ?? false }
}
