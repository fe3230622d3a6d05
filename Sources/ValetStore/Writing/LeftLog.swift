import ValetModel

/// What tells whether the write-ahead log that a killed server has left still belongs to the file
/// beside it. SQLite does not ask: it would put what is in the log into whatever file is there.
package struct LeftLog: Equatable {
    /// As in the log's header: another one each time the log begins anew.
    let salt: UInt64
    private let logNumber: UInt64
    /// What the file had without the log; see `FileContent`.
    private let fileSample: UInt64
    private let newestCommand: UInt64?
    private let fileStamp: String
    /// When the file was last changed, which nobody can set.
    private let fileChanged: FilePath.Time
    /// Whether its owner has begun to move the log into the file.
    var isBeingMoved = false
    /// When this was noted; see `MachineStart`.
    private let start: String

    /// - Parameter content: of the file as it was with this stamp, or later. nil if it can't be
    ///   read.
    init?(file: FilePath.State, log: FilePath.Stamp, salt: UInt64, _ content: FileContent) {
        guard let sample = content.sample else { return nil }
        (self.salt, fileSample, logNumber) = (salt, sample.digest, log.file.number)
        newestCommand = content.newest?.revision
        (fileStamp, fileChanged) = (file.stamp.word, file.changed)
        start = MachineStart.name
    }

    /// Throws if another file was put in the place of the one whose log is still there. Called
    /// before this process opens the file for the first time, since it opens and closes it itself,
    /// which would drop the process's locks.
    package static func check(_ path: String) throws(ValetError) {
        guard let file = try? FilePath.existingFile(path),
            let note = Ownership.note(of: file), let left = note.log, !Ownership.isOwned(file),
            !left.isOf(file, newest: note.newest)
        else { return }
        throw .storageFailed(
            "“\(file)” has changed since a server that was killed left its newest changes in "
                + "“\(file)-wal”: if you have put another file in its place, move “\(file)-wal” "
                + "and “\(file)-shm” away, which gives up those changes; if not, move "
                + "“\(Ownership.path(of: file))” away; then try again")
    }

    /// False if the log was left beside another file. Others may have moved pages of it into the
    /// file since: then the file has these.
    ///
    /// - Parameter newest: of the file with its log, when this was noted.
    func isOf(_ path: String, newest: LoggedCommand) -> Bool {
        guard let file = FilePath.state(of: path), file.stamp.word != fileStamp,
            let log = FilePath.stamp(of: path + "-wal"), log.file.number == logNumber,
            // After a loss of power it may be earlier.
            fileChanged < file.changed,
            let pages = LogPages(path + "-wal"), let content = RawFile(path)
        else { return true }
        let least = pages.salt == salt ? newestCommand ?? 0 : newest.revision
        if start != MachineStart.name,
            Self.mayHaveBeenMovedInPart(
                into: path, least: LoggedCommand(logID: newest.logID, revision: least))
        {
            return true
        }
        guard pages.salt == salt else {
            // The log has begun anew since, so the file has all of the one that was noted.
            guard let found = LoggedCommand(inFileAt: path) else { return true }
            return found.logID == newest.logID && found.revision >= newest.revision
        }
        // It may only have been touched, or copied back.
        if content.sample?.digest == fileSample,
            newestCommand == nil || LoggedCommand(inFileAt: path)?.revision == newestCommand
        {
            return true
        }
        return pages.mayHaveBeenMoved(
            into: { content.bytes(at: $0, count: $1) }, wasKilled: isBeingMoved)
    }

    /// Whether the power may have been lost while a log was moved. That leaves any of its pages in
    /// the file, some of them in part, and an earlier note: so the file alone fits together no
    /// more, or it has what it had before. An older copy has less.
    ///
    /// - Parameter least: what the file had without the log.
    private static func mayHaveBeenMovedInPart(into path: String, least: LoggedCommand) -> Bool {
        guard let file = try? Connection(path: path, access: .readAlone),
            let log = try? file.result(of: file.log(), within: .lookup)
        else { return true }
        let isSame = log.id == least.logID || isTorn(log.id, of: least.logID)
        let hasAll =
            isSame ? log.newestCommand >= least.revision : log.id == nil && least.revision == 0
        if hasAll { return true }
        if case .damaged = file.integrity(within: Budget.opening.time) { return true }
        return false
    }

    /// Whether a sector that was written in part ended within the log's ID: the rest of it is what
    /// was there before. The ID of another file has other first bytes, but for one in 65,536.
    static func isTorn(_ id: UInt64?, of known: UInt64?) -> Bool {
        guard let id, let known else { return false }
        return (id ^ known).leadingZeroBitCount >= 16
    }

    // MARK: Words of a note

    /// nil if they can't be read.
    init?(_ words: some Collection<String>) {
        let words = Array(words)
        guard (8...9).contains(words.count), let salt = UInt64(words[0]),
            let number = UInt64(words[1]),
            let sample = UInt64(words[2]), let seconds = Int64(words[4]),
            let nanoseconds = Int64(words[5])
        else { return nil }
        (self.salt, logNumber, fileSample) = (salt, number, sample)
        fileStamp = words[3]
        fileChanged = FilePath.Time(seconds: seconds, nanoseconds: nanoseconds)
        newestCommand = UInt64(words[6])
        isBeingMoved = words[7] == Self.moving
        // A note that was cut has none, and the power may have been lost since.
        start = words.count == 9 ? words[8] : ""
    }

    var words: [String] {
        [
            "\(salt)", "\(logNumber)", "\(fileSample)", fileStamp, "\(fileChanged.seconds)",
            "\(fileChanged.nanoseconds)", newestCommand.map(String.init) ?? "unknown",
            isBeingMoved ? Self.moving : "whole", start,
        ]
    }

    private static let moving = "moving"
}
