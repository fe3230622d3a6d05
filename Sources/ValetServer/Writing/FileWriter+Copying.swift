import ValetModel
import ValetStore

/// Backups, whose steps go between batches of commands. `Backups` sees to it that there is one at a
/// time.
extension FileWriter {
    /// A copy of the file that is being made between commits.
    struct Copying {
        let path: String
        let cancelled: StopFlag
        let answer: @Sendable (Result<Bool, ValetError>) -> Void
    }

    /// Copies the file to one that isn't there yet, a few pages between two batches.
    ///
    /// - Parameter answer: called on the writer's thread, or at once; with false if the file has
    ///   no log yet, if another process owns it, or if other programs write it all the time: then
    ///   a reader has to copy it.
    func copy(
        to path: String, cancelled: StopFlag,
        _ answer: @escaping @Sendable (Result<Bool, ValetError>) -> Void
    ) {
        let startsWork = state.withLock { state in
            guard !state.isStopped else { return nil as Bool? }
            state.copying = Copying(path: path, cancelled: cancelled, answer: answer)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        guard let startsWork else { return answer(.failure(.shuttingDown)) }
        if startsWork { thread.submit { [self] in workThroughQueue($0) } }
    }

    // MARK: On the thread

    /// - Returns: whether there is more to copy.
    func goOn(_ copying: Copying) -> Bool {
        var isDone: Bool?
        let result = Result { () throws(ValetError) in
            if state.withLock(\.isStopped) { throw .shuttingDown }
            if copying.cancelled.isSet {
                throw ValetError(.superseded, "the backup was cancelled")
            }
            isDone = try copyMore(to: copying.path)
            return isDone ?? false
        }
        if case .success = result, isDone == nil { return true }
        Self.opened.currentValue?.copy = nil
        state.withLock { $0.copying = nil }
        copying.answer(result)
        return false
    }

    /// - Returns: whether it is whole; nil if there is more to copy.
    private func copyMore(to path: String) throws(ValetError) -> Bool? {
        if Self.opened.currentValue == nil, database.hasLog { _ = try? openWriter() }
        guard let opened = Self.opened.currentValue else { return false }
        if opened.copy == nil { opened.copy = try opened.writer.beginCopy(to: path) }
        guard let copy = opened.copy, copy.restarts <= Limits.restartsPerCopy else {
            opened.copy = nil
            CopiedFile.remove(path)
            return false
        }
        return try copy.step() ? true : nil
    }
}
