import Foundation
import ValetModel
import ValetTerminal

/// Edits that were not saved when the terminal was closed or the program was ended, by target, in
/// `drafts.json` of the state folder. Only its owner may read it: rows are in it.
struct DraftsFile: Sendable {
    /// More than a person leaves.
    static let most = 256

    private let path: String
    /// A file by its whole path, wherever it is opened from.
    private let target: String

    static let standardPath = UserFolder.state.path() + "/drafts.json"

    init(path: String = standardPath, of target: String) {
        self.path = path
        if case .file(let file)? = try? Target(target) {
            self.target = URL(filePath: file).resolvingSymlinksInPath().path
        } else {
            self.target = target
        }
    }

    func read() throws(ValetError) -> [Draft] { try all()[target] ?? [] }

    /// Other windows may keep theirs at the same time: when a session ends, all are ended together.
    /// - Parameter former: those of this target that they take the place of.
    func keep(_ drafts: [Draft], insteadOf former: [Draft]) throws(ValetError) {
        guard drafts != former else { return }
        // A link to a file elsewhere stays one.
        let file = URL(filePath: path).resolvingSymlinksInPath()
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(lock) }
            _ = flock(lock, LOCK_EX)
            var all = try all()
            let kept = (all[target] ?? []).filter { !former.contains($0) && !drafts.contains($0) }
            all[target] = Array((kept + drafts).suffix(DraftsFile.most))
            try write(all, to: file)
        } catch {
            // What was only to be taken out is offered once more.
            guard !drafts.isEmpty else { return }
            let reason = (error as? ValetError)?.message ?? error.localizedDescription
            throw ValetError(
                .storageFailed,
                "\(drafts.count == 1 ? "1 edit is" : "\(drafts.count) edits are") not saved, and "
                    + "“\(path)” can't be written: \(reason)")
        }
    }

    /// Without the oldest of the other targets, then of this one, where there are too many.
    private func write(_ drafts: [String: [Draft]], to file: URL) throws {
        var drafts = drafts.filter { !$0.value.isEmpty }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        var data = try encoder.encode(drafts)
        while data.count > Limits.bytesPerCatalogFile,
            let place = drafts.keys.first(where: { $0 != target }) ?? drafts.keys.first
        {
            drafts[place]?.removeFirst()
            if drafts[place]?.isEmpty == true { drafts[place] = nil }
            data = try encoder.encode(drafts)
        }
        let newer = file.path + ".new"
        let isMade = FileManager.default.createFile(
            atPath: newer, contents: data, attributes: [.posixPermissions: 0o600])
        guard isMade, rename(newer, file.path) == 0 else {
            throw ValetError(.storageFailed, String(cString: strerror(errno)))
        }
    }

    private func all() throws(ValetError) -> [String: [Draft]] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard size <= Limits.bytesPerCatalogFile else {
                throw ValetError(.limitExceeded, "it has \(size.grouped) bytes")
            }
            return try JSONDecoder().decode(
                [String: [Draft]].self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ValetError(
                .malformed, "“\(path)” can't be read: \(error.localizedDescription). Move it away")
        }
    }
}
