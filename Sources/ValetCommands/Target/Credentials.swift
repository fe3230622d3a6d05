import Foundation
import ValetModel
import ValetSecurity

/// What this person's programs prove themselves with: `VALET_TOKEN` in the environment, else what
/// is stored for the server in `credentials` of the configuration's folder. Each line has
/// `valets://HOST:PORT` and a token, or `certificate` and two paths with `%20` for a space. Only
/// its owner can read the file.
package struct Credentials: Sendable {
    static let variable = "VALET_TOKEN"

    private let file: WordFile
    private let inEnvironment: String?

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        file = WordFile(
            path: UserFolder.config.path(in: environment) + "/credentials", isSecret: true)
        inEnvironment = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    var path: String { file.path }

    /// nil if there is none, or others could read it on its way.
    package func credential(for address: ServerAddress) throws(ValetError) -> Credential? {
        guard address.isEncrypted || HostAddress.isOfThisMachine(address.host) else { return nil }
        if let inEnvironment {
            guard let token = AccessToken(inEnvironment) else {
                throw ValetError(.notAllowed, "\(Self.variable) is no token")
            }
            return .token(token)
        }
        guard let text = try file.word(for: "\(address)") else { return nil }
        guard let credential = Credential(text), address.isEncrypted || credential.token != nil
        else {
            throw ValetError(
                .notAllowed,
                "“\(path)” has something else than a token or certificate for \(address): "
                    + "valet login again")
        }
        return credential
    }

    /// - Parameter credential: nil to forget the one that is kept.
    func keep(_ credential: Credential?, for address: ServerAddress) throws(ValetError) {
        try file.set("\(address)", to: credential?.words)
    }

    func isKept(for address: ServerAddress) throws(ValetError) -> Bool {
        try file.word(for: "\(address)") != nil
    }
}

extension Credential {
    /// Reads what `words` has.
    fileprivate init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        if words.count == 3, words[0] == "certificate", let path = Self.path(words[1]),
            let key = Self.path(words[2])
        {
            self = .certificate(path: path, keyPath: key)
        } else if let token = AccessToken(text) {
            self = .token(token)
        } else {
            return nil
        }
    }

    fileprivate var words: String {
        switch self {
        case .token(let token): token.text
        case .certificate(let path, let keyPath):
            (["certificate"] + [path, keyPath].map(Self.word)).joined(separator: " ")
        }
    }

    private static func path(_ word: String) -> String? {
        URL(string: "file://" + word)?.path(percentEncoded: false)
    }

    private static func word(_ path: String) -> String {
        URL(filePath: path, directoryHint: .notDirectory).path(percentEncoded: true)
    }
}
