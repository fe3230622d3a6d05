import ValetClient
import ValetModel
import ValetSecurity

/// The keys of servers that a person trusts, in `servers` of the state folder: `HOST:PORT KEY` in a
/// line each. A key holds until another takes its place.
package struct KnownServers: Sendable {
    private let file: WordFile

    package init(path: String = UserFolder.state.path() + "/servers") {
        file = WordFile(path: path)
    }

    /// How a server is known: by its key, or, if a person has not told that, by its name.
    package func trust(at address: ServerAddress) throws(ValetError) -> ServerTrust {
        guard let text = try file.word(for: address.place) else { return .system }
        guard let key = KeyFingerprint(text) else {
            throw ValetError(
                .notAllowed,
                "“\(file.path)” has no key for \(address.place) but “\(text)”: remove that line")
        }
        return .key(key)
    }

    package func keep(_ key: KeyFingerprint, of address: ServerAddress) throws(ValetError) {
        try file.set(address.place, to: "\(key)")
    }
}
