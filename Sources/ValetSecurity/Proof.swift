/// What a principal proves itself with, as a server keeps it: nobody can prove anything with this.
public enum Proof: Hashable, Sendable, CustomStringConvertible {
    case token(TokenHash)
    /// The key of the certificate that its station shows over TLS.
    case key(KeyFingerprint)

    /// Reads what `description` writes.
    public init?(_ text: String) {
        if let token = TokenHash(text) {
            self = .token(token)
        } else if let key = KeyFingerprint(text) {
            self = .key(key)
        } else {
            return nil
        }
    }

    /// `token:` or `SHA256:`, and 43 characters.
    public var description: String {
        switch self {
        case .token(let token): "\(token)"
        case .key(let key): "\(key)"
        }
    }
}

/// What a station has to prove with whom it acts for.
public enum Credential: Hashable, Sendable {
    case token(AccessToken)
    /// Files in PEM form. Only over TLS, and only the certificate's key counts.
    case certificate(path: String, keyPath: String)

    package var token: AccessToken? {
        if case .token(let token) = self { token } else { nil }
    }
}
