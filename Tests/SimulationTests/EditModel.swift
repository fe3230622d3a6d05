import ValetModel

/// What a list must be after each command, worked out in the plainest way: rows in a dictionary,
/// and the effects that each station can take back.
struct EditModel {
    typealias Rows = [Int64: [Cell]]

    /// What must become of a command.
    enum Expected: Equatable {
        case applied([Int64])
        /// The rows of its conflicts.
        case conflict([Int64])
        case refused

        init(_ verdict: Verdict) {
            switch verdict {
            case .applied(let rowIDs), .appliedButFor(let rowIDs, _): self = .applied(rowIDs)
            case .conflict(let conflicts): self = .conflict(conflicts.map(\.rowID))
            case .refused: self = .refused
            }
        }
    }

    private struct Effect {
        let rowID: Int64
        let old: [Cell]?
        let new: [Cell]?
    }

    /// What undo takes back, or redo does again.
    private struct Step {
        let place: Int
        let act: Int
        var effects: [Effect]
        var isUndone = false
    }

    private(set) var rows: Rows
    private(set) var revision: UInt64
    private var highest: Int64
    /// By row: the revision that changed it last.
    private var lastChange: [Int64: UInt64] = [:]
    /// By station, in the order of their places.
    private var steps: [Int: [Step]] = [:]

    init(rows: Rows, revision: UInt64) {
        self.rows = rows
        self.revision = revision
        highest = rows.keys.max() ?? 0
    }

    /// The next command has a revision behind this one: those in between are of no command.
    mutating func pass(_ revision: UInt64) { self.revision = max(revision, self.revision) }

    /// - Parameter act: commands of one act are undone together.
    mutating func carryOut(_ change: Change, of station: Int, act: Int) -> Expected {
        revision += 1
        var trial = Trial(rows: rows)
        var turned: [Step] = []
        let expected: Expected
        switch change {
        case .insert(let rows):
            let rowIDs = rows.indices.map { highest + 1 + Int64($0) }
            for (rowID, values) in zip(rowIDs, rows) { trial.insert(rowID, values) }
            highest += Int64(rows.count)
            expected = .applied(rowIDs)
        case .update(let edits): expected = trial.update(edits)
        case .delete(let deletions): expected = trial.delete(deletions, lastChange)
        case .undo, .redo:
            turned = stepsToTurn(isUndo: change == .undo, of: station)
            expected = turned.isEmpty ? .refused : Self.turn(turned, &trial)
        case .move, .updateMatching, .deleteMatching, .skipUndo, .forceUndo: return .refused
        }
        guard case .applied = expected else {
            // What is not applied is stored from the first command on that is.
            if revision == 1 { revision = 0 }
            return expected
        }
        let effects = trial.touched.compactMap { rowID -> Effect? in
            let (old, new) = (rows[rowID], trial.rows[rowID])
            return old == new ? nil : Effect(rowID: rowID, old: old, new: new)
        }
        for effect in effects { lastChange[effect.rowID] = revision }
        rows = trial.rows
        keep(effects, of: station, act: act, turning: turned)
        return expected
    }

    // MARK: Undo and redo

    /// Newest first; what was undone of one act is one step.
    private func stepsToTurn(isUndo: Bool, of station: Int) -> [Step] {
        let own = steps[station] ?? []
        guard isUndo else { return Array(own.filter(\.isUndone).prefix(1)) }
        let done = own.reversed().filter { !$0.isUndone }
        return Array(done.prefix { $0.act == done[0].act })
    }

    private static func turn(_ steps: [Step], _ trial: inout Trial) -> Expected {
        var rowIDs: [Int64] = []
        for step in steps {
            let conflicts = step.effects.flatMap { trial.conflicts(with: $0) }
            guard conflicts.isEmpty else { return .conflict(Trial.listed(conflicts)) }
            for effect in step.effects.reversed() {
                trial.takeBack(effect)
                rowIDs.append(effect.rowID)
            }
        }
        return .applied(rowIDs)
    }

    private mutating func keep(
        _ effects: [Effect], of station: Int, act: Int, turning turned: [Step]
    ) {
        var own = steps[station] ?? []
        defer { steps[station] = own }
        if let kept = turned.last {
            let places = Set(turned.dropLast().map(\.place))
            own.removeAll { places.contains($0.place) }
            guard let index = own.firstIndex(where: { $0.place == kept.place }) else { return }
            own[index].effects = effects
            own[index].isUndone.toggle()
            return
        }
        guard !effects.isEmpty else { return }
        own.removeAll(where: \.isUndone)
        let place = (own.last?.place ?? 0) + 1
        own.append(Step(place: place, act: act, effects: effects))
        own.removeAll { $0.place <= place - Limits.undoDepth }
    }

    // MARK: One command

    /// Rows while a command changes them.
    private struct Trial {
        var rows: Rows
        /// In the order in which they were first changed.
        private(set) var touched: [Int64] = []

        init(rows: Rows) {
            self.rows = rows
        }

        /// As many as an outcome has.
        static func listed(_ conflicts: [Int64]) -> [Int64] {
            Array(conflicts.prefix(Limits.problemsPerOutcome))
        }

        private mutating func set(_ rowID: Int64, _ cells: [Cell]?) {
            if !touched.contains(rowID) { touched.append(rowID) }
            rows[rowID] = cells
        }

        mutating func insert(_ rowID: Int64, _ values: [ColumnValue]) {
            var cells: [Cell] = [.null, .null, .null]
            for value in values { cells[value.column] = value.value }
            set(rowID, cells)
        }

        mutating func update(_ edits: [RowEdit]) -> Expected {
            var conflicts: [Int64] = []
            for edit in edits {
                guard var cells = rows[edit.rowID] else {
                    conflicts.append(edit.rowID)
                    continue
                }
                for cell in edit.cells {
                    if cell.seen == .anything || cell.seen == .cell(cells[cell.column]) {
                        cells[cell.column] = cell.value
                    } else {
                        conflicts.append(edit.rowID)
                    }
                }
                set(edit.rowID, cells)
            }
            return conflicts.isEmpty
                ? .applied(edits.map(\.rowID)) : .conflict(Self.listed(conflicts))
        }

        mutating func delete(
            _ deletions: [RowDeletion], _ lastChange: [Int64: UInt64]
        ) -> Expected {
            let conflicts = deletions.filter { deletion in
                rows[deletion.rowID] == nil
                    || lastChange[deletion.rowID] ?? 0 > deletion.seen ?? .max
            }
            for deletion in deletions { set(deletion.rowID, nil) }
            return conflicts.isEmpty
                ? .applied(deletions.map(\.rowID))
                : .conflict(Self.listed(conflicts.map(\.rowID)))
        }

        /// What others have changed since, a row for each cell.
        func conflicts(with effect: Effect) -> [Int64] {
            guard let new = effect.new else {
                return rows[effect.rowID] == nil ? [] : [effect.rowID]
            }
            guard let now = rows[effect.rowID] else { return [effect.rowID] }
            return new.indices.compactMap { column in
                let isOwn = effect.old.map { $0[column] != new[column] } ?? true
                return isOwn && new[column] != now[column] ? effect.rowID : nil
            }
        }

        mutating func takeBack(_ effect: Effect) {
            guard let old = effect.old, let new = effect.new, var now = rows[effect.rowID] else {
                return set(effect.rowID, effect.old)
            }
            for column in now.indices where old[column] != new[column] { now[column] = old[column] }
            set(effect.rowID, now)
        }
    }
}
