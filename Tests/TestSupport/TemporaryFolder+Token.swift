import ValetModel
import ValetSecurity

extension TemporaryFolder {
    /// Where `token` puts those who may connect.
    package var principalsPath: String { file("tokens") }

    /// Makes a token for one who may connect.
    package func token(for name: String, _ roles: [String] = ["writer"]) throws -> AccessToken {
        guard let principal = Principal(name: name, roles: roles) else {
            throw Unexpected("“\(name)” is no name")
        }
        return try PrincipalsFile(path: principalsPath).add(principal)
    }

    package func revoke(_ name: String) throws {
        _ = try PrincipalsFile(path: principalsPath).revoke(name)
    }
}
