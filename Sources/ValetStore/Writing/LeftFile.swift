import ValetModel

/// The state in which its last owner left a file. While the file and its write-ahead log still have
/// the stamps of the owner's last commit, no other program has changed it.
///
/// Without this, every row could have changed while no server ran.
struct LeftFile: Equatable {
    let logID: UInt64
    /// The newest commit of another program that the owner saw.
    let othersRevision: UInt64
    private let stamps: [String]

    /// The file as it is now.
    init(_ path: String, logID: UInt64, othersRevision: UInt64) {
        self.logID = logID
        self.othersRevision = othersRevision
        stamps = Self.stamps(of: path)
    }

    /// nil if the text can't be read.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 4, let logID = UInt64(words[0]),
            let othersRevision = UInt64(words[1])
        else { return nil }
        self.logID = logID
        self.othersRevision = othersRevision
        stamps = Array(words[2...])
    }

    var text: String {
        (["\(logID)", "\(othersRevision)"] + stamps).joined(separator: " ")
    }

    /// Whether the file still is as it was left.
    func isLeft(_ path: String) -> Bool { stamps == Self.stamps(of: path) }

    private static func stamps(of path: String) -> [String] {
        [path, path + "-wal"].map { file in
            // An empty log counts as none.
            guard let stamp = FilePath.stamp(of: file), stamp.byteCount > 0 else { return "none" }
            return "\(stamp.file.device):\(stamp.file.number):\(stamp.byteCount)"
                + ":\(stamp.seconds):\(stamp.nanoseconds)"
        }
    }
}
