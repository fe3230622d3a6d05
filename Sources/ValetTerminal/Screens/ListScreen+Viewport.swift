import ValetModel

/// The lines of the body, laid out from the cursor.
extension ListScreen {
    enum Line: Hashable, Sendable {
        case row(Int)
        case header(SectionRun)
        case blank
    }

    /// What stands on each line. A header stands above the first row of its section, if that is
    /// known.
    var lines: [Line] {
        var lines = [Line](repeating: .blank, count: bodyHeight)
        guard total != 0, lines.indices.contains(cursor.line) else { return lines }
        lines[cursor.line] = .row(cursor.ordinal)
        var line = cursor.line - 1
        var ordinal = cursor.ordinal
        while line >= 0 {
            if isSectioned, let run = held.sectionBeginning(at: ordinal) {
                lines[line] = .header(run)
                line -= 1
            }
            guard ordinal > 0, line >= 0 else { break }
            ordinal -= 1
            lines[line] = .row(ordinal)
            line -= 1
        }
        line = cursor.line + 1
        ordinal = cursor.ordinal + 1
        while line < lines.count, ordinal < total ?? Int.max {
            if isSectioned, let run = held.sectionBeginning(at: ordinal) {
                lines[line] = .header(run)
                line += 1
            }
            guard line < lines.count else { break }
            lines[line] = .row(ordinal)
            line += 1
            ordinal += 1
        }
        return lines
    }

    /// Ordinals of the rows in the body.
    var visible: Range<Int> {
        let ordinals = lines.compactMap { line -> Int? in
            switch line {
            case .row(let ordinal): ordinal
            case .header, .blank: nil
            }
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
        cursor.line = min(max(cursor.line, firstLine), max(last, firstLine))
        cursor.line = min(cursor.line, max(linesAbove(limit: cursor.line), firstLine))
        let spare = last - cursor.line - linesBelow(limit: last - cursor.line)
        if spare > 0 {
            cursor.line = min(
                cursor.line + spare, max(linesAbove(limit: cursor.line + spare), firstLine))
        }
        if let row = held.freshRow(at: cursor.ordinal), !held.isStale { cursor.rowID = row.id }
    }

    private func linesAbove(limit: Int) -> Int {
        var count = 0
        var ordinal = cursor.ordinal
        while count < limit {
            if isSectioned, held.sectionBeginning(at: ordinal) != nil { count += 1 }
            guard ordinal > 0 else { break }
            ordinal -= 1
            count += 1
        }
        return min(count, limit)
    }

    private func linesBelow(limit: Int) -> Int {
        var count = 0
        var ordinal = cursor.ordinal + 1
        while count < limit, ordinal < total ?? 0 {
            if isSectioned, held.sectionBeginning(at: ordinal) != nil { count += 1 }
            count += 1
            ordinal += 1
        }
        return min(count, limit)
    }

    // MARK: Moves

    /// Moves the cursor. A move by one row also moves one line; a longer move keeps the line.
    mutating func move(by rows: Int, at milliseconds: Int) {
        guard let total, total > 0 else { return }
        let target = min(max(cursor.ordinal + rows, 0), total - 1)
        let distance = target - cursor.ordinal
        if distance == 0 {
            if rows != 0 { go(to: target, line: rows < 0 ? 0 : bodyHeight, at: milliseconds) }
            return
        }
        var line = cursor.line
        if distance == 1 { line += isHeaderAbove(target) ? 2 : 1 }
        if distance == -1 { line -= isHeaderAbove(cursor.ordinal) ? 2 : 1 }
        if abs(distance) < abs(rows) { line = distance < 0 ? 0 : bodyHeight }
        go(to: target, line: line, at: milliseconds)
    }

    mutating func go(to ordinal: Int, line: Int, at milliseconds: Int) {
        requests.moved(by: ordinal - cursor.ordinal, at: milliseconds)
        if ordinal != cursor.ordinal {
            // A row that is not loaded has no id, so it is asked for by its place.
            cursor.rowID = nil
            newAbove = 0
        }
        cursor.ordinal = ordinal
        cursor.line = line
        waitingAct = nil
        settle()
        if let row = held.row(at: cursor.ordinal)?.row, cursor.rowID == nil {
            cursor.rowID = row.id
        }
        // A move cancels a jump that was on its way. While a new question waits for its answer, the
        // jump goes to the cursor instead.
        if jump != nil { jump = held.window?.generation == generation ? nil : jumpToCursor }
    }

    /// Moves the view under the cursor, which stays on its row for as long as that is on the
    /// screen.
    mutating func scroll(by lines: Int, at milliseconds: Int) {
        let step = lines.signum()
        for _ in 0..<abs(lines) {
            let before = cursor
            cursor.line -= step
            let last = bodyHeight - 1
            if cursor.line < firstLine || cursor.line > last {
                let target = cursor.ordinal + step
                guard target >= 0, target < total ?? 0 else {
                    cursor = before
                    break
                }
                let isHeader = isHeaderAbove(step > 0 ? target : cursor.ordinal)
                go(
                    to: target, line: cursor.line + step * (isHeader ? 2 : 1), at: milliseconds)
            }
            settle()
        }
        if held.window?.generation == generation { jump = nil }
    }

    private func isHeaderAbove(_ ordinal: Int) -> Bool {
        isSectioned && held.sectionBeginning(at: ordinal) != nil
    }

    /// Goes to the first row of the next section; of this one or the one before, backwards.
    mutating func moveSection(by step: Int, at milliseconds: Int) -> [ScreenOutcome] {
        guard isSectioned, let run = held.section(at: cursor.ordinal) else { return [] }
        if step > 0 {
            let next = run.first + run.count
            guard next < total ?? 0 else { return [.say("This is the last section")] }
            go(to: next, line: firstLine, at: milliseconds)
        } else if cursor.ordinal > run.first {
            go(to: run.first, line: firstLine, at: milliseconds)
        } else if run.section == 0 {
            return [.say("This is the first section")]
        } else if let previous = held.run(ofSection: run.section - 1) {
            go(to: previous.first, line: firstLine, at: milliseconds)
        } else {
            // Only the server knows where it begins.
            let path = IndexPath(section: run.section - 1, row: 0)
            jump = Jump(anchor: .path(path), line: firstLine)
        }
        return askForRows()
    }
}
