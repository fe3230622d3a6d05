import Logging
import ValetModel
import ValetStore

/// The catalog of an open file, as each principal may see it.
final class ServedCatalogs: Sendable {
    private let database: Database
    private let lists: [KeptList]
    private let logger: Logger
    /// For those who may see everything.
    private let whole: ServedCatalog
    private let known = Mutex<[PrincipalAccess: ServedCatalog]>([:])

    init(_ database: Database, _ lists: [KeptList], logger: Logger) {
        (self.database, self.lists, self.logger) = (database, lists, logger)
        whole = ServedCatalog(database.catalog)
    }

    /// - Parameter access: nil for everything.
    func catalog(for access: PrincipalAccess?) -> ServedCatalog {
        guard let access else { return whole }
        if let found = known.withLock({ $0[access] }) { return found }
        let catalog = ServedCatalog(database.catalog, whole: whole, for: access) { list, error in
            // What can't be enforced is not served.
            logger.error(
                "the access to a list can't be understood, so it is not served",
                metadata: ["list": "\(list)", "error": "\(error)"])
        }
        for list in catalog.handles {
            note(list.allowed, list.number)
            if let shown = list.shown { lists[list.number].keepProjection(of: shown) }
        }
        known.withLock { known in
            if known.count >= Limits.catalogsKept { known = [:] }
            known[access] = catalog
        }
        return catalog
    }

    /// The log notes from now on what these rules depend on.
    /// - Throws: `ValetError`, which says where the rules name what the file does not have.
    func check(_ rules: AccessRules) throws(ValetError) {
        var first: ValetError?
        for (name, entry) in rules.all where name != AccessRules.others {
            do throws(ValetError) {
                try check(name, entry)
            } catch {
                // The others are noted all the same.
                first = first ?? error
            }
        }
        if let first { throw first }
    }

    private func check(_ name: String, _ entry: AccessRules.Entry) throws(ValetError) {
        guard let handle = whole.handles.first(where: { $0.description.name == name }) else {
            let error = ValetError(
                .unknownList, "no list is called “\(name)”",
                alternatives: whole.description.lists.prefix(Limits.alternativesPerError)
                    .map(\.name))
            throw entry.value?.error(
                error.message, code: .unknownList, alternatives: error.alternatives) ?? error
        }
        do throws(ValetError) {
            // The column must take a name, so the place of it will do.
            note(try entry.access.allowing(handle.description), handle.number)
        } catch {
            throw entry.value?.error(
                error.message, code: error.code, alternatives: error.alternatives) ?? error
        }
    }

    private func note(_ allowed: AllowedList?, _ list: Int) {
        if let sight = allowed?.sight { database.note(columns: sight.columns, ofList: list) }
    }
}
