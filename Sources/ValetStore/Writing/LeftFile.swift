import ValetModel

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
            return stamp.word
        }
    }
}

// MARK: Words of a note

extension LeftFile {
    /// nil if they can't be read.
    init?(_ words: some Collection<String>) {
        let words = Array(words)
        guard words.count == 3, let others = UInt64(words[0]) else { return nil }
        othersRevision = others
        stamps = Array(words[1...])
    }

    var words: [String] { ["\(othersRevision)"] + stamps }
}
