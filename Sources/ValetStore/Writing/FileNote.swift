import ValetModel

/// What the owner of a file notes beside it, in `FILE-valet`, of the state in which the file is.
///
/// A log's ID stands in the file and here, with the file's identity and how far the log has come.
/// So a file that was copied, or put in the place of a newer one, is found out: positions in its
/// log mean nothing to those who followed the other. The note says nothing of a file whose folder
/// was put back as a whole, by its file system or with the machine.
struct FileNote: Equatable {
    let logID: UInt64
    /// Of the newest command.
    let newestCommand: UInt64
    /// No higher revision was told to anybody.
    let highestTold: UInt64
    let file: FilePath.Identity
    /// nil if another program has changed the file since the owner last looked.
    let left: LeftFile?

    var withoutLeft: FileNote {
        FileNote(
            logID: logID, newestCommand: newestCommand, highestTold: highestTold, file: file,
            left: nil)
    }

    /// Whether the log of the file at `path` is the one that was noted, and has lost nothing since.
    func isOf(_ path: String, logID: UInt64, newestCommand: UInt64) -> Bool {
        // Devices get other numbers when the computer starts.
        self.logID == logID && file.number == FilePath.identity(of: path)?.number
            && newestCommand >= self.newestCommand
    }
}

/// The stamps of a file and its write-ahead log after the owner's last commit. While they are the
/// same, no other program has changed the file.
///
/// Without this, every row could have changed while no server ran.
struct LeftFile: Equatable {
    /// The newest commit of another program that the owner saw.
    let othersRevision: UInt64
    private let stamps: [String]

    /// The file as it is now.
    init(_ path: String, othersRevision: UInt64) {
        self.othersRevision = othersRevision
        stamps = Self.stamps(of: path)
    }

    /// Whether the file still is as it was left.
    func isLeft(_ path: String) -> Bool { stamps == Self.stamps(of: path) }

    private static func stamps(of path: String) -> [String] {
        [path, path + "-wal"].map { file in
            // An empty log counts as none.
            guard let stamp = FilePath.stamp(of: file), stamp.byteCount > 0 else { return "none" }
            return "\(stamp.file.number):\(stamp.byteCount):\(stamp.seconds)"
                + ":\(stamp.nanoseconds)"
        }
    }
}

// MARK: Text

extension FileNote {
    /// nil if the line can't be read: it may be of an earlier version, or cut.
    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 5 else { return nil }
        let numbers = words[..<5].compactMap { UInt64($0) }
        guard numbers.count == 5 else { return nil }
        logID = numbers[0]
        // Forged ones must not overflow.
        (newestCommand, highestTold) = (min(numbers[1], 1 << 62), min(numbers[2], 1 << 62))
        file = FilePath.Identity(device: numbers[3], number: numbers[4])
        left = LeftFile(words[5...])
    }

    /// Its first words are as long in every note, so that a note that is written over another one
    /// needs no room of its own on the disk.
    var line: String {
        let numbers = [logID, newestCommand, highestTold, file.device, file.number].map { number in
            let digits = String(number)
            return String(repeating: "0", count: 20 - digits.count) + digits
        }
        return (numbers + (left?.words ?? [])).joined(separator: " ")
    }
}

extension LeftFile {
    fileprivate init?(_ words: ArraySlice<String>) {
        guard words.count == 3, let others = words.first.flatMap({ UInt64($0) }) else { return nil }
        othersRevision = others
        stamps = Array(words.dropFirst())
    }

    fileprivate var words: [String] { ["\(othersRevision)"] + stamps }
}
