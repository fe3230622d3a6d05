import ValetModel
import ValetStore

/// The store's writer, which the thread opens when it is first needed: until then nothing is
/// written, and another process may own the file.
///
/// Sendable because `ThreadSpecificVariable` gives it to nobody but the thread that put it there.
final class OpenedWriter: @unchecked Sendable {
    let writer: Writer
    /// True while nothing can be stored.
    var hasFailed = false
    /// Outcomes have told of other programs' commits up to this revision.
    var othersTold: UInt64 = 0
    /// A copy that is being made.
    var copy: FileCopy?
    /// Of a node: outcomes that its file does not have yet.
    var awaited = AwaitedOutcomes()

    init(_ writer: Writer) {
        self.writer = writer
    }
}

extension ValetError {
    var isOfStorage: Bool {
        [.storageFailed, .busy, .outcomeUnknown].contains(code)
    }
}

extension CommittedBatch {
    func mayHaveChanged(anyRowOf list: Int) -> Bool {
        commands.contains { $0.unknownLists.contains(list) }
    }

    func changes(ofList list: Int) -> [RowChange] {
        commands.flatMap { command in
            command.effects.first { $0.list == list }?.changes ?? []
        }
    }
}

extension WriterOrder {
    /// How many rows it changes, about.
    var rowCount: Int {
        guard case .apply(let command) = self else { return 1 }
        return switch command.sent.command.change {
        case .insert(let rows): rows.count
        case .update(let edits): edits.count
        case .delete(let deletions): deletions.count
        case .move(let rowIDs, _): rowIDs.count
        case .updateMatching, .deleteMatching: Limits.rowsPerCommand
        case .undo, .redo, .skipUndo, .forceUndo: 1
        }
    }
}
