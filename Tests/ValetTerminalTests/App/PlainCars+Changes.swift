import ValetModel

/// Changes in memory, the plain way.
extension PlainCars {
    /// 14:02 on some day.
    static let time: Int64 = 1_767_276_120_000_000
    /// What an undo that is not carried out would have taken back.
    static let step: UInt64 = 77

    mutating func carryOut(_ change: Change) -> Outcome {
        let isOfStep = nextVerdict != nil && (change == .undo || change.isForced)
        let verdict = nextVerdict ?? verdict(of: change)
        nextVerdict = nil
        return Outcome(
            revision: revision, time: PlainCars.time, verdict: verdict,
            step: isOfStep ? PlainCars.step : nil)
    }

    private mutating func verdict(of change: Change) -> Verdict {
        let before = cars
        var rowIDs: [Int64] = []
        var conflicts: [Conflict] = []
        switch change {
        case .insert(let rows):
            for values in rows {
                let rowID = (cars.keys.max() ?? 0) + 1
                var cells = [Cell](repeating: .null, count: 6)
                for value in values { cells[value.column] = value.value }
                cars[rowID] = cells
                rowIDs.append(rowID)
            }
        case .update(let edits):
            for edit in edits {
                guard let cells = cars[edit.rowID] else {
                    conflicts.append(Conflict(edit.rowID, .rowDeleted))
                    continue
                }
                rowIDs.append(edit.rowID)
                for cell in edit.cells {
                    let now = ColumnValue(column: cell.column, value: cells[cell.column])
                    let isSeen = cell.seen == .anything || cell.seen == SeenValue(now.value)
                    let isSame = now.value == cell.value
                    if !isSeen {
                        conflicts.append(
                            Conflict(edit.rowID, isSame ? .alreadySo(now) : .cell(now)))
                    }
                    cars[edit.rowID]?[cell.column] = cell.value
                }
            }
        case .delete(let deletions):
            for deletion in deletions {
                if let seen = deletion.seen, seen < revision {
                    conflicts.append(Conflict(deletion.rowID, .rowChanged))
                }
                rowIDs.append(deletion.rowID)
                cars[deletion.rowID] = nil
            }
        case .undo:
            guard let last = undoable.popLast() else { return .refused([nothing]) }
            redoable.append((before, last.rowIDs))
            (cars, rowIDs) = last
        case .redo:
            guard let last = redoable.popLast() else { return .refused([nothing]) }
            undoable.append((before, last.rowIDs))
            (cars, rowIDs) = last
        case .move(let moved, let destination):
            let neighbour = destination.neighbour
            if let rowID = neighbour?.rowID, cars[rowID] == nil {
                conflicts.append(Conflict(rowID, .rowDeleted))
            }
            var order = orderByHand.filter { !moved.contains($0) }
            var place = neighbour.flatMap { order.firstIndex(of: $0.rowID) } ?? 0
            if case .behind = destination { place += 1 }
            order.insert(contentsOf: moved, at: place)
            for (number, rowID) in order.enumerated() { cars[rowID]?[3] = .real(Double(number)) }
            if let neighbour, neighbour.joining != nil, let make = cars[neighbour.rowID]?[0] {
                for rowID in moved { cars[rowID]?[0] = make }
            }
            rowIDs = moved
        case .skipUndo:
            guard undoable.popLast() != nil else { return .refused([nothing]) }
            return .applied(rowIDs: [])
        case .forceUndo: return verdict(of: .undo)
        case .updateMatching, .deleteMatching: return .refused([nothing])
        }
        guard conflicts.isEmpty else {
            cars = before
            return .conflict(conflicts)
        }
        if change != .undo, change != .redo {
            undoable.append((before, rowIDs))
            redoable = []
        }
        revision += 1
        arrange()
        return .applied(rowIDs: rowIDs)
    }

    private var nothing: Refusal {
        Refusal(row: 0, column: nil, message: "there is nothing to undo")
    }
}

extension Conflict {
    init(_ rowID: Int64, _ theirs: Theirs, by station: String = "bo", restored: Cell? = nil) {
        self.init(
            rowID: rowID, theirs: theirs, station: station, time: PlainCars.time, restored: restored
        )
    }
}

extension Conflict.Theirs {
    static func cell(_ column: Int, _ value: Cell) -> Self {
        .cell(ColumnValue(column: column, value: value))
    }
}

extension History {
    static func of(_ changes: LoggedChange...) -> History {
        History(changes: changes, hasMore: false)
    }
}

extension LoggedChange {
    /// - Parameter station: empty for another program.
    static func change(
        _ kind: RowEffect.Kind?, of rowID: Int64 = 1, _ cells: [CellChange],
        by station: String = "bo"
    ) -> LoggedChange {
        LoggedChange(
            position: LogPosition(revision: 9, place: 0), time: PlainCars.time, station: station,
            command: station.isEmpty ? nil : CommandName(writer: 9, number: 1),
            effect: kind.map { RowEffect(kind: $0, rowID: rowID, cells: cells) })
    }
}

extension Change {
    fileprivate var isForced: Bool { if case .forceUndo = self { true } else { false } }
}
