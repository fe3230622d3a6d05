import ValetModel

/// The lists of the server, and the one that is opened first.
extension App {
    mutating func load(_ loaded: Catalog, _ rowCounts: [Int?]) -> [AppAction] {
        catalogReading.failure = nil
        catalogReading.milliseconds = milliseconds
        if catalog != nil {
            catalog?.update(catalog: loaded, rowCounts: rowCounts)
            return adopt(loaded)
        }
        catalog = CatalogScreen(catalog: loaded, rowCounts: rowCounts)
        return openFirst(of: loaded) + useTypedAhead()
    }

    /// The server may have opened the file again, with other columns or row ids.
    private mutating func adopt(_ loaded: Catalog) -> [AppAction] {
        let actions = keepList(in: loaded)
        form = form?.adopted(by: loaded.lists)
        adoptConflict(loaded.lists)
        changes.adopt(loaded.lists)
        return actions + readForm()
    }

    /// The open list as a newer catalog has it. With other columns, what is shown means nothing any
    /// more: the list is opened anew.
    private mutating func keepList(in loaded: Catalog) -> [AppAction] {
        guard let shown = list?.list else { return [] }
        guard let same = loaded.lists.first(where: { $0.name == shown.name }) else {
            let words = "“\(shown.title)” is gone"
            message = words
            layers.keepEdits()
            if hasCatalogScreen { return closeList() }
            let names = loaded.lists.map(\.name)
            return [.end(.fail(ValetError(.unknownList, words, alternatives: names)))]
        }
        guard same.columns.map(\.name) != shown.columns.map(\.name) else {
            list?.takeAccess(of: same)
            return []
        }
        // Whoever picks a row for a form goes on when that is done.
        guard picker == nil else { return [] }
        layers.keepEdits()
        message = "The columns of “\(same.title)” have changed, so it was reopened"
        return open(same, query: Query())
    }

    private mutating func openFirst(of loaded: Catalog) -> [AppAction] {
        if let name = options.listName {
            do throws(ValetError) {
                return openFirst(try loaded.list(named: name))
            } catch {
                return [.end(.fail(error))]
            }
        }
        guard loaded.lists.count == 1, let only = loaded.lists.first else {
            announceDrafts(in: loaded.lists)
            return countRows()
        }
        return openFirst(only)
    }

    private mutating func openFirst(_ list: ListDescription) -> [AppAction] {
        let reader = conditionReader(of: list)
        for text in options.conditions {
            do throws(ConditionError) {
                options.query.conditions.append(try reader.condition(text))
            } catch {
                return [.end(.failCondition(text, error))]
            }
        }
        options.conditions = []
        return open(list, query: options.query)
    }

    /// A server may become able to write, or unable, at any time, and it doesn't tell. A large
    /// catalog is read less often.
    mutating func readCatalogAgain() -> [AppAction] {
        guard let lists = catalog?.catalog.lists, connection.isConnected else { return [] }
        let age = milliseconds - catalogReading.milliseconds
        guard age >= max(App.catalogMilliseconds, 1_000 * lists.count) else { return [] }
        // Once, until it is here.
        catalogReading.milliseconds = milliseconds
        return readCatalog()
    }

    mutating func readCatalog() -> [AppAction] { [calls.begin(.catalog(countingRows: false))] }

    private static let catalogMilliseconds = 30_000

    /// How reading the catalog went.
    struct CatalogReading: Sendable {
        /// Why there is none.
        var failure: ValetError?
        /// When it was read last.
        var milliseconds = 0
    }

    /// Asks for counts, which cost a server time, only where they are shown.
    mutating func countRows() -> [AppAction] {
        guard catalog?.lacksCounts == true, connection.isConnected else { return [] }
        return [calls.begin(.catalog(countingRows: true))]
    }
}
