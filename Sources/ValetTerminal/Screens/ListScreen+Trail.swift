import ValetModel

/// The way back: Esc undoes the person's own steps through groupings, sorts and far places, the
/// newest first.
extension ListScreen {
    private static let mostSteps = 32

    /// To be called before a step away from here.
    mutating func remember() { remember(Place(query: query, cursor: cursor)) }

    /// A search is left before any step is taken back, so steps know nothing of it.
    mutating func remember(_ place: Place) {
        var place = place
        place.query.search = nil
        guard total ?? 0 > 0, place != way.steps.last else { return }
        way.steps = way.steps.suffix(ListScreen.mostSteps - 1) + [place]
    }

    /// nil if there is no step to take back.
    mutating func takeStepBack() -> [ScreenOutcome]? {
        while let place = way.steps.popLast() {
            if isHere(place) { continue }
            let cursor = place.cursor
            let row = cursor.rowID.map { [AnchorRow(id: $0, line: 0)] } ?? []
            let ordinal = Anchor.ordinal(cursor.ordinal)
            let anchor = row.isEmpty ? ordinal : .rows(row, otherwise: ordinal)
            if place.query != query { view.index = [] }
            query = place.query
            return ask(jump: Jump(anchor: anchor, line: cursor.line))
        }
        return nil
    }

    /// While the cursor is under way to a row, its ordinal is of the query before.
    private func isHere(_ place: Place) -> Bool {
        guard viewport.jump == nil, place.query == query else { return false }
        return place.cursor.rowID == cursor.rowID
            && (cursor.rowID != nil || place.cursor.ordinal == cursor.ordinal)
    }
}
