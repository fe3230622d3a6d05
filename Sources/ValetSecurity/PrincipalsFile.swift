import Foundation
import ValetModel

/// Who may connect to a server: a file with a line for each token or key, of the principal's name,
/// the token's hash or the key's fingerprint, and the roles.
///
/// ```
/// gate-a   token:…    writer
/// office   SHA256:…   reader,accounts
/// ```
///
/// A principal may have several of them, each with its own roles, or none.
public struct PrincipalsFile: Sendable {
    private let file: WordFile

    public init(path: String) { file = WordFile(path: path) }

    public var path: String { file.path }

    public struct Entry: Hashable, Sendable {
        public let principal: Principal
        public let proof: Proof
    }

    /// In the order of the file.
    /// - Throws: `ValetError`, which says what is wrong in which line.
    public func entries() throws(ValetError) -> [Entry] {
        let lines = try file.lines()
        guard lines.count <= Limits.tokens else {
            throw .limit("tokens in “\(path)”", is: Limits.tokens, asked: lines.count)
        }
        var seen: Set<Proof> = []
        var names: [String: String] = [:]
        return try lines.map { (line) throws(ValetError) in
            let entry = try Self.entry(line.words) { "“\(path)”, line \(line.number): \($0)" }
            guard seen.insert(entry.proof).inserted else {
                throw ValetError(
                    .notAllowed, "“\(path)”, line \(line.number): the token or key of another line")
            }
            let name = entry.principal.name
            // Conditions take them for the same.
            guard names.updateValue(name, forKey: name.lowercased()) ?? name == name else {
                throw ValetError(
                    .notAllowed,
                    "“\(path)”, line \(line.number): another name differs only in capital letters")
            }
            return entry
        }
    }

    private static func entry(
        _ words: [String], _ place: (String) -> String
    ) throws(ValetError) -> Entry {
        guard 2...3 ~= words.count else {
            throw ValetError(
                .notAllowed, place("a name, a token’s hash or a key, and roles are needed"))
        }
        let roles = words.dropFirst(2).flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        guard let principal = Principal(name: words[0], roles: roles.map(String.init)) else {
            throw ValetError(
                .notAllowed,
                place(
                    "names of principals and roles have at most 64 letters, digits, “.”, “_” and "
                        + "“-”, and at most \(Limits.rolesPerPrincipal) roles fit"))
        }
        // What it is is not said: it may be the token itself.
        guard let proof = Proof(words[1]) else {
            throw ValetError(.notAllowed, place("the second word is no token’s hash, and no key"))
        }
        return Entry(principal: principal, proof: proof)
    }

    /// Makes a token. A file that isn't there yet is made.
    public func add(_ principal: Principal) throws(ValetError) -> AccessToken {
        let token = AccessToken()
        try add(principal, .token(token.hash))
        return token
    }

    /// Lets in a principal who proves itself so. A file that isn't there yet is made.
    public func add(_ principal: Principal, _ proof: Proof) throws(ValetError) {
        if FileManager.default.fileExists(atPath: path) {
            for other in try entries() {
                let name = other.principal.name
                if name != principal.name, name.lowercased() == principal.name.lowercased() {
                    throw ValetError(
                        .notAllowed,
                        "there is “\(name)” already, which differs only in capital letters")
                }
                if other.proof == proof {
                    throw ValetError(.notAllowed, "this is the token or key of “\(name)” already")
                }
            }
        }
        let roles = principal.roles.isEmpty ? [] : [principal.roles.joined(separator: ",")]
        try file.change(adding: [principal.name, "\(proof)"] + roles)
    }

    /// - Parameter proof: the one to revoke; nil for all.
    /// - Returns: how many of the principal there were.
    public func revoke(_ name: String, _ proof: Proof? = nil) throws(ValetError) -> Int {
        var count = 0
        try file.change { words in
            let goes =
                words.first == name
                && (proof.map { words.dropFirst().first == "\($0)" } ?? true)
            if goes { count += 1 }
            return goes ? nil : words
        }
        return count
    }
}
