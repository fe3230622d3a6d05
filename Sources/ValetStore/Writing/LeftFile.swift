import ValetModel

/// The stamps of a file and its write-ahead log after the owner's last commit. While they are the
/// same, no other program has changed the file.
///
/// Without this, every row could have changed while no server ran.
struct LeftFile: Equatable {
    /// The newest commit of another program that the owner saw.
    let othersRevision: UInt64
    private let stamps: [String]

    /// - Parameters:
    ///   - file, log: as they are now; nil for one that is not there.
    init(file: FilePath.Stamp?, log: FilePath.Stamp?, othersRevision: UInt64) {
        self.othersRevision = othersRevision
        stamps = Self.words(file, log)
    }

    /// Whether the file still is as it was left.
    func isLeft(_ path: String) -> Bool {
        stamps == Self.words(FilePath.stamp(of: path), FilePath.stamp(of: path + "-wal"))
    }

    private static func words(_ stamps: FilePath.Stamp?...) -> [String] {
        // An empty log counts as none.
        stamps.map { stamp in
            guard let stamp, stamp.byteCount > 0 else { return "none" }
            return stamp.word
        }
    }

    // MARK: Words of a note

    /// nil if they can't be read.
    init?(_ words: some Collection<String>) {
        let words = Array(words)
        guard words.count == 3, let others = UInt64(words[0]) else { return nil }
        othersRevision = others
        stamps = Array(words[1...])
    }

    var words: [String] { ["\(othersRevision)"] + stamps }
}
