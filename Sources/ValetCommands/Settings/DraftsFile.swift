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
        // Without drafts there is no file to make, nor one that can't be read to speak of.
        guard !drafts.isEmpty || !former.isEmpty, drafts != former else { return }
        let file = URL(filePath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(lock) }
            _ = flock(lock, LOCK_EX)
            var all = try all()
            let kept = (all[target] ?? []).filter { !former.contains($0) && !drafts.contains($0) }
            all[target] = Array((kept + drafts).suffix(DraftsFile.most))
            if all[target]?.isEmpty == true { all[target] = nil }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(all).write(to: file, options: .atomic)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path)
        } catch let error as ValetError {
            throw error
        } catch {
            throw ValetError(
                .storageFailed,
                "\(drafts.count) edits are not saved, and “\(path)” can't be written: "
                    + error.localizedDescription)
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
