import Foundation
import ValetModel
import ValetTerminal

/// Changes that were not saved when the terminal was closed or the program was ended, by target, in
/// `drafts.json` of the state folder. Only its owner may read it: rows are in it.
struct DraftsFile: Sendable {
    /// More than a person leaves.
    static let most = 256

    private let path: String
    /// A file by its whole path, a server without a list.
    private let target: String

    static let standardPath = UserFolder.state.path() + "/drafts.json"

    init(path: String = standardPath, of target: String) {
        self.path = path
        self.target =
            switch try? Target(target) {
            case .file(let file): URL(filePath: file).resolvingSymlinksInPath().path
            case .server(let servers, _): servers.place
            case .csv, .demo, nil: target
            }
    }

    func read() throws(ValetError) -> [Draft] { try all()[target] ?? [] }

    /// Other windows may keep theirs at the same time: when a session ends, all are ended together.
    /// - Parameter former: those of this target that they take the place of.
    func keep(_ drafts: [Draft], insteadOf former: [Draft]) throws(ValetError) {
        guard !drafts.isEmpty || !former.isEmpty else { return }
        // A link to a file elsewhere stays one.
        let file = URL(filePath: path).resolvingSymlinksInPath()
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(lock) }
            _ = flock(lock, LOCK_EX)
            // A damaged file is out of the way at the second look.
            var all = try (try? all()) ?? all()
            let kept = (all[target] ?? []).filter { !former.contains($0) && !drafts.contains($0) }
            all[target] = Array((kept + drafts).suffix(DraftsFile.most))
            try write(all, to: file)
        } catch {
            // What was only to be taken out is offered once more.
            guard !drafts.isEmpty else { return }
            let reason = reason(error)
            let subject = drafts.count == 1 ? "1 change is" : "\(drafts.count) changes are"
            throw ValetError(
                .storageFailed, "\(subject) not saved, and “\(path)” can't be written: \(reason)")
        }
    }

    /// Where there are too many, those of other targets make room, the oldest of each first.
    private func write(_ drafts: [String: [Draft]], to file: URL) throws {
        var drafts = drafts.filter { !$0.value.isEmpty }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        var data = try encoder.encode(drafts)
        while data.count > Limits.bytesPerCatalogFile {
            guard let place = drafts.keys.first(where: { $0 != target }) else {
                throw ValetError(.limitExceeded, "\(data.count.grouped) bytes are too many")
            }
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

    /// A file that can't be read is put aside, so that others can be kept.
    private func all() throws(ValetError) -> [String: [Draft]] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        guard let file = FileManager.default.contents(atPath: path) else {
            throw ValetError(.storageFailed, "“\(path)” can't be read")
        }
        if file.count <= Limits.bytesPerCatalogFile,
            let drafts = try? JSONDecoder().decode([String: [Draft]].self, from: file)
        {
            return drafts
        }
        let aside = path + ".damaged"
        guard rename(path, aside) == 0 else {
            throw ValetError(
                .malformed, "“\(path)” is damaged: move it away, so that edits can be kept")
        }
        throw ValetError(.malformed, "The file of unsaved edits was damaged, and is now “\(aside)”")
    }
}
