import ValetClient
import ValetModel

/// Moving a row by hand: the cursor goes from neighbour to neighbour, and the row with it, until it
/// is put down. Every place is behind a row, or before the first one of a section or of the list.
extension ListScreen {
    private struct Gap {
        var neighbour: Int
        var side: LiftedRow.Side
    }

    /// Why rows can't be moved; nil if they can.
    var reasonNotToMove: String? {
        guard list.positionColumn != nil else {
            return "Rows of \(list.title) can't be moved by hand"
        }
        guard let catalogGrouping, list.isManual(catalogGrouping) else {
            let names = list.groupings.filter(list.isManual).map { glyphs.quoted($0.name) }
            return "To move rows by hand, group by " + names.joined(separator: " or ")
        }
        if !query.sort.isEmpty { return "To move rows by hand, drop the sort first" }
        return query.search == nil ? nil : "To move rows by hand, leave the search first"
    }

    mutating func lift(_ row: Row) -> [ScreenOutcome] {
        guard total ?? 0 > 1 else { return [.say("There is no other row")] }
        let section = isSectioned ? held.section(at: cursor.ordinal)?.title : nil
        way.beforePrompt = Place(query: query, cursor: cursor)
        mode = .moving(LiftedRow(row: row, section: section))
        return []
    }

    /// What is drawn of a row that has gone, is moved, or was put down and has not arrived.
    var shownLift: ShownLift? {
        if let shownGone { return shownGone }
        let lifted: LiftedRow
        let neighbour: Int?
        if case .moving(let moving) = mode {
            (lifted, neighbour) = (moving, cursor.ordinal)
        } else if let dropped = viewport.dropped {
            (lifted, neighbour) = (dropped, dropped.neighbour.flatMap { held.ordinal(of: $0) })
        } else {
            return nil
        }
        let hidden = held.ordinal(of: lifted.row.id)
        guard let side = lifted.side, let neighbour, hidden != neighbour else { return nil }
        return ShownLift(row: lifted.row, side: side, neighbour: neighbour, hidden: hidden)
    }

    mutating func movingKey(
        _ key: Key, _ lifted: LiftedRow, at milliseconds: Int
    ) -> [ScreenOutcome] {
        switch keymap.moving[key] {
        case .move(let motion):
            moveLifted(motion, at: milliseconds)
            return askForRows()
        case .drop:
            guard lifted.side != nil else {
                mode = .browsing
                return []
            }
            return wait(for: .drop)
        case .cancel: return putBack(lifted, at: milliseconds)
        case nil: return []
        }
    }

    private mutating func putBack(_ lifted: LiftedRow, at milliseconds: Int) -> [ScreenOutcome] {
        mode = .browsing
        guard let before = way.beforePrompt?.cursor else { return [] }
        let place = held.ordinal(of: lifted.row.id) ?? before.ordinal
        return visit(place, line: before.line, at: milliseconds)
    }

    // MARK: Places

    private mutating func moveLifted(_ motion: Motion, at milliseconds: Int) {
        guard case .moving(let lifted) = mode, let total else { return }
        let hidden = held.ordinal(of: lifted.row.id)
        let distance = motion.distance(
            page: max((bodyHeight - firstLine) / columns.layout.usualHeight - 1, 1))
        switch motion {
        case .first:
            return put(
                lifted, at: Gap(neighbour: hidden == 0 ? 1 : 0, side: .before), 0, milliseconds)
        case .last:
            let last = hidden == total - 1 ? total - 2 : total - 1
            return put(lifted, at: Gap(neighbour: last, side: .behind), bodyHeight, milliseconds)
        case .down, .up, .pageDown, .pageUp, .halfPageDown, .halfPageUp: break
        }
        var place = lifted.side.map { Gap(neighbour: cursor.ordinal, side: $0) }
        var steps = 0
        while steps < abs(distance),
            let next = self.place(after: place, down: distance > 0, hidden: hidden)
        {
            place = next
            steps += 1
        }
        guard let place, steps > 0 else { return }
        let line = lifted.side.map { cursor.line + ($0 == .behind ? 1 : -1) } ?? cursor.line
        put(lifted, at: place, line + distance.signum() * (steps == 1 ? 1 : 0), milliseconds)
    }

    /// - Parameter line: where the lifted row is drawn.
    private mutating func put(
        _ lifted: LiftedRow, at place: Gap, _ line: Int, _ milliseconds: Int
    ) {
        var lifted = lifted
        lifted.side = place.side
        mode = .moving(lifted)
        go(to: place.neighbour, line: line + (place.side == .behind ? -1 : 1), at: milliseconds)
    }

