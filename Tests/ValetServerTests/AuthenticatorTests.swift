import Logging
import TestSupport
import Testing
import ValetModel
import ValetSecurity

@testable import ValetServer

/// Who is inside.
@Suite struct AuthenticatorTests {
    private let folder = TemporaryFolder()

    @Test func onePrincipalLeavesPlacesToOthers() throws {
        let (flood, ana) = (try folder.token(for: "flood"), try folder.token(for: "ana"))
        let authenticator = try Authenticator(
            path: folder.principalsPath, rulesPath: nil, connectionLimit: 20,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        func enter(_ connection: UInt64, _ token: AccessToken) throws -> ValetError? {
            let visitor = try authenticator.visitor(with: Array(token.bytes), orKey: nil)
            return authenticator.entered(connection, visitor) { _ in }
        }
        for connection in 1...18 { #expect(try enter(UInt64(connection), flood) == nil) }
        let refusal = try #require(try enter(19, flood))
        #expect(refusal.code == .tooManyClients && refusal.message.contains("“flood” has 18"))
        #expect(try enter(20, ana) == nil)
        // One who was refused leaves nothing behind.
        authenticator.left(19)
        #expect(try enter(21, flood) != nil)
        authenticator.left(18)
        authenticator.left(18)
        #expect(try enter(22, flood) == nil)
        #expect(try enter(23, flood) != nil)
    }
}
