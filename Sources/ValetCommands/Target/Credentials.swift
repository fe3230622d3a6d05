import Foundation
import ValetModel
import ValetSecurity

/// The tokens that this person's programs show to servers: `VALET_TOKEN` in the environment, else
/// the one for the server in `credentials` of the configuration's folder, as
/// `valets://HOST:PORT TOKEN` in a line each. Only its owner can read the file.
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
    package func token(for address: ServerAddress) throws(ValetError) -> AccessToken? {
        guard address.isEncrypted || HostAddress.isOfThisMachine(address.host) else { return nil }
        if let inEnvironment {
            guard let token = AccessToken(inEnvironment) else {
                throw ValetError(.notAllowed, "\(Self.variable) is no token")
            }
            return token
        }
        guard let text = try file.word(for: "\(address)") else { return nil }
        guard let token = AccessToken(text) else {
            throw ValetError(
                .notAllowed,
                "“\(path)” has something else than a token for \(address): valet login again")
        }
        return token
    }

    /// - Parameter token: nil to forget the one that is kept.
    func keep(_ token: AccessToken?, for address: ServerAddress) throws(ValetError) {
        try file.set("\(address)", to: token?.text)
    }

    func isKept(for address: ServerAddress) throws(ValetError) -> Bool {
        try file.word(for: "\(address)") != nil
    }
}