    /// The next place in a direction; nil at the end. Without a place it is the row's own.
    private func place(after place: Gap?, down: Bool, hidden: Int?) -> Gap? {
        guard let place = place ?? ownPlace(hidden) else {
            // The only row of its section.
            if down { return row(after: cursor.ordinal, hidden).map { self.place(at: $0, hidden) } }
            return row(before: cursor.ordinal, hidden).map { Gap(neighbour: $0, side: .behind) }
        }
        let neighbour = place.neighbour
        switch (down, place.side) {
        case (true, .before): return Gap(neighbour: neighbour, side: .behind)
        case (true, .behind):
            return row(after: neighbour, hidden).map { self.place(at: $0, hidden) }
        case (false, .behind) where isFirst(neighbour, hidden):
            return Gap(neighbour: neighbour, side: .before)
        case (false, _):
            return row(before: neighbour, hidden).map { Gap(neighbour: $0, side: .behind) }
        }
    }

    /// The first place at a row, coming from above.
    private func place(at ordinal: Int, _ hidden: Int?) -> Gap {
        Gap(neighbour: ordinal, side: isFirst(ordinal, hidden) ? .before : .behind)
    }

    /// Where the list has the row, seen from a neighbour in its section.
    private func ownPlace(_ hidden: Int?) -> Gap? {
        guard let hidden else { return nil }
        if held.sectionBeginning(at: hidden) == nil || !isSectioned,
            let before = row(before: hidden, nil)
        {
            return Gap(neighbour: before, side: .behind)
        }
        guard let after = row(after: hidden, nil), isFirst(after, hidden) else { return nil }
        let isOwn = !isSectioned || held.section(at: after) == held.section(at: hidden)
        return isOwn ? Gap(neighbour: after, side: .before) : nil
    }

    private func isFirst(_ ordinal: Int, _ hidden: Int?) -> Bool {
        row(before: ordinal, hidden) == nil
            || isSectioned && sectionBeginning(at: ordinal, hidden) != nil
    }

    // MARK: Without the lifted row

    func row(before ordinal: Int, _ hidden: Int?) -> Int? {
        let previous = ordinal - 1 == hidden ? ordinal - 2 : ordinal - 1
        return previous >= 0 ? previous : nil
    }

    func row(after ordinal: Int, _ hidden: Int?) -> Int? {
        let next = ordinal + 1 == hidden ? ordinal + 2 : ordinal + 1
        return next < total ?? .max ? next : nil
    }

    /// The section that begins with a row, or with the lifted one right before it.
    func sectionBeginning(at ordinal: Int, _ hidden: Int?) -> SectionRun? {
        guard let run = held.section(at: ordinal) else { return nil }
        return run.first == ordinal || run.first == hidden && hidden == ordinal - 1 ? run : nil
    }

    // MARK: Putting down

    /// The server has answered: the list shows where the row is.
    mutating func dropped() {
        if viewport.dropped != nil { viewport.outOfPlace = nil }
    }

    /// What a row that was put down next to the cursor's is to be sent as.
    struct Drop {
        var change: Change
        var row: Row
        /// Where it is drawn.
        var line: Int
    }

    /// nil if it can't be put down there.
    mutating func drop(nextTo neighbour: Row) -> Drop? {
        guard case .moving(var lifted) = mode, let side = lifted.side, lifted.row.id != neighbour.id
        else { return nil }
        let section = isSectioned ? held.section(at: cursor.ordinal)?.title : nil
        var joined: String?
        if section != lifted.section, let grouping {
            guard list.takesRowsByHand(list.groupings[grouping]) else { return nil }
            joined = list.groupings[grouping].name
        }
        let place = MoveDestination.Neighbour(
            rowID: neighbour.id, seen: held.window?.revision, joining: joined)
        lifted.neighbour = neighbour.id
        viewport.outOfPlace = .dropped(lifted)
        mode = .browsing
        return Drop(
            change: .move(
                rowIDs: [lifted.row.id], to: side == .behind ? .behind(place) : .before(place)),
            row: lifted.row, line: cursor.line + (side == .behind ? 1 : -1))
    }
}

extension ListDescription {
    /// Whether a row can be moved from section to section: it gets the section's value then.
    fileprivate func takesRowsByHand(_ grouping: Grouping) -> Bool {
        guard let column = grouping.column.flatMap({ columns[checked: $0] }) else { return false }
        return grouping.expression == .wholeValue && column.isEditable
    }
}
