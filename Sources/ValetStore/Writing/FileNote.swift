import ValetModel

/// What the owner of a file notes beside it, in `FILE-valet`, of the state in which the file is.
///
/// A log's ID stands in the file and here, with the file's identity and how far the log has come.
/// So a file that was copied, or put in the place of a newer one, is found out: positions in its
/// log mean nothing to those who followed the other. A note that was put back with its file is
/// found out by its time. It says nothing of a file whose folder was put back as a whole, by its
/// file system or with the machine.
struct FileNote: Equatable {
    let logID: UInt64
    /// Of the newest command.
    let newestCommand: UInt64
    /// No higher revision was told to anybody.
    let highestTold: UInt64
    let file: FilePath.Identity
    /// nil if another program has changed the file since the owner last looked.
    var left: LeftFile?
    /// nil outside WAL mode.
    var log: LeftLog?

    var newest: LoggedCommand { LoggedCommand(logID: logID, revision: newestCommand) }

    var withLogBeingMoved: FileNote {
        var note = self
        note.log?.isBeingMoved = true
        return note
    }

    /// Whether the log of the file at `path` is the one that was noted, and has lost nothing since.
    func isOf(_ path: String, logID: UInt64, newestCommand: UInt64) -> Bool {
        // Devices get other numbers when the computer starts.
        self.logID == logID && file.number == FilePath.identity(of: path)?.number
            && newestCommand >= self.newestCommand
    }
}

// MARK: Text

extension FileNote {
    /// nil if the line can't be read: it may be of another version, or cut.
    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 5 else { return nil }
        let numbers = words[..<5].compactMap { UInt64($0) }
        guard numbers.count == 5 else { return nil }
        logID = numbers[0]
        // Forged ones must not overflow.
        (newestCommand, highestTold) = (min(numbers[1], 1 << 62), min(numbers[2], 1 << 62))
        file = FilePath.Identity(device: numbers[3], number: numbers[4])
        let rest = words[5...].split(
            separator: Self.beforeLog, maxSplits: 1, omittingEmptySubsequences: false)
        left = LeftFile(rest[0])
        log = rest.count == 2 ? LeftLog(rest[1]) : nil
    }

    private static let beforeLog = "log"

    /// Its first words are as long in every note, so that a note that is written over another one
    /// needs no room of its own on the disk.
    var line: String {
        let numbers = [logID, newestCommand, highestTold, file.device, file.number].map { number in
            let digits = String(number)
            return String(repeating: "0", count: 20 - digits.count) + digits
        }
        let ofLog = log.map { [Self.beforeLog] + $0.words } ?? []
        return (numbers + (left?.words ?? []) + ofLog).joined(separator: " ")
    }
}
