import ValetClient
import ValetModel

/// The lines of the body, laid out from the cursor.
extension ListScreen {
    enum Line: Hashable, Sendable {
        /// One of the lines of a row, from 0.
        case row(Int, part: Int)
        case header(SectionRun)
        case footer(SectionRun)
        /// The row that is moved by hand, or has gone.
        case lifted(Row, part: Int)
        case blank
    }

    /// What stands on each line. A header stands above the first row of its section, if that is
    /// known.
    var lines: [Line] {
        guard total != 0, 0..<bodyHeight ~= cursor.line else {
            return [Line](repeating: .blank, count: bodyHeight)
        }
        let above = linesAbove(limit: cursor.line)
        let below = linesBelow(limit: bodyHeight - cursor.line - 1)
        let (gap, rest) = (cursor.line - above.count, bodyHeight - cursor.line - 1 - below.count)
        return [Line](repeating: .blank, count: gap) + above.reversed()
            + [.row(cursor.ordinal, part: 0)] + below + [Line](repeating: .blank, count: rest)
    }

    /// The section that a line is in; nil where that isn't known.
    func section(of line: Line) -> SectionRun? {
        switch line {
        case .header(let run), .footer(let run): run
        case .row(let ordinal, _): held.section(at: ordinal)
        case .lifted, .blank: nil
        }
    }

    /// Lines that a row takes, as far as there is room.
    func height(of row: Row?) -> Int {
        let lines = columns.layout.height(of: row, positions: columns.positions)
        return lines == 1 ? 1 : min(lines, max(bodyHeight - firstLine, 1))
    }

    func height(at ordinal: Int) -> Int {
        height(of: columns.layout.hasHeightOfRows ? held.row(at: ordinal)?.row : nil)
    }

    private func parts(of ordinal: Int) -> Range<Int> { 0..<height(at: ordinal) }

    private func liftedLines(_ row: Row) -> [Line] {
        (0..<height(of: row)).map { .lifted(row, part: $0) }
    }

    /// What is above the cursor's row, nearest first.
    private func linesAbove(limit: Int) -> [Line] {
        let lift = shownLift
        var lines: [Line] = []
        var ordinal = cursor.ordinal
        while lines.count < limit {
            if let lift, lift.neighbour == ordinal, lift.side == .before {
                lines += liftedLines(lift.row).reversed()
            }
            lines += linesBefore(ordinal, lift?.hidden).reversed()
            guard let previous = row(before: ordinal, lift?.hidden) else { break }
            ordinal = previous
            if let lift, lift.neighbour == ordinal, lift.side == .behind {
                lines += liftedLines(lift.row).reversed()
            }
            for part in parts(of: ordinal).reversed() { lines.append(.row(ordinal, part: part)) }
        }
        return Array(lines.prefix(limit))
    }

    /// What is below the cursor's row.
    private func linesBelow(limit: Int) -> [Line] {
        let lift = shownLift
        var lines = parts(of: cursor.ordinal).dropFirst().map { Line.row(cursor.ordinal, part: $0) }
        var ordinal = cursor.ordinal
        while lines.count < limit {
            if let lift, lift.neighbour == ordinal, lift.side == .behind {
                lines += liftedLines(lift.row)
            }
            guard let next = row(after: ordinal, lift?.hidden) else {
                lines += footer(below: ordinal)
                break
            }
            ordinal = next
            lines += linesBefore(ordinal, lift?.hidden)
            if let lift, lift.neighbour == ordinal, lift.side == .before {
                lines += liftedLines(lift.row)
            }
            for part in parts(of: ordinal) { lines.append(.row(ordinal, part: part)) }
        }
        return Array(lines.prefix(limit))
    }

    /// What stands between a row and the one before it: the end of a section, and the next one's
    /// header.
    func linesBefore(_ ordinal: Int, _ hidden: Int? = nil) -> [Line] {
        guard isSectioned, let run = sectionBeginning(at: ordinal, hidden) else { return [] }
        guard let previous = row(before: ordinal, hidden) else { return [.header(run)] }
        return footer(below: previous) + (isGrouped ? [.blank] : []) + [.header(run)]
    }

    private func footer(below ordinal: Int) -> [Line] {
        guard isSectioned, catalogGrouping?.footerTemplate != nil,
            let run = held.section(at: ordinal)
        else { return [] }
        return [.footer(run)]
    }

    /// Rows in the body that were never seen.
    var skeletons: Int { visible.count { held.row(at: $0) == nil } }

    /// Ordinals of the rows in the body.
    var visible: Range<Int> {
        let ordinals = lines.compactMap {
            if case .row(let ordinal, _) = $0 { ordinal } else { nil }
        }
        guard let first = ordinals.first, let last = ordinals.last else { return 0..<0 }
        return first..<last + 1
    }

    /// Clamps the cursor to the list, and its line so that there is no gap above the first row, nor
    /// below the last if there are rows to fill it.
    mutating func settle() {
        guard let total, total > 0 else {
            cursor = Cursor(ordinal: 0, rowID: nil, line: firstLine)
            return
        }
        cursor.ordinal = min(max(cursor.ordinal, 0), total - 1)
        let last = bodyHeight - 1
        // A lifted row has lines of its own next to the cursor's.
        let side = gone?.side ?? (mode.isMoving ? shownLift?.side : nil)
        let lifted = side == nil ? 0 : height(of: shownLift?.row)
        let top = min(firstLine + (side == .before ? lifted : 0), last)
        let bottom = max(
            last - height(at: cursor.ordinal) + 1 - (side == .behind ? lifted : 0), top)
        cursor.line = min(max(cursor.line, top), bottom)
        cursor.line = min(cursor.line, max(linesAbove(limit: cursor.line).count, top))
        let spare = last - cursor.line - linesBelow(limit: last - cursor.line).count
        if spare > 0 {
            cursor.line = min(
                cursor.line + spare, max(linesAbove(limit: cursor.line + spare).count, top))
        }
        if let row = held.freshRow(at: cursor.ordinal), !held.isStale { cursor.rowID = row.id }
    }

