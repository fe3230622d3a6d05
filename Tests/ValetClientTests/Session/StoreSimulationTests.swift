import Foundation
import TestSupport
import Testing
import ValetModel

/// Same seed, same run: of stations, their connections, a server, its store and its disk.
@Suite struct StoreSimulationTests {
    /// Whatever is cut, killed or without power: each command that anybody was told of is in the
    /// file once, with the outcome that was told, and windows show what the file has. With
    /// 2081270185 a checkpoint is killed, and what it has moved is logged again before the next
    /// kill; with 4192418340 a sector that is written in part ends within the log's ID.
    @Test(arguments: runSeeds(200) + [2_081_270_185, 4_192_418_340])
    func whatIsToldIsInTheFileOnce(seed: UInt64) throws {
        let figures = try StoreSimulation.run(seed: seed)
        #expect(figures.outcomes > 0 && figures.windows > 0, "seed \(seed): \(figures)")
    }

    /// With VALET_SEEDS it prints the hashes, which are the same in other processes.
    @Test(arguments: runSeeds(1)) func theSameSeedGivesTheSameBytesAndFile(seed: UInt64) throws {
        let figures = try StoreSimulation.run(seed: seed)
        #expect(try StoreSimulation.run(seed: seed) == figures, "seed \(seed)")
        #expect(try StoreSimulation.run(seed: seed &+ 1).hash != figures.hash, "seed \(seed)")
        guard ProcessInfo.processInfo.environment["VALET_SEEDS"] != nil else { return }
        let shown = figures.hash.map { String($0, radix: 16) }.joined(separator: " ")
        FileHandle.standardError.write(Data("VALET_SEED=\(seed): \(figures) \(shown)\n".utf8))
    }

    @Test(arguments: [
        SimulatedFile.Fault.idleSyncs, .repeatedCommand, .droppedCommand,
    ])
    func aPlantedFaultIsNoticed(fault: SimulatedFile.Fault) throws {
        let noticed = (0..<8).count { seed in
            (try? StoreSimulation.run(seed: UInt64(seed), fault)) == nil
        }
        #expect(noticed > 4, "\(noticed) of 8")
    }
}

/// The cars of a file as its commands must leave them, worked out in the plainest way.
struct CarModel {
    typealias Rows = [Int64: [Cell]]

    /// What must become of a command.
    enum Expected: Equatable {
        case applied([Int64])
        /// The rows of its conflicts.
        case conflict([Int64])

        /// nil if no command here has such an outcome.
        init?(_ verdict: Verdict) {
            switch verdict {
            case .applied(let rowIDs): self = .applied(rowIDs)
            case .conflict(let conflicts): self = .conflict(conflicts.map(\.rowID))
            case .refused, .appliedButFor: return nil
            }
        }
    }

    private(set) var rows: Rows = [:]
    /// Ids are not given again.
    private var highest: Int64 = 0

    mutating func carryOut(_ change: Change) -> Expected {
        switch change {
        case .insert(let new):
            for values in new {
                highest += 1
                rows[highest] = values.map(\.value)
            }
            return .applied(new.indices.map { highest - Int64(new.count - 1 - $0) })
        case .update(let edits):
            let conflicts = edits.filter { edit in
                guard let cells = rows[edit.rowID] else { return true }
                return edit.cells.contains {
                    $0.seen != .anything && $0.seen != SeenValue(cells[$0.column])
                }
            }
            guard conflicts.isEmpty else { return .conflict(conflicts.map(\.rowID)) }
            for edit in edits {
                for cell in edit.cells { rows[edit.rowID]?[cell.column] = cell.value }
            }
            return .applied(edits.map(\.rowID))
        case .delete(let deletions):
            let missing = deletions.filter { rows[$0.rowID] == nil }
            guard missing.isEmpty else { return .conflict(missing.map(\.rowID)) }
            for deletion in deletions { rows[deletion.rowID] = nil }
            return .applied(deletions.map(\.rowID))
        case .move, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo:
            preconditionFailure("no station asks for this")
        }
    }

    /// Something that a station may ask for.
    func change(_ random: inout SeededNumbers) -> Change {
        let rowIDs = rows.keys.sorted()
        let kind = random.below(10)
        guard kind > 3, !rowIDs.isEmpty else {
            return .insert(
                (0...random.below(3)).map { _ in
                    [0, 1].map { ColumnValue(column: $0, value: cell(of: $0, &random)) }
                })
        }
        // At times one that is not there any more.
        let isKnown = random.below(20) > 0
        let rowID =
            isKnown ? rowIDs[random.below(rowIDs.count)] : 1 + Int64(random.below(Int(highest)))
        if kind == 4 { return .delete([RowDeletion(rowID: rowID)]) }
        let column = random.below(2)
        let seen: SeenValue =
            switch random.below(6) {
            case 0: .anything
            case 1: .cell(.integer(-1))
            case _: rows[rowID].flatMap { SeenValue($0[column]) } ?? .anything
            }
        let edit = CellEdit(column: column, value: cell(of: column, &random), seen: seen)
        return .update([RowEdit(rowID: rowID, cells: [edit])])
    }

    /// Some texts are longer than a page of the file.
    private func cell(of column: Int, _ random: inout SeededNumbers) -> Cell {
        let number = random.below(1_000)
        if column == 1 { return .integer(Int64(number)) }
        return .text(
            String(repeating: "make ", count: number % 20 == 0 ? 300 : 1) + "\(number)")
    }
}
