import Foundation
import ValetModel

/// A small text file of words in lines, which people may edit, too. What follows a `#` at the
/// beginning of a line is for them, and is kept.
package struct WordFile: Sendable {
    private static let limit = 1 << 20

    package let path: String
    /// Whether others must not be able to read it.
    private let isSecret: Bool

    package init(path: String, isSecret: Bool = false) {
        (self.path, self.isSecret) = (path, isSecret)
    }

    /// A line that is no remark.
    package struct Line: Sendable {
        /// From 1.
        package var number: Int
        package var words: [String]
    }

    /// - Throws: `ValetError`, if there is no such file, too.
    package func lines() throws(ValetError) -> [Line] {
        try text().split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { Line(number: $0 + 1, words: Self.words($1)) }
            .filter { $0.words.first.map { !$0.hasPrefix("#") } ?? false }
    }

    /// Changes the lines one by one: a line that `body` gives no words for goes, and `more` comes
    /// behind them. Nobody sees half of it, two that change it at once both do, and only its owner
    /// can read what is new.
    package func change(
        _ body: ([String]) -> [String]? = { $0 }, adding more: [String] = []
    ) throws(ValetError) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw unwritable(errno) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw unwritable(errno) }
        }
        var kept: [String] = []
        if FileManager.default.fileExists(atPath: path) {
            for line in try text().split(separator: "\n") {
                let words = Self.words(line)
                guard words.first.map({ !$0.hasPrefix("#") }) ?? false else {
                    kept.append(String(line))
                    continue
                }
                if let words = body(words) { kept.append(words.joined(separator: " ")) }
            }
        }
        if !more.isEmpty { kept.append(more.joined(separator: " ")) }
        try replace(by: kept.map { $0 + "\n" }.joined())
    }

    /// What follows a word in the last line that begins with it; nil if there is none, or no file.
    package func word(for first: String) throws(ValetError) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try lines().last { $0.words.first == first }?.words.dropFirst()
            .joined(separator: " ")
    }

    /// Puts a line in place of all that begin with its first word.
    /// - Parameter second: nil for none.
    package func set(_ first: String, to second: String?) throws(ValetError) {
        try change({ $0.first == first ? nil : $0 }, adding: second.map { [first, $0] } ?? [])
    }

    private static func words(_ line: Substring) -> [String] {
        line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
    }

    private func text() throws(ValetError) -> String {
        let bytes = try SmallFile.read(path, isSecret: isSecret, limit: Self.limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ValetError(.notAllowed, "“\(path)” is not UTF-8")
        }
        return text
    }

    /// The new file has the old one's owner and rights: another program may have to read it. A
    /// symbolic link stays one.
    private func replace(by text: String) throws(ValetError) {
        guard text.utf8.count <= Self.limit else {
            throw .limit("bytes of “\(path)”", is: Self.limit, asked: text.utf8.count)
        }
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let new = target + ".new"
        unlink(new)
        do throws(SystemError) {
            let file = try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL)
            try Self.give(file, whatHas: target)
            try file.write(text.utf8)
            try file.synchronize()
            guard rename(new, target) == 0 else { throw SystemError(errno) }
            // A power failure must not bring back what was taken out.
            let folder = URL(filePath: target).deletingLastPathComponent().path
            try? OpenFile(folder).synchronize()
        } catch {
            unlink(new)
            guard error.number != EPERM else {
                throw ValetError(
                    .notAllowed, "“\(path)” belongs to somebody else: run this as they would")
            }
            throw unwritable(error.number)
        }
    }

    private func unwritable(_ number: CInt) -> ValetError {
        ValetError(.storageFailed, "“\(path)” can't be written: \(SystemError(number))")
    }

    /// Gives a file the owner and the rights of another, if that is there.
    private static func give(
        _ file: borrowing OpenFile, whatHas other: String
    ) throws(SystemError) {
        var old = stat()
        guard stat(other, &old) == 0 else { return }
        let isOwned = old.st_uid == geteuid() && old.st_gid == getegid()
        guard isOwned || fchown(file.descriptor, old.st_uid, old.st_gid) == 0,
            fchmod(file.descriptor, old.st_mode & 0o777) == 0
        else { throw SystemError(errno) }
    }
}