    // MARK: Moves

    /// Moves the cursor. A move by one row also moves one line; a longer move keeps the line.
    mutating func move(by rows: Int, at milliseconds: Int) {
        guard let total, !isAheadOfAnswer else { return moveAhead(by: rows) }
        guard total > 0 else { return }
        var rows = rows
        if let behind = placeBehindGone {
            leaveGone()
            // The neighbour is one step away from the row that has gone.
            if cursor.ordinal == behind ? rows > 0 : rows < 0 { rows -= rows.signum() }
            guard rows != 0 else { return }
        }
        let target = min(max(cursor.ordinal + rows, 0), total - 1)
        let distance = target - cursor.ordinal
        if distance == 0 {
            if rows != 0 { go(to: target, line: rows < 0 ? 0 : bodyHeight, at: milliseconds) }
            return
        }
        var line = cursor.line
        if abs(distance) == 1 { line += linesToNeighbour(distance) }
        if abs(distance) < abs(rows) { line = distance < 0 ? 0 : bodyHeight }
        go(to: target, line: line, at: milliseconds)
    }

    /// The held rows answer an older query than the one whose rows the cursor waits for.
    private var isAheadOfAnswer: Bool {
        guard isConnected, held.window?.generation != view.generation,
            case .ordinal = viewport.jump?.anchor
        else { return false }
        return true
    }

    /// Before its rows are known: the cursor is there when they come.
    private mutating func moveAhead(by rows: Int) {
        let anchor: Anchor
        switch viewport.jump?.anchor {
        case _ where rows >= Limits.rowsPerList: anchor = .end
        case _ where rows <= -Limits.rowsPerList: anchor = .ordinal(0)
        case .ordinal(let place): anchor = .ordinal(max(place + rows, 0))
        case .end, .fraction, .path, .rowID, .rows, nil: return
        }
        viewport.jump = Jump(anchor: anchor, line: bodyHeight / 2)
    }

    /// Goes to a row, and asks for what is around it.
    mutating func visit(_ ordinal: Int, line: Int, at milliseconds: Int) -> [ScreenOutcome] {
        go(to: ordinal, line: line, at: milliseconds)
        return askForRows()
    }

    mutating func go(to ordinal: Int, line: Int, at milliseconds: Int) {
        viewport.requests.moved(by: ordinal - cursor.ordinal, at: milliseconds)
        if ordinal != cursor.ordinal {
            // A row that is not loaded has no id, so it is asked for by its place.
            cursor.rowID = nil
            viewport.newAbove = 0
            viewport.watchesTop = ordinal == 0
        }
        cursor.ordinal = ordinal
        cursor.line = line
        viewport.waiting = nil
        viewport.outOfPlace = nil
        settle()
        if let row = held.row(at: cursor.ordinal)?.row, cursor.rowID == nil {
            cursor.rowID = row.id
        }
        // A move cancels a jump that was on its way. While a new query waits for its answer, the
        // jump goes to the cursor instead.
        if viewport.jump != nil {
            viewport.jump = held.window?.generation == view.generation ? nil : jumpToCursor
        }
    }

    /// Moves the view under the cursor, which stays on its row for as long as that is on the
    /// screen.
    mutating func scroll(by lines: Int, at milliseconds: Int) {
        leaveGone()
        let step = lines.signum()
        for _ in 0..<abs(lines) {
            let before = cursor
            cursor.line -= step
            let last = bodyHeight - height(at: cursor.ordinal)
            if cursor.line < firstLine || cursor.line > last {
                let target = cursor.ordinal + step
                guard target >= 0, target < total ?? 0 else {
                    cursor = before
                    break
                }
                go(to: target, line: cursor.line + linesToNeighbour(step), at: milliseconds)
            }
            settle()
        }
        if held.window?.generation == view.generation { viewport.jump = nil }
        viewport.watchesTop = viewport.watchesTop && visible.contains(0)
    }

    /// From the cursor's line to that of the next row, or of the one before, below zero.
    private func linesToNeighbour(_ step: Int) -> Int {
        let (ordinal, next) = (cursor.ordinal, cursor.ordinal + step)
        return step > 0
            ? height(at: ordinal) + linesBefore(next).count
            : -height(at: next) - linesBefore(ordinal).count
    }

    /// Goes to the first row of the next section; of this one or the one before, backwards.
    mutating func moveSection(by step: Int, at milliseconds: Int) -> [ScreenOutcome] {
        guard isSectioned, let run = held.section(at: cursor.ordinal) else { return [] }
        if step > 0 {
            let next = run.first + run.count
            guard next < total ?? 0 else { return [.say("This is the last section")] }
            go(to: next, line: lineOfSection, at: milliseconds)
        } else if cursor.ordinal > run.first {
            go(to: run.first, line: lineOfSection, at: milliseconds)
        } else if run.section == 0 {
            return [.say("This is the first section")]
        } else if let previous = held.run(ofSection: run.section - 1) {
            go(to: previous.first, line: lineOfSection, at: milliseconds)
        } else {
            // Only the server knows where it begins.
            let path = IndexPath(section: run.section - 1, row: 0)
            viewport.jump = Jump(anchor: .path(path), line: lineOfSection)
        }
        return askForRows()
    }
}
