import ValetModel

/// The values of a column, and the sections of the list, over the list.
extension App {
    var facetHeight: Int { facets.map { $0.body(size).count } ?? 1 }

    /// - Parameter column: nil for the list's own sections.
    mutating func openFacets(of column: Int?) -> [AppAction] {
        guard let list, connection.isConnected else {
            message = "The values are on the server, and there is no connection"
            return []
        }
        guard let column else {
            guard list.isSectioned else {
                message = "There are no sections"
                return []
            }
            return show(.sections, of: list)
        }
        guard list.list.columns.indices.contains(column) else {
            message = "The row number has no values to count"
            return []
        }
        return show(.values(column: column), of: list)
    }

    private mutating func show(
        _ purpose: FacetScreen.Purpose, of list: ListScreen
    ) -> [AppAction] {
        var screen = FacetScreen(
            list: list.list, purpose: purpose, question: list.question, glyphs: glyphs)
        let outcomes = screen.ask(height: screen.body(size).count)
        facets = screen
        return run(outcomes)
    }

    mutating func perform(_ command: FacetCommand) -> [AppAction] {
        let height = facetHeight
        return run(facets?.perform(command, height: height) ?? [])
    }

    mutating func handleFacets(_ key: Key) -> [AppAction] {
        let height = facetHeight
        return run(facets?.handle(key, height: height) ?? [])
    }

    mutating func handleFacets(_ mouse: MouseEvent) -> [AppAction] {
        let height = facetHeight
        switch mouse.kind {
        case .wheelUp: return run(facets?.handle(Key.up, height: height) ?? [])
        case .wheelDown: return run(facets?.handle(Key.down, height: height) ?? [])
        case .press(.left):
            guard let body = facets?.body(size), body.contains(mouse.position.row) else {
                return []
            }
            return run(
                facets?.click(line: mouse.position.row - body.lowerBound, height: height) ?? [])
        case .press, .release, .drag: return []
        }
    }

    mutating func run(_ outcomes: [FacetScreen.Outcome]) -> [AppAction] {
        var actions: [AppAction] = []
        for outcome in outcomes {
            switch outcome {
            case .request(let query): actions.append(calls.begin(.sections(query, .facets)))
            case .close: facets = nil
            case .filter(let conditions, let column):
                facets = nil
                actions += run(list?.replace(conditionsOn: column, by: conditions) ?? [])
            case .goTo(let section):
                facets = nil
                actions += run(list?.go(toSection: section, at: milliseconds) ?? [])
            case .help: actions += run([ScreenOutcome.showHelp])
            case .say(let text): message = text
            }
        }
        return actions
    }
}
