import Foundation
import ValetModel

/// Who may connect to a server: a file with a line for each token, of the principal's name, the
/// token's hash and the roles.
///
/// ```
/// gate-a   token:…   writer
/// office   token:…   reader,accounts
/// ```
///
/// A principal may have several tokens, each with its own roles, or none.
public struct PrincipalsFile: Sendable {
    private let file: WordFile

    public init(path: String) { file = WordFile(path: path) }

    public var path: String { file.path }

    /// A token that is known, by its hash.
    public struct Entry: Hashable, Sendable {
        public let principal: Principal
        public let token: TokenHash

        package init(principal: Principal, token: TokenHash) {
            (self.principal, self.token) = (principal, token)
        }
    }

    /// In the order of the file.
    /// - Throws: `ValetError`, which says what is wrong in which line.
    public func entries() throws(ValetError) -> [Entry] {
        let lines = try file.lines()
        guard lines.count <= Limits.tokens else {
            throw .limit("tokens in “\(path)”", is: Limits.tokens, asked: lines.count)
        }
        var seen: Set<TokenHash> = []
        var names: [String: String] = [:]
        return try lines.map { (line) throws(ValetError) in
            let entry = try Self.entry(line.words) { "“\(path)”, line \(line.number): \($0)" }
            guard seen.insert(entry.token).inserted else {
                throw ValetError(
                    .notAllowed, "“\(path)”, line \(line.number): the token of another line")
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
            throw ValetError(.notAllowed, place("a name, a token’s hash and roles are needed"))
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
        guard let token = TokenHash(words[1]) else {
            throw ValetError(.notAllowed, place("the second word is no token’s hash"))
        }
        return Entry(principal: principal, token: token)
    }

    /// Makes a token. A file that isn't there yet is made.
    public func add(_ principal: Principal) throws(ValetError) -> AccessToken {
        if FileManager.default.fileExists(atPath: path) {
            let others = try entries().map(\.principal.name)
            let alike = others.first {
                $0 != principal.name && $0.lowercased() == principal.name.lowercased()
            }
            if let alike {
                throw ValetError(
                    .notAllowed,
                    "there is “\(alike)” already, which differs only in capital letters")
            }
        }
        let token = AccessToken()
        let roles = principal.roles.isEmpty ? [] : [principal.roles.joined(separator: ",")]
        try file.change(adding: [principal.name, "\(token.hash)"] + roles)
        return token
    }

    /// - Parameter token: the one to revoke; nil for all.
    /// - Returns: how many tokens of the principal there were.
    public func revoke(_ name: String, _ token: TokenHash? = nil) throws(ValetError) -> Int {
        var count = 0
        try file.change { words in
            let goes =
                words.first == name
                && (token.map { words.dropFirst().first == "\($0)" } ?? true)
            if goes { count += 1 }
            return goes ? nil : words
        }
        return count
    }
}
