import Foundation
import ValetClient
import ValetModel
import ValetSecurity

/// The keys of servers that a person trusts, in `servers` of the state folder: `HOST:PORT KEY` in a
/// line each. A key holds until another takes its place.
package struct KnownServers: Sendable {
    private static let limit = 1 << 20

    private let path: String

    package init(path: String = UserFolder.state.path() + "/servers") { self.path = path }

    /// How a server is known: by its key, or, if a person has not told that, by its name.
    package func trust(at address: ServerAddress) throws(ValetError) -> ServerTrust {
        let name = Self.name(of: address)
        guard let text = try lines().last(where: { $0.first == name })?.last else { return .system }
        guard let key = KeyFingerprint(text) else {
            throw ValetError(
                .notAllowed, "“\(path)” has no key for \(name) but “\(text)”: remove that line")
        }
        return .key(key)
    }

    package func keep(_ key: KeyFingerprint, of address: ServerAddress) throws(ValetError) {
        let name = Self.name(of: address)
        try? FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        _ = flock(lock, LOCK_EX)
        let kept = try lines().filter { $0.first != name } + [[name, "\(key)"]]
        let text = kept.map { $0.joined(separator: " ") + "\n" }.joined()
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw ValetError(
                .storageFailed, "“\(path)” can't be written: \(error.localizedDescription)")
        }
    }

    private static func name(of address: ServerAddress) -> String {
        "\(address.host.lowercased()):\(address.port)"
    }

    /// The words of each line; none if there is no file.
    private func lines() throws(ValetError) -> [[String]] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            let bytes = try file.read(upToCount: Self.limit + 1) ?? Data()
            guard bytes.count <= Self.limit else {
                throw ValetError.limit("bytes of “\(path)”", is: Self.limit, asked: bytes.count)
            }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .map { $0.split(separator: " ").map(String.init) }
        } catch let error as ValetError {
            throw error
        } catch {
            throw ValetError(
                .notAllowed, "“\(path)” can't be read: \(error.localizedDescription)")
        }
    }
}
